"""Which tools were called: the four modes on a table, and the pairing of calls against every permutation."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.suites.scorers.trajectory import Call, Mode, matches
from tests.agent.evals.suites.made import mark, reply, right

PLAN = [
    {"name": "transcript", "args": {"keywords": ["budget"], "speaker": "Ben"}},
    {"name": "speaker", "args": {}},
    {"name": "fuse", "args": {"anchor": "transcript"}},
]
TABLE: list[tuple[Any, Mode, bool]] = [
    (["transcript", "speaker", "fuse"], "strict", True),
    (["speaker", "transcript", "fuse"], "strict", False),
    (["speaker", "transcript", "fuse"], "unordered", True),
    (["transcript", "fuse"], "unordered", False),
    (["transcript", "fuse"], "superset", True),
    (["transcript", "transcript"], "superset", False),
    (["transcript", "speaker", "fuse", "events"], "subset", True),
    (["transcript", "fuse"], "subset", False),
    ([{"name": "transcript", "args": {"speaker": "Ben"}}], "superset", True),
    ([{"name": "transcript", "args": {"speaker": "Ada"}}], "superset", False),
    ([{"name": "transcript", "args": {"start": None}}], "superset", False),
]


@pytest.mark.parametrize(("wanted", "mode", "passes"), TABLE)
def test_the_table(wanted: Any, mode: Mode, passes: bool) -> None:
    assert right("tools", {"target": wanted, "mode": mode}, reply("x", plan=PLAN)) is passes


def test_no_tools_at_all_can_be_asked_for() -> None:
    assert right("tools", [], reply("x", plan=[]))
    assert not right("tools", [], reply("x", plan=PLAN))


def test_a_reply_that_says_nothing_of_its_tools_is_not_taken_for_one_without() -> None:
    assert not right("tools", [], reply("x"))
    assert not right("max_tool_calls", 9, reply("x"))
    assert "not known" in mark("tools", [], reply("x")).why


def test_the_larger_of_what_was_planned_and_counted_counts() -> None:
    assert right("max_tool_calls", 3, reply("x", plan=PLAN))
    assert not right("max_tool_calls", 2, reply("x", plan=PLAN))
    assert not right("max_tool_calls", 3, reply("x", plan=PLAN, usage={"tool_calls": 4}))


ARGS: st.SearchStrategy[dict[str, int]] = st.just({}) | st.just({"k": 1})
CALLS = st.lists(st.fixed_dictionaries({"name": st.sampled_from("ab"), "args": ARGS}), max_size=4)
WANTED = st.lists(st.builds(Call, name=st.sampled_from("ab"), args=ARGS), max_size=4)


@given(CALLS, WANTED, st.sampled_from(["unordered", "subset", "superset"]))
def test_calls_are_paired_as_well_as_they_can_be(made: list[Any], wanted: list[Call], mode: Mode) -> None:
    pairs = min(len(made), len(wanted))
    best = max(
        sum(call.fits(one) for call, one in zip(calls, ones, strict=False))
        for calls in permutations(wanted)
        for ones in permutations(made)
    )
    enough = {
        "unordered": len(made) == len(wanted) == best,
        "subset": best == len(made),
        "superset": best == len(wanted),
    }
    assert best <= pairs
    assert matches(made, wanted, mode) == enough[mode]
