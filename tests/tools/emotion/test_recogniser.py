"""Turns are heard in parts that are neither too short to tell nor too long to be one mood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import MissingWeights, UsageError
from store.record import Turn
from tools.emotion.recogniser import LONGEST_MS, SHORTEST_MS, covered, load, parts


def test_a_turn_is_one_part() -> None:
    assert parts(Turn(1_000, 9_000, "A", 0.7), 0, 30_000) == [Turn(1_000, 9_000, "A", 0.7)]


def test_a_long_turn_is_cut_in_equal_parts() -> None:
    assert [(part.t0, part.t1) for part in parts(Turn(0, 20_000, "A"), 0, 30_000)] == [(0, 10_000), (10_000, 20_000)]


def test_under_800_ms_tells_nothing() -> None:
    assert parts(Turn(0, 799, "A"), 0, 30_000) == []
    assert parts(Turn(29_500, 40_000, "A"), 0, 30_000) == []
    assert parts(Turn(40_000, 50_000, "A"), 0, 30_000) == []


def test_a_part_is_covered_by_other_voices_once() -> None:
    turns = [Turn(0, 4_000, "A"), Turn(1_000, 2_000, "B"), Turn(1_500, 3_000, "C"), Turn(0, 4_000, "A")]
    assert covered(turns[0], turns) == 0.5
    assert covered(turns[1], turns) == 1
    assert covered(Turn(5_000, 6_000, "B"), turns) == 0


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 10**6), st.integers(1, 40_000))
def test_parts_tile_the_turn_within_the_window(t0: int, length: int, start: int, width: int) -> None:
    turn = Turn(t0, t0 + length, "A")
    found = parts(turn, start, start + width)
    inside = min(turn.t1, start + width) - max(t0, start)
    assert sum(part.t1 - part.t0 for part in found) == (inside if inside >= SHORTEST_MS else 0)
    assert all(SHORTEST_MS <= part.t1 - part.t0 <= LONGEST_MS for part in found)
    assert all(a.t1 == b.t0 for a, b in zip(found, found[1:], strict=False))


def test_a_name_that_means_nothing_is_told_with_what_would() -> None:
    with pytest.raises(UsageError, match=r"neither a folder nor a hub name \(OWNER/NAME\); --emotion default needs no"):
        load("wavlm")


def test_a_hub_name_that_was_not_pulled_says_the_command_that_brings_it() -> None:
    with pytest.raises(MissingWeights, match="`overheard models pull nobody/wavlm --for emotion --trust-model`"):
        load("nobody/wavlm", None)


@pytest.mark.parametrize(("dim", "given"), [(384, "states of 384 numbers"), (None, "no states")])
def test_words_without_the_right_states_leave_the_stream_out_in_one_line(dim: int | None, given: str) -> None:
    with pytest.raises(MissingWeights, match=given):
        load("emodb", dim)
