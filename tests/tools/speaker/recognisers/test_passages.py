"""Passages of windows: one for each voice that speaks alone, and each local voice's frames belong to its own."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAMES
from tools.speaker.recognisers.passages import Cutting, halved, owners, passages

STEP = 74
Spoken = list[tuple[int, int, int]]


def windows(spoken: Spoken, count: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Give windows that hear (begin, end, who) perfectly; their local voices are numbered by who begins first there."""
    first = np.arange(count) * STEP
    activity = np.zeros((count, FRAMES, 3), np.uint8)
    for window, begin in enumerate(first.tolist()):
        order: list[int] = []
        for start, end, who in sorted(spoken):
            start, end = max(0, start - begin), min(FRAMES, end - begin)
            if start < end:
                order += [] if who in order else [who]
                activity[window, start:end, order.index(who)] = 255
    return first, activity


def found(spoken: Spoken, count: int = 8) -> list[tuple[int, int]]:
    runs = passages(*windows(spoken, count), Cutting())
    return [(int(run[0]), int(run[-1]) + 1) for run in runs]


def test_a_passage_ends_where_another_voice_begins() -> None:
    (first, second) = found([(100, 300, 0), (300, 480, 1)])
    assert first[0] == 100
    assert second[1] == 480
    assert abs(first[1] - 300) <= 3
    assert first[1] == second[0]


def test_a_short_pause_of_one_voice_ends_none_and_a_long_one_does() -> None:
    assert found([(100, 200, 0), (220, 300, 0)]) == [(100, 300)]
    assert found([(100, 200, 0), (240, 300, 0)]) == [(100, 200), (240, 300)]


def test_what_two_say_at_once_is_in_no_passage() -> None:
    assert found([(100, 300, 0), (260, 480, 1)]) == [(100, 260), (300, 480)]


def test_silence_has_no_passage() -> None:
    assert found([]) == []
    assert list(passages(np.empty(0, np.int64), np.empty((0, FRAMES, 3), np.uint8), Cutting())) == []


def test_each_local_voice_is_its_own_passages_and_the_nearest_elsewhere() -> None:
    first, activity = windows([(100, 300, 0), (260, 480, 1)], 4)
    whose = np.full(int(first[-1]) + FRAMES, -1)
    whose[100:260], whose[300:480] = 0, 1
    own = owners(first, activity, whose)
    assert set(own[0, 100:300, 0].tolist()) == {0}
    assert set(own[0, 260:480, 1].tolist()) == {1}
    assert set(own[3, 300 - 3 * STEP : 480 - 3 * STEP, 1].tolist()) == {1}
    assert (own[:, :, 2] == -1).all()


def test_a_voice_that_speaks_only_under_another_has_no_passage() -> None:
    first, activity = windows([(100, 400, 0), (200, 300, 1)], 2)
    whose = np.full(int(first[-1]) + FRAMES, -1)
    whose[100:200] = whose[300:400] = 0
    assert (owners(first, activity, whose)[:, :, 1] == -1).all()


@pytest.mark.parametrize("times", [1, 3])
def test_halves_share_a_passage_s_time_and_vector(times: int) -> None:
    first, activity = windows([(100, 300, 0)], 1)
    arrays: dict[str, NDArray[Any]] = {
        "first": first + 1000,
        "activity": activity,
        "own": np.where(activity > 0, 0, -1).astype(np.int16),
        "vectors": np.eye(1, 192, dtype=np.float16),
        "seconds": np.array([4], np.float32),
    }
    made = Voices("onnx", "5", 0, 10_000, arrays)
    for _ in range(times):
        made = halved(made)
    assert len(made.arrays["vectors"]) == len(made.arrays["seconds"]) == 2**times
    assert made.arrays["seconds"].sum() == 4
    held = np.bincount(made.arrays["own"][made.arrays["own"] >= 0], minlength=2**times)
    assert held.sum() == 200
    assert held.max() - held.min() <= times
    assert (made.arrays["own"] < 0).sum() == (arrays["own"] < 0).sum()
