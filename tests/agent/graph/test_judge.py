"""Where rows lead: enough of them to the answer, none to the ladder, and what a brain asks for only with a reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.brains.protocol import Cost, Judged, Verdict
from agent.brains.scripted import ScriptedBrain
from agent.graph.judge import judge
from agent.graph.state import Desk
from agent.library import Library
from store.errors import BudgetSpent
from store.keywords import Hit
from tests.agent.graph.desk import desk
from tests.agent.graph.talk import talk
from tools.again.listening import Again
from tools.evidence import Evidence
from tools.plan import Plan

TRAIN = ("transcript", {"keywords": ["train"]})
PLUM = ("transcript", {"keywords": ["plum"]})


@dataclass
class Says(ScriptedBrain):
    """Judges as it is told."""

    verdict: Verdict = "enough"

    def judge(self, question: Any, plan: Plan, evidence: Evidence) -> Judged:
        return Judged(self.verdict, "so it says", Cost(model_calls=1))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("judge"))


@contextmanager
def judging(library: Library, call: Any, verdict: Verdict, **fuse: Any) -> Iterator[Desk]:
    with desk(library, call, brain=Says(verdict=verdict), **fuse) as made:
        yield made


@pytest.mark.parametrize(
    ("call", "verdict", "route"),
    [
        (TRAIN, "enough", "answer"),
        (TRAIN, "widen", "widen"),
        (TRAIN, "nothing", "widen"),
        (TRAIN, "replan", "plan"),
        (PLUM, "enough", "widen"),  # no rows are never enough, whoever says so
        (PLUM, "widen", "widen"),
        (PLUM, "nothing", "widen"),
        (PLUM, "replan", "widen"),
    ],
)
def test_a_verdict_cannot_make_rows_of_none(library: Library, call: Any, verdict: Verdict, route: str) -> None:
    with judging(library, call, verdict) as made:
        found = judge({}, made)
        assert found["route"] == route
        assert made.meter.model_calls == 1
        if route == "plan":
            assert found["feedback"].startswith("so it says. Nothing fits all constraints")


@pytest.mark.parametrize(
    ("fuse", "route"),
    [
        ({"aggregate": "count", "group": "speaker", "min_value": 2}, "answer"),
        ({"aggregate": "count", "group": "speaker", "min_value": 3}, "widen"),
        ({"aggregate": "count", "group": "speaker"}, "answer"),
        ({"aggregate": "count"}, "answer"),
    ],
)
def test_groups_that_keep_to_no_bound_are_nothing(library: Library, fuse: dict[str, Any], route: str) -> None:
    with judging(library, TRAIN, "enough", **fuse) as made:
        assert judge({}, made)["route"] == route


@pytest.mark.parametrize(("words", "route"), [(("train", "plum"), "answer"), (("plum", "pear"), "widen")])
def test_a_comparison_is_empty_only_where_both_sides_are(library: Library, words: tuple[str, str], route: str) -> None:
    calls = [("transcript", {"keywords": [word]}) for word in words]
    with desk(library, *calls, brain=Says(), versus="b", aggregate="count", answer_schema="count") as made:
        assert judge({}, made)["route"] == route


def test_what_was_heard_on_a_second_listen_is_enough(library: Library) -> None:
    with judging(library, PLUM, "nothing") as made:
        made.again = Again(("plum",), hits=())
        assert judge({}, made)["route"] == "widen"
        made.again = Again(("plum",), hits=(Hit("plum", 1, 0.0),))
        assert judge({}, made) == {"route": "answer", "said": "heard on a second listen"}
        assert made.meter.model_calls == 1


def test_caveats_are_kept_and_told_once(library: Library) -> None:
    with judging(library, TRAIN, "enough") as made:
        found = judge({"caveats": ["widened: x"], "understood": False}, made)
    assert found["caveats"] == ["widened: x", "not_understood"]


def test_a_judge_pays_from_the_budget(library: Library) -> None:
    with judging(library, TRAIN, "enough") as made:
        made.meter.model_calls = made.meter.budget.model_calls
        with pytest.raises(BudgetSpent):
            judge({}, made)


def test_before_an_absence_is_claimed_all_forms_are_looked_for_once(tmp_path: Path) -> None:
    lines = (
        (0, 4_000, 0, "The contract is ready."),
        (5_000, 9_000, 1, "These contracts are long."),
        (10_000, 12_000, 2, "No."),
    )
    with desk(
        talk(tmp_path, lines=lines), ("speaker", {}), ("transcript", {"keywords": ["contract"]}), brain=Says(),
        joins=[{"stream": "b", "relation": "anywhere", "kind": "without", "voice": "same"}], group="speaker",
    ) as made:  # fmt: skip
        found = judge({}, made)
        assert found["route"] == "validate"
        assert [call["args"]["keywords"] for call in found["tool_calls"] if call["name"] == "transcript"] == [
            ["contract", "contracts"]
        ]
        assert judge({"caveats": found["caveats"]}, made)["route"] == "answer"
