"""Windows cover every turn, are short enough, and cut where nobody is cut."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.record import Span, Turn, total
from tools.transcript.windows import LIMIT_MS, MARGIN_MS, RATE, clip, reaching, windows


def silence(seconds: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.zeros(int(seconds * RATE), dtype=np.float32)


def test_several_turns_share_a_window() -> None:
    turns = [Turn(1_000, 4_000, "A"), Turn(4_500, 9_000, "B"), Turn(9_100, 15_000, "A")]
    assert windows(silence(20), 0, turns) == [Span(800, 15_200)]


def test_a_long_silence_is_left_out() -> None:
    assert windows(silence(60), 0, [Turn(1_000, 4_000, "A"), Turn(20_000, 22_000, "A")]) == [
        Span(800, 4_200),
        Span(19_800, 22_200),
    ]


def test_a_full_window_ends_between_two_turns() -> None:
    turns = [Turn(0, 12_000, "A"), Turn(12_300, 24_000, "B"), Turn(24_300, 36_000, "A")]
    found = windows(silence(40), 0, turns)
    assert found == [Span(0, 24_150), Span(24_150, 36_200)]


def test_a_monologue_is_cut_at_its_quietest_place() -> None:
    samples = np.random.default_rng(0).standard_normal(50 * RATE).astype(np.float32) * 0.1
    samples[int(26.0 * RATE) : int(26.4 * RATE)] = 0
    first, second = windows(samples, 0, [Turn(0, 50_000, "A")])
    assert 26_000 <= first.t1 <= 26_400
    assert second == Span(first.t1, 50_000)
    assert reaching([first, second], 50_000) == [Span(0, first.t1 + MARGIN_MS), Span(first.t1 - MARGIN_MS, 50_000)]


def test_only_a_cut_through_speech_is_heard_from_both_sides() -> None:
    apart = [Span(800, 15_200), Span(15_201, 20_000), Span(20_000, 20_100)]
    heard = [Span(800, 15_200), Span(15_201, 20_300), Span(18_500, 20_100)]
    assert reaching(apart, 20_300) == heard
    assert reaching([], 20_300) == []


def test_a_later_stretch_counts_from_its_own_start() -> None:
    found = windows(silence(10), 600_000, [Turn(590_000, 602_000, "A"), Turn(609_000, 620_000, "B")])
    assert found == [Span(600_000, 602_200), Span(608_800, 610_000)]
    assert len(clip(silence(10), 600_000, found[0])) == found[0].duration * RATE // 1000


@pytest.mark.parametrize("turns", [[], [Turn(30_000, 40_000, "A")]])
def test_nothing_is_heard_where_nobody_speaks(turns: list[Turn]) -> None:
    assert windows(silence(20), 0, turns) == []


def turn(t0: int, length: int, speaker: str) -> Turn:
    return Turn(t0, t0 + length, speaker)


_turns = st.lists(st.builds(turn, st.integers(0, 90_000), st.integers(1, 70_000), st.sampled_from("AB")), max_size=10)


@settings(max_examples=100, deadline=None)
@given(_turns)
def test_windows_are_disjoint_short_and_cover_every_turn(turns: list[Turn]) -> None:
    samples = silence(100)
    found = windows(samples, 0, turns)
    assert all(0 < span.duration <= LIMIT_MS for span in found)
    assert all(a.t1 <= b.t0 for a, b in zip(found, found[1:], strict=False))
    speech = [Span(turn.t0, min(turn.t1, 100_000)) for turn in turns]
    assert total([*found, *speech]) == total(found)
    heard = reaching(found, 100_000)
    assert all(wide.duration <= LIMIT_MS and wide.t1 <= 100_000 for wide in heard)
    for (one, wide_one), (two, wide_two) in pairwise(zip(found, heard, strict=True)):
        joins = one.t1 == two.t0
        assert (wide_one.t1 > one.t1, wide_two.t0 < two.t0) == ((one.t1 < 100_000) and joins, joins)
