"""What is said of a reader's turns comes from nothing of the reader, and thresholds may be a turn's own."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.emotion_vectors import Array, Vectors
from scripts.measure_emotion import PARTS, rotated
from scripts.train_emotion_head import ANGER, CLASSES, GRID, NEUTRAL, Choice, named

ACTORS, CLIPS, TURNS, SIZE = 3, 40, 4, 12
READERS = [f"{number:02d}" for number in range(2 * PARTS)]  # two a part: a reader and the one PARTS places on
CHANGED, BESIDE = READERS[1], READERS[1 + PARTS]
KINDS = np.eye(len(CLASSES), SIZE) * 1.5  # so near that heads err, and temperature and thresholds matter
CHOICE = Choice(nuisance=1)


def spread(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal((*shape, SIZE))


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    """Emotions a direction each, and readers who are neutral; turns so long that thresholds are found."""
    rng = np.random.default_rng(0)
    kinds = np.tile(np.repeat(np.arange(len(CLASSES)), CLIPS), ACTORS)
    readers = np.repeat(READERS, TURNS)
    english = KINDS[NEUTRAL] + spread(rng, len(readers)) / 4
    return Vectors(
        train=KINDS[kinds] + spread(rng, 1, len(kinds)),
        test=KINDS[kinds] + spread(rng, len(kinds)),
        short=KINDS[kinds] + spread(rng, len(kinds)),
        labels=CLASSES[kinds],
        actors=np.repeat([f"{number:02d}" for number in range(ACTORS)], CLIPS * len(CLASSES)),
        english=english,
        halves=np.stack([english, english], axis=1),
        readers=readers,
        seconds=np.full(len(readers), 300.0),
        cuts=np.zeros(len(readers), dtype=np.intp),
    )


@pytest.fixture(scope="module")
def told(vectors: Vectors) -> tuple[Array, Array]:
    return rotated(vectors, CHOICE)


def angered(vectors: Vectors, who: NDArray[np.bool_]) -> Vectors:
    """Give the same with some turns that sound of anger through and through."""
    english, halves = vectors.english.copy(), vectors.halves.copy()
    english[who] += 3 * KINDS[ANGER]
    halves[who] += 3 * KINDS[ANGER]
    return replace(vectors, english=english, halves=halves)


def test_every_turn_is_told(told: tuple[Array, Array]) -> None:
    likely, least = told
    assert likely.sum(axis=1) == pytest.approx(1)
    assert (least >= GRID[0]).all()


def test_nothing_of_a_turns_own_part_goes_into_its_thresholds(vectors: Vectors, told: tuple[Array, Array]) -> None:
    own = np.isin(vectors.readers, [CHANGED, BESIDE])
    least, changed = told[1], rotated(angered(vectors, own), CHOICE)[1]
    assert np.array_equal(changed[own], least[own])
    assert (changed[~own] != least[~own]).any(axis=1).all()


def test_nothing_of_a_turns_own_part_goes_into_its_probabilities(vectors: Vectors, told: tuple[Array, Array]) -> None:
    who, beside = vectors.readers == CHANGED, vectors.readers == BESIDE
    likely, changed = told[0], rotated(angered(vectors, who), CHOICE)[0]
    assert np.array_equal(changed[beside], likely[beside])
    assert (changed[~beside] != likely[~beside]).any(axis=1).all()


def test_thresholds_a_turn_are_those_of_all_when_they_are_equal_and_else_its_own() -> None:
    rng = np.random.default_rng(0)
    likely, least = rng.dirichlet(np.full(len(CLASSES), 0.3), 50), rng.uniform(0.3, 0.9, (50, len(CLASSES)))
    together = named(likely, least[0])
    assert 0 < together.sum() < len(together)
    assert np.array_equal(named(likely, np.tile(least[0], (50, 1))), together)
    alone = [bool(named(likely[[place]], least[place])[0]) for place in range(50)]
    assert named(likely, least).tolist() == alone
    assert alone != together.tolist()
