"""Where one voice speaks alone: passages, each heard once and by itself, whatever windows lie over it.

Eight windows hear every moment. Where most of them hear exactly one voice, one speaks; where some hear another begin, a
passage ends. But a window tells three voices apart, and takes a fourth for one of them; so what no window parts is
compared with itself from one second to the next, and parted where it sounds unlike.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAME, FRAMES, RATE

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]
HALF = 127  # of 255: a probability


@dataclass(frozen=True, slots=True)
class Cutting:
    """What was chosen on development readers.

    A frame is in a passage when `clean` of its windows hear one voice, and over `seen` of them, and never only one,
    hear no other begin within `near` frames. A passage has pauses of up to `pause` frames.
    """

    clean: float = 0.5
    seen: float = 0.25
    near: int = 6
    pause: int = 30


def passages(first: Labels, activity: NDArray[np.uint8], cutting: Cutting) -> Iterator[Labels]:
    """Give the frames of each passage of windows (n, 589, 3) that begin at frames `first`, as windows part them."""
    if not len(first):
        return
    alone, changes, cover = _heard(first, activity, cutting.near)
    frames = np.flatnonzero(alone >= cutting.clean * np.maximum(cover, 1))
    if not len(frames):
        return
    parts = np.cumsum(_cuts(changes, changes > np.maximum(1, cutting.seen * cover)))[frames]
    ends = (np.diff(frames) > cutting.pause + 1) | (np.diff(parts) > 0)
    yield from np.split(frames, np.flatnonzero(ends) + 1)


def owners(first: Labels, activity: NDArray[np.uint8], whose: Labels) -> Labels:
    """Give the passage that each window's local voices belong to at each frame (n, 589, 3), -1 for none.

    Where a local voice speaks alone in a passage, it is that; elsewhere it is its nearest passage in the window.
    """
    own = np.full(activity.shape, -1)
    speaking = activity > HALF
    frames = np.arange(FRAMES)
    for window, alone in enumerate(speaking.sum(2) == 1):
        here = whose[first[window] : first[window] + FRAMES]
        for local in np.flatnonzero(speaking[window].any(0)).tolist():
            held = np.flatnonzero(alone & speaking[window, :, local] & (here >= 0))
            if len(held):
                own[window, :, local] = here[held[_nearest(held, frames)]]
    return own


def _nearest(held: Labels, frames: Labels) -> Labels:
    after = np.searchsorted(held, frames).clip(max=len(held) - 1)
    before = (after - 1).clip(min=0)
    made: Labels = np.where(np.abs(held[after] - frames) < np.abs(held[before] - frames), after, before)
    return made


def _heard(first: Labels, activity: NDArray[np.uint8], near: int) -> tuple[Labels, Labels, Labels]:
    """Count for each frame the windows that hear one voice alone, those that hear another begin nearby, and all."""
    speaking = activity > HALF
    alone, changes, cover = np.zeros((3, int(first.max()) + FRAMES + near), np.int64)
    for begin, clean, local in zip(first.tolist(), speaking.sum(2) == 1, speaking.argmax(2), strict=True):
        cover[begin : begin + FRAMES] += 1
        alone[begin : begin + FRAMES] += clean
        held = np.flatnonzero(clean)
        seen = np.zeros(len(changes), bool)
        for turn in np.flatnonzero(np.diff(local[held])).tolist():
            seen[max(0, begin + int(held[turn]) + 1 - near) : begin + int(held[turn + 1]) + near] = True
        changes += seen
    return alone, changes, cover


def _cuts(changes: Labels, seen: Mask) -> Mask:
    """Mark the middle of where most windows hear the change, once in each part where one is seen."""
    cuts = np.zeros(len(changes), bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], seen, [False]]).astype(np.int8))).tolist()
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        most = np.flatnonzero(changes[begin:end] == changes[begin:end].max())
        cuts[begin + int(most.mean())] = True
    return cuts


def halved(voices: Voices) -> Voices:
    """Give a stretch with two passages for every one, the earlier and the later half of its time."""
    own, first, seconds = (voices.arrays[name] for name in ("own", "first", "seconds"))
    frame = np.broadcast_to((first[:, None] + np.arange(FRAMES))[:, :, None], own.shape)
    held = (own >= 0) & (voices.arrays["activity"] > HALF)
    last = int(frame.max(initial=0))
    begin, end = np.full(len(seconds), last), np.zeros(len(seconds), np.int64)
    np.minimum.at(begin, own[held], frame[held])
    np.maximum.at(end, own[held], frame[held])
    later = frame > ((begin + end) // 2)[own] if len(seconds) else np.zeros(own.shape, bool)
    made = np.where(own < 0, -1, 2 * own.astype(np.int64) + later)
    twice = {
        name: np.repeat(voices.arrays[name], 2, axis=0)
        for name in ("vectors", "seconds", "share")
        if name in voices.arrays
    }
    arrays = {**voices.arrays, **twice, "own": made, "seconds": twice["seconds"] / 2}
    return replace(voices, arrays=arrays)


def seconds_of(frames: Labels) -> float:
    """Give how long so many frames are."""
    return len(frames) * FRAME / RATE
