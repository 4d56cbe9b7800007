"""What is easily taken for another question is read as it means, or is not understood: the brain never guesses."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.plans.bank import Worlds
from agent.evals.plans.filling import filled, filled_plan
from agent.evals.plans.sameness import same
from tools.plan import parse_plan

TABLE = Path(__file__).resolve().parents[3] / "data" / "plans" / "honest.en.toml"
CASES: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["honest"]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    with Worlds(tmp_path_factory.mktemp("library")) as made:
        yield made


def test_there_are_more_than_a_hundred_and_twenty_of_them() -> None:
    assert sum(len(case["wordings"]) for case in CASES) >= 120


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_no_question_is_taken_for_another(case: dict[str, Any], worlds: Worlds) -> None:
    brain, wrong = RulesBrain(), []
    for wording in case["wordings"]:
        for session, words in worlds.asked("honest"):
            text = filled(wording, words, "fr" if case.get("french") else "en")
            planned = brain.plan(Question(text), session.catalog, None)
            if "plan" not in case:
                right = not planned.understood
            else:
                gold = parse_plan(filled_plan(case["plan"], words))
                right = planned.understood and bool(planned.tool_calls)
                right = right and same(parse_plan(planned.tool_calls), gold, session)
            if not right:
                wrong.append((wording, planned.tool_calls))
                break
    assert wrong == []
