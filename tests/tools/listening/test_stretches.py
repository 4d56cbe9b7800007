"""Stretches: every sample is in exactly one, cuts lie where it is quiet, and a resume cuts as an uninterrupted run."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from store.record import Turn
from tools.listening.stretches import (
    LENGTH_S,
    LENGTHS_S,
    SEARCH_S,
    Stretch,
    lead_ms,
    parts,
    quietest,
    recut,
    stretches,
)
from tools.media.audio import RATE, Samples
from tools.transcript.windows import MARGIN_MS

MARGIN = MARGIN_MS * RATE // 1000


def noise(seconds: float, seed: int = 7) -> Samples:
    return 0.1 * np.random.default_rng(seed).standard_normal(int(seconds * RATE), np.float32)


def blocks(samples: Samples, size: int = 7 * RATE + 13) -> Iterator[Samples]:
    return (samples[begin : begin + size] for begin in range(0, len(samples), size))


@pytest.mark.parametrize("seconds", [0.5, 59.9, 60, 90, 91, 300, 1_500.2])
def test_no_sample_is_lost_or_heard_twice(seconds: float) -> None:
    samples = noise(seconds)
    cut = list(stretches(blocks(samples), 0, 0))
    assert np.array_equal(np.concatenate([stretch.samples for stretch in cut]), samples)
    assert [stretch.t0 for stretch in cut[1:]] == [stretch.t1 for stretch in cut[:-1]]
    assert [stretch.last for stretch in cut] == [False] * (len(cut) - 1) + [True]
    assert cut[-1].t1 == -(-len(samples) * 1000 // RATE)


def test_the_first_stretches_are_short_and_the_others_long() -> None:
    lengths = [(stretch.t1 - stretch.t0) / 1000 for stretch in stretches(blocks(noise(1_500)), 0, 0)]
    wanted = [*LENGTHS_S, LENGTH_S]
    assert all(low <= length <= low + SEARCH_S for length, low in zip(lengths, wanted, strict=False))


def test_a_cut_lies_in_the_pause() -> None:
    samples = noise(95)
    samples[int(71.2 * RATE) : int(71.8 * RATE)] = 0
    assert 71_200 <= next(stretches(blocks(samples), 0, 0)).t1 <= 71_800
    assert 71.2 * RATE <= quietest(samples, 60 * RATE) <= 71.8 * RATE


def key(stretch: Stretch) -> tuple[int, int, bool, bytes, bytes, bytes]:
    sound = stretch.samples.tobytes(), stretch.before.tobytes(), stretch.after.tobytes()
    return stretch.t0, stretch.t1, stretch.last, *sound


def test_a_resume_cuts_as_an_uninterrupted_run() -> None:
    samples = noise(700)
    whole = list(stretches(blocks(samples), 0, 0))
    for done in range(1, len(whole)):
        start = whole[done].t0
        begin = start - lead_ms(start)
        rest = stretches(blocks(samples[begin * RATE // 1000 :], 5 * RATE), start, done)
        assert [key(stretch) for stretch in rest] == [key(stretch) for stretch in whole[done:]]


@pytest.mark.parametrize("seconds", [90, 91, 92, 200, 1_500.2])
def test_a_cut_has_a_margin_of_sound_on_both_sides(seconds: float) -> None:
    samples = noise(seconds)
    cut = list(stretches(blocks(samples), 0, 0))
    assert len(cut[0].before) == len(cut[-1].after) == 0
    for one, two in pairwise(cut):
        place = one.t1 * RATE // 1000
        assert np.array_equal(two.before, samples[place - MARGIN : place])
        assert np.array_equal(one.after, samples[place : place + MARGIN])
        assert (two.reach.t0, one.reach.t1) == (one.t1 - MARGIN_MS, one.t1 + len(one.after) * 1000 // RATE)
    for stretch in cut:
        assert np.array_equal(stretch.around, np.concatenate([stretch.before, stretch.samples, stretch.after]))


def test_nothing_at_all_is_no_stretch() -> None:
    assert list(stretches(iter([]), 0, 0)) == []


def spoken(*spans: tuple[float, float]) -> list[Turn]:
    return [Turn(int(t0 * 1000), int(t1 * 1000), "a") for t0, t1 in spans]


@pytest.mark.parametrize(("seconds", "count"), [(20, 1), (59, 1), (60, 2), (130, 2), (310, 2), (630, 4)])
def test_a_stretch_is_parted_so_that_two_can_hear_it(seconds: int, count: int) -> None:
    stretch = Stretch(7_000, 7_000 + seconds * 1000, noise(seconds), True)
    for turns in (None, [], spoken((8, 7 + seconds))):
        cut = parts(stretch, turns)
        assert len(cut) == count
        assert np.array_equal(np.concatenate([part.samples for part in cut]), stretch.samples)
        assert [part.t0 for part in cut] == [7_000, *(part.t1 for part in cut[:-1])]
        assert cut[-1].t1 == stretch.t1


def test_a_part_reaches_as_far_into_its_neighbours_as_its_stretch() -> None:
    samples = noise(200)
    first, second = list(stretches(blocks(samples), 0, 0))
    for stretch in (first, second):
        cut = parts(stretch, None)
        around = [samples[part.reach.t0 * RATE // 1000 : part.reach.t1 * RATE // 1000] for part in cut]
        assert all(np.array_equal(part.around, sound) for part, sound in zip(cut, around, strict=True))
        assert all(two.reach.t0 == one.t1 - MARGIN_MS for one, two in pairwise(cut))
        assert (cut[0].reach.t0, cut[-1].reach.t1) == (stretch.reach.t0, stretch.reach.t1)


def test_a_part_ends_in_the_longest_silence_between_turns_near_its_edge() -> None:
    stretch = Stretch(0, 60_000, noise(60), True)
    turns = spoken((0, 24), (24.5, 33), (36, 60))
    assert [part.t1 for part in parts(stretch, turns)] == [34_500, 60_000]


def test_blocks_are_cut_again_where_they_were_cut_before() -> None:
    samples = noise(400)
    whole = list(stretches(blocks(samples), 0, 0))
    spans = [(stretch.t0, stretch.t1) for stretch in whole]
    again = list(recut(blocks(samples, 3 * RATE + 1), spans))
    assert [key(stretch) for stretch in again] == [key(stretch) for stretch in whole]
    begin = spans[1][0] - lead_ms(spans[1][0])
    rest = recut(blocks(samples[begin * RATE // 1000 :], RATE), spans[1:])
    assert [key(stretch) for stretch in rest] == [key(stretch) for stretch in whole[1:]]
