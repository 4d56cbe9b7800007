"""Cutting a window's local voices: alike pieces are one unit, two people in one local voice are two."""

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.networks import FRAMES
from tools.speaker.recognisers.pieces import Cutting, Mask, pieces

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
    found = pieces(activity, Voice(np.zeros(FRAMES, np.int64)), Cutting())
    assert len(found) == 12
    assert max(piece.seconds for piece in found) <= Cutting().longest
    assert {(piece.local, piece.unit) for piece in found} == {(1, 0)}
    assert np.sum([piece.frames for piece in found], axis=0).tolist() == [1] * FRAMES
    assert abs(sum(piece.seconds for piece in found) - 450 * 270 / 16_000) < 0.01


def test_two_people_in_one_local_voice_are_two_units() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[0:480, 0] = 0.9
    owner = np.where(np.arange(FRAMES) < 240, 0, 1)
    found = pieces(activity, Voice(owner), Cutting())
    assert {piece.unit for piece in found} == {0, 1}
    one = np.flatnonzero(np.any([piece.frames for piece in found if piece.unit == 0], axis=0))
    assert abs(int(one.max()) - 240) <= 60
    assert np.sum([piece.frames for piece in found], axis=0).tolist() == [1] * FRAMES


def test_people_who_take_turns_of_a_second_in_one_local_voice_share_no_unit() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[:, 2] = 0.9
    owner = np.arange(FRAMES) // 62 % 3
    found = pieces(activity, Voice(owner), Cutting())
    share = np.stack([np.bincount(owner[piece.frames], minlength=3) / piece.frames.sum() for piece in found])
    pure: dict[int, set[int]] = {piece.unit: set() for piece in found}
    for piece, whose in zip(found, share, strict=True):
        if whose.max() > 0.9:
            pure[piece.unit].add(int(whose.argmax()))
    assert all(len(people) <= 1 for people in pure.values())
    assert {person for people in pure.values() for person in people} == {0, 1, 2}


def test_units_are_numbered_over_the_whole_window() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[0:200, 0] = activity[250:400, 2] = 0.9
    owner = np.where(np.arange(FRAMES) < 240, 0, 1)
    assert {(piece.local, piece.unit) for piece in pieces(activity, Voice(owner), Cutting())} == {(0, 0), (2, 1)}


def test_overlapped_speech_is_kept_out_of_vectors() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[0:300, 0] = activity[200:500, 1] = 1
    asked: list[Mask] = []

    def voice(frames: Mask) -> Array | None:
        asked.append(frames)
        same: Array = np.eye(1, 192, dtype=np.float32)[0]
        return same

    assert {piece.unit for piece in pieces(activity, voice, Cutting())} == {0, 1}
    assert not any(mask[200:300].any() for mask in asked)


def test_a_voice_too_short_for_a_vector_has_no_unit() -> None:
    activity = np.zeros((FRAMES, 3), np.float32)
    activity[100:110, 2] = 1
    assert pieces(activity, Voice(np.zeros(FRAMES, np.int64)), Cutting()) == []


def test_silence_has_no_units() -> None:
    assert pieces(np.zeros((FRAMES, 3), np.float32), Voice(np.zeros(FRAMES, np.int64)), Cutting()) == []
