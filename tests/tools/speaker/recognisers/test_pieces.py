"""Cutting a window's local voices: alike pieces stay one, two people in one local voice become two."""

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.networks import FRAMES
from tools.speaker.recognisers.pieces import Cutting, Mask, units

Array = NDArray[np.float32]


class Voice:
    """Gives the mean of the true voices in some frames, as a real network nearly does."""

    def __init__(self, owner: NDArray[np.int64]) -> None:
        self.owner = owner

    def __call__(self, frames: Mask) -> Array | None:
        if frames.sum() < 24:
            return None
        share = np.eye(5, 192, dtype=np.float32)[self.owner[frames]].mean(0)
        made: Array = share / np.linalg.norm(share)
        return made


def test_one_voice_with_pauses_is_one_unit() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[20:250, 1] = activity[280:500, 1] = 0.9
    (unit,) = units(activity, Voice(np.zeros(FRAMES, np.int64)), Cutting())
    assert unit.local == 1
    assert unit.frames.all()
    assert abs(unit.seconds - 450 * 270 / 16_000) < 0.01


def test_two_people_in_one_local_voice_are_two_units() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[0:480, 0] = 0.9
    owner = np.where(np.arange(FRAMES) < 240, 0, 1)
    found = units(activity, Voice(owner), Cutting())
    assert len(found) == 2
    one, two = (np.flatnonzero(unit.frames) for unit in found)
    assert abs(int(one.max()) - 240) <= 60
    assert set(one.tolist()).isdisjoint(two.tolist())
    assert len(one) + len(two) == FRAMES


def test_overlapped_speech_is_kept_out_of_vectors() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[0:300, 0] = activity[200:500, 1] = 1
    asked: list[Mask] = []

    def voice(frames: Mask) -> Array | None:
        asked.append(frames)
        same: Array = np.eye(1, 192, dtype=np.float32)[0]
        return same

    assert len(units(activity, voice, Cutting())) == 2
    assert not any(mask[200:300].any() for mask in asked)


def test_a_voice_too_short_for_a_vector_has_no_unit() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[100:110, 2] = 1
    assert units(activity, Voice(np.zeros(FRAMES, np.int64)), Cutting()) == []


def test_silence_has_no_units() -> None:
    assert units(np.zeros((FRAMES, 3), np.float32), Voice(np.zeros(FRAMES, np.int64)), Cutting()) == []
