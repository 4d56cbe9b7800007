"""Counting voices: short ones are kept, one word is nobody's own, told numbers hold, stretches are one recording."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.naming import Naming, Stretch, name_passages, stretch
from tools.speaker.recognisers.networks import FRAMES

Array = NDArray[np.float32]
BASE = np.eye(6, 192, dtype=np.float32)


def kept(vectors: Array, seconds: list[float], naming: Naming | None = None, lone: bool = False) -> Stretch:
    arrays: dict[str, NDArray[Any]] = {
        "vectors": vectors.astype(np.float16),
        "seconds": np.array(seconds, np.float32),
        "first": np.arange(len(vectors)),
        "activity": np.zeros((len(vectors), FRAMES, 3), np.uint8),
        "own": np.full((len(vectors), FRAMES, 3), -1, np.int16),
    }
    if lone:
        arrays["activity"][:, :, 1], arrays["own"][:, : FRAMES // 2, 1], arrays["own"][:, FRAMES // 2 :, 1] = 255, 0, 1
    return stretch(Voices("onnx", "5", 0, 1000, arrays), naming or Naming())


def named(vectors: Array, seconds: list[float], fewest: int = 1, most: int | None = None) -> list[int]:
    naming = Naming()
    found: list[int] = name_passages([kept(vectors, seconds)], naming, naming.bounds(fewest, most)).tolist()
    return found


def test_who_says_a_word_several_times_is_a_voice() -> None:
    assert len(set(named(BASE[[0, 0, 1, 1, 1]], [3, 3, 0.6, 0.6, 0.6]))) == 2


def test_a_word_that_is_somewhat_like_a_voice_is_that_voice_s() -> None:
    near = (BASE[0] * 0.3 + BASE[2] * np.sqrt(1 - 0.09))[None].astype(np.float32)
    assert named(np.concatenate([BASE[[0, 1]], near]), [3, 3, 0.9]) == [0, 1, 0]
    assert named(np.concatenate([BASE[[0, 1]], near]), [3, 3, 0.4]) == [0, 1, 0]


def test_a_word_that_is_like_no_voice_is_a_voice_and_a_sound_is_none() -> None:
    assert len(set(named(BASE[[0, 1, 2]], [3, 3, 0.9]))) == 3
    assert len(set(named(BASE[[0, 1, 2]], [3, 3, 0.7]))) == 2


def test_told_fewer_voices_join_and_words_are_placed_first() -> None:
    close = (BASE[0] * 0.5 + BASE[1] * np.sqrt(0.75))[None].astype(np.float32)
    vectors = np.concatenate([BASE[[0, 2, 3]], close])
    assert named(vectors, [5, 5, 0.9, 5], most=2)[:2] + named(vectors, [5, 5, 0.9, 5], most=2)[3:] == [0, 1, 0]
    assert len(set(named(vectors, [5, 5, 0.9, 5], fewest=4))) == 4


def test_the_only_voice_of_windows_is_sooner_one_voice() -> None:
    naming = Naming()
    far = (BASE[0] * 0.25 + BASE[1] * np.sqrt(1 - 0.0625))[None].astype(np.float32)
    vectors = np.concatenate([BASE[[0]], far, *[BASE[[2]]] * 6])
    for lone, count in ((False, 3), (True, 2)):
        found = name_passages([kept(vectors, [1.2] * 8, naming, lone)], naming, naming.bounds())
        assert len(set(found.tolist())) == count


def heard(count: int, seed: int) -> Stretch:
    rng = np.random.default_rng(seed)
    vectors = BASE[rng.integers(0, 4, count)] + rng.normal(0, 0.03, (count, 192))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return kept(vectors.astype(np.float32), rng.uniform(0, 4, count).tolist())


@settings(deadline=None)
@given(
    counts=st.lists(st.integers(0, 25), min_size=1, max_size=3),
    fewest=st.integers(1, 8),
    more=st.integers(0, 4),
    seed=st.integers(0, 1000),
)
def test_told_numbers_hold(counts: list[int], fewest: int, more: int, seed: int) -> None:
    naming = Naming()
    stretches = [heard(count, seed + n) for n, count in enumerate(counts)]
    found = name_passages(stretches, naming, naming.bounds(fewest, fewest + more))
    assert len(found) == sum(counts)
    assert min(fewest, sum(counts)) <= len(set(found.tolist())) <= fewest + more
    assert set(found.tolist()) == set(range(len(set(found.tolist()))))


@pytest.mark.parametrize("stretches", [1, 3])
def test_stretches_are_one_recording(stretches: int) -> None:
    naming = Naming()
    parts = [heard(60, seed) for seed in range(stretches)]
    found = name_passages(parts, naming, naming.bounds())
    owner = np.concatenate([part.vectors for part in parts])[:, :4].argmax(1)
    assert len(set(zip(found.tolist(), owner.tolist(), strict=True))) == len(set(found.tolist())) == 4


def test_nothing_has_no_voice() -> None:
    assert named(np.empty((0, 192), np.float32), []) == []
