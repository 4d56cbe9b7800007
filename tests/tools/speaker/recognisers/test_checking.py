"""A second look at counted voices: two people in one are parted, a short one that is none joins its voice."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.speaker.recognisers.checking import Check, Heard, checked, halves, one_voice
from tools.speaker.recognisers.steps import Steps

CHECK = Check()
DIMENSIONS = 192


def speech(
    rng: np.random.Generator, voices: list[NDArray[np.float64]], who: list[int], contexts: int = 6, seconds: float = 0.7
) -> Heard:
    """Give one piece after another of voices, each as noisy as speech of its length in its context is."""
    shifts = rng.normal(0, np.sqrt(CHECK.context / 2), (len(voices), contexts, DIMENSIONS))
    context = np.arange(len(who)) * contexts // max(1, len(who))
    noise = rng.normal(0, np.sqrt(CHECK.second / 2 / seconds), (len(who), DIMENSIONS))
    vectors = np.array([voices[one] + shifts[one, at] for one, at in zip(who, context, strict=True)]) + noise
    weight = np.full(len(who), seconds, np.float32)
    unit = np.arange(len(who))
    return Heard([Steps.of(vectors.astype(np.float32))], weight, unit, unit * 3, context)


def people(rng: np.random.Generator, count: int) -> list[NDArray[np.float64]]:
    return [rng.normal(0, np.sqrt(CHECK.between), DIMENSIONS) for _ in range(count)]


def direct(
    one: NDArray[np.float32], two: NDArray[np.float32], shares: tuple[NDArray[np.float32], NDArray[np.float32]]
) -> float:
    """Compute the ratio from the densities of two dimensions, one pair of numbers after another."""
    noise = [
        CHECK.context / (each.sum() ** 2 / (each**2).sum()) + CHECK.second / each.sum()
        for each in map(np.float64, shares)
    ]
    apart = np.diag([CHECK.between + each for each in noise])
    joint = apart + CHECK.between * (1 - np.eye(2))

    def density(point: NDArray[np.float64], spread: NDArray[np.float64]) -> float:
        return float(-0.5 * (np.log(np.linalg.det(spread)) + point @ np.linalg.inv(spread) @ point))

    points = np.stack([one / shares[0].sum(), two / shares[1].sum()], 1).astype(np.float64)
    return sum(density(point, joint) - density(point, apart) for point in points)


@pytest.mark.parametrize("seed", range(20))
def test_the_ratio_is_that_of_the_densities_and_takes_no_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares = (rng.uniform(0, 3, 4).astype(np.float32), rng.uniform(0, 30, 4).astype(np.float32))
    one, two = (rng.normal(0, 0.05, DIMENSIONS).astype(np.float32) * each.sum() for each in shares)
    found = one_voice((one, two), shares, CHECK)
    assert found == pytest.approx(direct(one, two, shares), rel=1e-4)
    assert found == pytest.approx(one_voice((two, one), (shares[1], shares[0]), CHECK), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_voice_of_two_people_is_parted_and_one_of_one_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    who = rng.integers(0, 2, 24)
    heard = speech(rng, people(rng, 2), who.tolist())
    found = checked(heard, np.zeros(24, np.int64), 1, None, CHECK)
    assert len(np.unique(found)) == 2
    assert all(len(np.unique(who[found == voice])) == 1 for voice in (0, 1))
    alone = speech(rng, people(rng, 1), [0] * 24)
    assert checked(alone, np.zeros(24, np.int64), 1, None, CHECK).tolist() == [0] * 24
    assert checked(heard, np.zeros(24, np.int64), 1, 1, CHECK).tolist() == [0] * 24


@pytest.mark.parametrize("seed", range(5))
def test_a_short_voice_that_is_another_joins_it_unless_both_are_heard_at_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heard = speech(rng, people(rng, 2), [0] * 20 + [1] * 20 + [1] * 3)
    voice = np.repeat([0, 1, 2], (20, 20, 3))
    joined = np.repeat([0, 1, 1], (20, 20, 3)).tolist()
    assert checked(heard, voice, 1, None, CHECK).tolist() == joined
    assert checked(heard, voice, 3, None, CHECK).tolist() == voice.tolist()
    place = heard.place.copy()
    place[40:] = place[20:23] + 1
    assert checked(replace(heard, place=place), voice, 1, None, CHECK).tolist() == voice.tolist()


def test_stretches_make_no_difference_and_nothing_is_nobody() -> None:
    rng = np.random.default_rng(3)
    who = rng.integers(0, 3, 60).tolist()
    heard = speech(rng, people(rng, 3), who)
    (vectors,) = heard.vectors
    voice = np.minimum(who, 1)
    spans = (slice(0, 7), slice(7, 7), slice(7, 41), slice(41, None))
    parts = replace(heard, vectors=[Steps(vectors.rows[span], vectors.size) for span in spans])
    whole = checked(heard, voice, 1, None, CHECK)
    assert whole.tolist() == checked(parts, voice, 1, None, CHECK).tolist()
    assert len(np.unique(whole)) == 3
    empty = np.empty(0, np.int64)
    assert not len(checked(Heard([], np.empty(0, np.float32), empty, empty, empty), empty, 1, None, CHECK))


def test_halves_are_long_enough_or_none() -> None:
    rng = np.random.default_rng(4)
    heard = speech(rng, people(rng, 2), [0] * 20 + [1])
    vectors = heard.vectors[0][:]
    second = halves(vectors, heard.weight, heard.unit, 0.5)
    assert second is not None
    assert 0.5 <= heard.weight[second].sum() <= heard.weight.sum() - 0.5
    assert halves(vectors[:1], heard.weight[:1], heard.unit[:1], 0.5) is None
