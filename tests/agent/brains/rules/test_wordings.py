"""Every wording of the table leads to its plan: contractions, lower case, no question mark, other verbs."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agent.brains.protocol import Planned, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.language import MOST_FAMILIES, language
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog
from tools.plan import parse_plan

TABLE = Path(__file__).resolve().parents[3] / "data" / "questions.en.toml"


def written(planned: Planned) -> str:
    """Write a plan as the table does."""
    if planned.out_of_scope:
        return "out of scope"
    if not planned.understood:
        return "not understood"
    return " | ".join(f"{call['name']} {json.dumps(call['args'], sort_keys=True)}" for call in planned.tool_calls)


def cases() -> list[dict[str, Any]]:
    """Give the table's cases."""
    return list(tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]) if TABLE.exists() else []


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_all_wordings_of_a_question_lead_to_one_plan(case: dict[str, Any], small: Catalog) -> None:
    brain = RulesBrain()
    plans = {wording: written(brain.plan(Question(wording), small, None)) for wording in case["wordings"]}
    assert plans == dict.fromkeys(case["wordings"], case["plan"])


def test_the_table_is_large_and_every_family_of_the_language_is_in_it() -> None:
    wordings = [wording for case in cases() for wording in case["wordings"]]
    answers = {
        json.loads(case["plan"].rpartition("fuse ")[2])["answer_schema"] for case in cases() if "fuse" in case["plan"]
    }
    assert len(wordings) >= 400
    assert len(set(wordings)) == len(wordings)
    assert answers == {form.plan["answer"] for form in language().forms}
    assert len({form.family for form in language().forms}) <= MOST_FAMILIES


def test_every_plan_of_the_table_is_a_valid_plan(small: Catalog) -> None:
    brain = RulesBrain()
    for case in cases():
        planned = brain.plan(Question(case["wordings"][0]), small, None)
        if planned.tool_calls:
            assert parse_plan(planned.tool_calls).fuse.answer_schema is not None


@pytest.mark.parametrize(
    "opening", ["Could you check from 1:00 up to 3:00 and tell me", "Between 1:00 and 3:00, tell me"]
)
def test_an_opening_that_names_a_time_is_no_chatter(opening: str, small: Catalog) -> None:
    said = written(RulesBrain().plan(Question(f"{opening} who says budget?"), small, None))

    assert '"start": 60.0' in said
    assert '"end": 180.0' in said


@pytest.mark.parametrize("tail", ["yes or no", "y/n", "aye or no", "or nah"])
def test_a_tail_that_asks_for_yes_or_no_makes_a_question_of_a_statement(tail: str, small: Catalog) -> None:
    assert '"answer_schema": "yes_no"' in written(
        RulesBrain().plan(Question(f"Ada mentions budget, {tail}?"), small, None)
    )
