"""A plan that cannot be is told in one clear line: what was asked, why not, what would work."""

from typing import Any

import pytest

from store.database import Database
from store.errors import ToolError
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.plan import every_branch, parse_plan

Asked = tuple[str, dict[str, Any]]

A: Asked = ("events", {})
B: Asked = ("speaker", {})
C: Asked = ("transcript", {})


@pytest.mark.parametrize(
    ("calls", "fuse", "told"),
    [
        ([A], {"joins": [{"stream": "a"}]}, "circle: 'a' to 'a'"),
        ([A, B, C], {"joins": [{"stream": "b", "to": "c"}, {"stream": "c", "to": "b"}]}, "to which no joins lead"),
        (
            [A, B, C],
            {"joins": [{"stream": "b"}, {"stream": "c", "to": "b"}, {"stream": "b", "to": "c"}]},
            "circle: 'b' to 'c' to 'b'",
        ),
        ([A, B, C], {"joins": [{"stream": "b"}, {"stream": "c", "to": "b", "kind": "left"}]}, "to the anchor only"),
        ([A, B], {"joins": [{"stream": "b", "to": "z"}]}, "'z' refers to 0 calls of this plan; its calls are: a, b"),
        ([A, B], {"versus": "b", "aggregate": "count"}, "another call of the anchor's stream, events"),
        ([A, A], {"versus": "a", "aggregate": "count"}, "'a' is not"),
        ([A, A], {"versus": "b"}, "one of the aggregates count, count_distinct, total_duration, average"),
        ([A, A], {"versus": "b", "aggregate": "count", "group": "label"}, "without a group"),
        ([A, A], {"versus": "b", "aggregate": "count", "joins": [{"stream": "b"}]}, "'b' is joined"),
        ([A], {"group": "time"}, "group=time does not go with aggregate=none; it goes with count"),
        ([A], {"group": "time", "aggregate": "count", "every": 0.5}, "every: "),
        ([A], {"group": "label", "aggregate": "gaps"}, "without a group"),
        ([A], {"group": "speaker", "aggregate": "overlaps"}, "without a group"),
        ([A], {"aggregate": "count", "min_value": 3, "max_value": 2}, "max_value (2) must not be below min_value (3)"),
        ([A], {"aggregate": "count", "min_value": -1}, "min_value: "),
        ([A] * 7, {}, "7 calls were made; a plan has at most 6"),
        ([("events", {"nth": 0})], {}, "nth counts from 1, or from -1 at the end"),
        ([("events", {"start": -5, "end": -10})], {}, "end (-10) must be after start (-5)"),
        ([("events", {"start": float("nan")})], {}, "start: "),
        ([A, B], {"joins": [{"stream": "b", "relation": "besides"}]}, "or 'anywhere'"),
        ([A, B, B], {"joins": [{"stream": "speaker"}]}, "'speaker' refers to 2 calls"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(calls: list[Asked], fuse: dict[str, Any], told: str) -> None:
    tools = [{"name": name, "args": args, "id": "abcdefg"[n]} for n, (name, args) in enumerate(calls)]
    with pytest.raises(ToolError) as error:
        parse_plan([*tools, {"name": "fuse", "args": {"anchor": "a"} | fuse, "id": "f"}])
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_joins_form_a_tree_whatever_they_are_called() -> None:
    joins = [{"stream": "speaker"}, {"stream": "transcript", "to": "speaker"}, {"stream": "d", "to": "a"}]
    asked = plan(A, B, C, ("emotion", {}), joins=joins)
    first, second = asked.tree()
    assert [branch.call.id for branch in every_branch([first, second])] == ["b", "c", "d"]
    assert [branch.call.id for branch in first.branches] == ["c"]


def test_a_plan_survives_being_said_as_tool_calls() -> None:
    calls = [("events", {"nth": -2, "start": -60.0}), B]
    fuse = {"joins": [{"stream": "b", "relation": "anywhere", "to": "a"}], "group": "time", "aggregate": "count"}
    asked = plan(*calls, **fuse, every=30, min_value=2)
    assert parse_plan(asked.tool_calls()) == asked


def test_a_plan_beyond_the_fence_says_which_limit_and_what_would_work(database: Database) -> None:
    scope = made(database, Made([], [Turn(0, 1_000, "Ada")], [], [Event(0, 30_000_000, "Hum", 0.9)], minutes=540))
    words = {"keywords": [f"{n} {'word' * 45}" for n in range(24)], "match": "all"}
    absent = [{"stream": name, "kind": "without"} for name in "bcde"]
    long = plan(*[("transcript", words)] * 5, joins=absent, aggregate="first_occurrence", group="label")
    deep = [{"stream": name, "to": to, "relation": "nearest"} for to, name in zip("abcd", "bcde", strict=True)]
    wide = plan(*[A] * 5, joins=deep, aggregate="count", group="time", max_value=2)
    with Session(database, scope) as session:
        with pytest.raises(ToolError, match="bytes of SQL, and at most 32,768 are run; ask for fewer keywords"):
            session.run(long)
        with pytest.raises(ToolError, match="joins as SQL, and at most 8 are run; join fewer calls"):
            session.run(wide)


def test_the_widest_sensible_plan_can_run(database: Database) -> None:
    """Four streams in a chain, each with a row as long as the recording, and slices of one second."""
    hours = 30_000_000
    scope = made(
        database,
        Made(
            [Segment(0, 1_000, "red", "Ada")],
            [Turn(0, hours, "Ada"), Turn(0, 1_000, "Ben")],
            [Emotion(0, hours, "anger", 0.9, "Ada")],
            [Event(0, hours, "Hum", 0.9)],
            minutes=540,
        ),
    )
    chain = [{"stream": name, "to": to, "relation": "nearest"} for to, name in zip("abc", "bcd", strict=True)]
    slices = {"aggregate": "count_distinct", "group": "time", "every": 1, "max_value": 1}
    asked = plan(B, A, ("emotion", {"start": -31_000_000}), C, joins=chain, **slices)
    with Session(database, scope) as session:
        evidence = session.run(asked)
    assert (evidence.total, len(evidence.groups), evidence.results) == (1, 2_000, 32_400 - 1)
    assert evidence.rows[0].partners[0].partners[0].partners[0].text == "red"
