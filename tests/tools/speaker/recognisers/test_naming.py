"""Counting units and placing pieces: short voices are kept, pieces move only when it is clear, told numbers hold."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.naming import Naming, name_pieces, name_units, settled, stretch
from tools.speaker.recognisers.networks import FRAMES
from tools.speaker.recognisers.steps import Steps

Array = NDArray[np.float32]
BASE = np.eye(4, 192, dtype=np.float32)


def test_a_short_vector_unlike_all_voices_is_a_voice() -> None:
    vectors, seconds = BASE[[0, 0, 1, 1, 2, 3]], np.array([3, 3, 3, 3, 0.6, 0.6], np.float32)
    naming, place = Naming(), np.arange(7) * 3
    assert name_units(vectors, seconds, seconds, naming.bounds(), naming, place[:6]).tolist() == [0, 0, 1, 1, 2, 3]
    assert len(set(name_units(vectors, seconds, seconds, naming.bounds(1, 2), naming, place[:6]).tolist())) == 2
    near = (BASE[0] * 0.5 + BASE[2] * 0.87)[None]
    found = name_units(
        np.concatenate([vectors[:4], near]), seconds[:5], seconds[:5], naming.bounds(), naming, place[:5]
    )
    assert found.tolist()[-1] == 0


def test_a_piece_moves_to_the_voice_it_is_clearly_most_like() -> None:
    mixed = np.stack([BASE[0] * 0.7 + BASE[1] * 0.71, BASE[0] * 0.5 + BASE[1] * 0.87]).astype(np.float32)
    vectors = np.concatenate([BASE[[0, 0, 0, 1, 1, 1]], mixed])
    voice = np.array([0, 0, 0, 1, 1, 1, 0, 0])
    assert settled([(Steps.of(vectors), np.ones(8, np.float32))], voice, 0.05).tolist() == [0, 0, 0, 1, 1, 1, 0, 1]


def test_pieces_of_several_stretches_are_judged_together() -> None:
    rng = np.random.default_rng(4)
    vectors = (BASE[rng.integers(0, 4, 90)] + rng.normal(0, 0.05, (90, 192))).astype(np.float32)
    weight = rng.uniform(0.1, 2, 90).astype(np.float32)
    voice = rng.integers(0, 4, 90)
    parts = [(Steps.of(vectors[begin:end]), weight[begin:end]) for begin, end in ((0, 30), (30, 30), (30, 90))]
    assert settled(parts, voice, 0.05).tolist() == settled([(Steps.of(vectors), weight)], voice, 0.05).tolist()


def test_no_voice_is_lost_by_moving() -> None:
    vectors = BASE[[0, 0, 0, 1, 0]]
    weight = np.array([5, 5, 5, 1, 0.5], np.float32)
    voice = np.array([0, 0, 0, 1, 1])
    assert settled([(Steps.of(vectors), weight)], np.array([0, 0, 0, 1, 2]), 0.0).tolist() == [0, 0, 0, 1, 2]
    assert settled([(Steps.of(vectors), weight)], voice, 0.0).tolist() == [0, 0, 0, 1, 0]


def heard(count: int, seed: int) -> Voices:
    rng = np.random.default_rng(seed)
    vectors = BASE[rng.integers(0, 4, count)] + rng.normal(0, 0.05, (count, 192))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    window = np.sort(rng.integers(0, max(1, count // 3), count))
    owners = np.stack([window, np.arange(count), rng.integers(0, 3, count), np.arange(count)], axis=1)
    own = np.full((max(1, count // 3), FRAMES, 3), -1, np.int8)
    for at, number, local, _ in owners.tolist():
        own[at, number * 9 : number * 9 + 9, local] = number
    arrays: dict[str, NDArray[Any]] = {
        "first": np.arange(max(1, count // 3)) * 148,
        "own": own,
        "owners": owners.astype(np.int32),
        "vectors": vectors.astype(np.float16),
        "seconds": rng.uniform(0, 4, count).astype(np.float32),
    }
    return Voices("onnx", "2", 0, 1000, arrays)


@settings(deadline=None)
@given(
    counts=st.lists(st.integers(0, 25), min_size=1, max_size=3),
    fewest=st.integers(1, 8),
    more=st.integers(0, 4),
    seed=st.integers(0, 1000),
)
def test_told_numbers_hold(counts: list[int], fewest: int, more: int, seed: int) -> None:
    naming = Naming()
    stretches = [stretch(heard(count, seed + n), naming, fewest) for n, count in enumerate(counts)]
    found = name_pieces(stretches, counts, naming, naming.bounds(fewest, fewest + more))
    assert len(found) == sum(counts)
    assert min(fewest, sum(counts)) <= len(set(found.tolist())) <= fewest + more


@pytest.mark.parametrize("stretches", [1, 3])
def test_stretches_are_one_recording(stretches: int) -> None:
    naming = Naming()
    parts = [stretch(heard(60, seed), naming) for seed in range(stretches)]
    found = name_pieces(parts, [60] * stretches, naming, naming.bounds())
    owner = np.concatenate([part.vectors for part in parts])[:, :4].argmax(1)
    assert len(set(zip(found.tolist(), owner.tolist(), strict=True))) == len(set(found.tolist())) == 4
