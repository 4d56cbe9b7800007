"""Whether rows are enough is computed from the rows."""

from typing import Any

import pytest

from agent.graph.sufficiency import empty, sufficiency, unsure
from tools.evidence import Evidence, EvidenceRow, Group
from tools.plan import Plan, parse_plan


def plan(fuse: dict[str, Any] | None = None, **args: Any) -> Plan:
    calls = [{"name": "transcript", "args": args, "id": "a"}, {"name": "transcript", "args": {}, "id": "b"}]
    return parse_plan([*calls, {"name": "fuse", "args": {"anchor": "a"} | (fuse or {})}])


def rows(*texts: str, score: float | None = 0.9) -> Evidence:
    made = tuple(EvidenceRow("transcript", n, "r", n, n + 1, "Ada", text, None, score) for n, text in enumerate(texts))
    return Evidence(made, len(made))


@pytest.mark.parametrize(
    ("words", "evidence", "covered", "agreed", "sure"),
    [
        (["red", "blue"], rows("red car", "a blue one"), 1.0, 1.0, 0.9),
        (["red", "blue"], rows("red car", "a green one"), 0.5, 0.5, 0.9),
        (["red"], rows("redder", "infrared"), 0.0, 0.0, 0.9),
        (["Café"], rows("the cafe\u0301 is open", score=None), 1.0, 1.0, None),
        (["red"], rows("red", score=-0.3), 1.0, 1.0, None),
        ([], rows("anything"), 1.0, 1.0, 0.9),
    ],
)
def test_coverage_agreement_and_scores(
    words: list[str], evidence: Evidence, covered: float, agreed: float, sure: float | None
) -> None:
    found = sufficiency(plan(keywords=words), evidence)
    assert (found.covered, found.agreed, found.sure) == (covered, agreed, sure)


def test_what_is_weak_or_found_by_meaning_alone_is_said() -> None:
    assert unsure(sufficiency(plan(keywords=["red"]), rows("red"))) == {}
    weak = unsure(sufficiency(plan(keywords=["red"]), rows("red", score=0.2)))
    assert weak == {"weak": "unsure: what was found was heard with a score of only 0.20"}
    assert list(unsure(sufficiency(plan(keywords=["red"]), rows("crimson")))) == ["meaning"]


@pytest.mark.parametrize(
    ("fuse", "evidence", "nothing"),
    [
        ({}, Evidence((), 0), True),
        ({}, Evidence((), 3), False),
        ({"aggregate": "count", "versus": "b"}, Evidence((), 0, (Group("a", 0), Group("b", 3))), False),
        ({"aggregate": "count", "versus": "b"}, Evidence((), 0, (Group("a", 0), Group("b", 0))), True),
        ({"aggregate": "count", "group": "speaker", "min_value": 5}, Evidence((), 4, ()), True),
        ({"aggregate": "count", "group": "speaker", "min_value": 2}, Evidence((), 4, (Group("Ada", 4),)), False),
        ({"aggregate": "count", "group": "speaker"}, Evidence((), 4, (Group("Ada", 4),)), False),
    ],
)
def test_nothing_was_found_when_no_row_side_or_group_is_left(
    fuse: dict[str, Any], evidence: Evidence, nothing: bool
) -> None:
    assert empty(plan(fuse, keywords=["red"]), evidence) is nothing
