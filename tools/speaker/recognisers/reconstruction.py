"""From labelled windows back to one timeline: at each frame as many voices as the windows count, the strongest ones.

Windows overlap, so a frame is judged by several of them; their probabilities are averaged, and rounding the mean count
keeps overlapped speech that one decision per frame would lose. Works block by block, whatever the recording's length.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.networks import FRAME, FRAMES, LEAD

BLOCK = 20_000
Array = NDArray[np.float32]
Run = tuple[int, int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """All windows of a recording in order: the first frame of each (n,), how many voices there are, and what one hears.

    `of` gives a window's probabilities (589, 3) as 0..255, and its voices or -1: hours of windows are never laid out.
    """

    first: NDArray[np.int64]
    voices: int
    of: Callable[[int], tuple[NDArray[np.uint8], NDArray[np.int64]]]


@dataclass(frozen=True, slots=True)
class Rounding:
    """A count is rounded up from `1 - up` on; a voice's gaps up to `fill_ms` are closed, turns under `least_ms` go."""

    up: float = 0.5
    fill_ms: int = 0
    least_ms: int = 0


def timeline(windows: Windows, rounding: Rounding) -> list[Run]:
    """Give (t0, t1, voice, mean probability) of every turn in milliseconds, ordered by voice and time."""
    runs: list[list[Run]] = [[] for _ in range(windows.voices)]
    for begin, strength, speaking in _blocks(windows, rounding.up):
        for voice in range(windows.voices):
            for t0, t1, mean in _runs(begin, strength[:, voice], speaking[:, voice]):
                _append(runs[voice], (t0, t1, voice, mean), rounding.fill_ms)
    return [run for voice in runs for run in voice if run[1] - run[0] >= max(1, rounding.least_ms)]


def _blocks(windows: Windows, up: float) -> Iterator[tuple[int, Array, NDArray[np.bool_]]]:
    if not windows.voices:
        return
    last = int(windows.first.max()) + FRAMES
    for begin in range(int(windows.first.min()), last, BLOCK):
        end = min(last, begin + BLOCK)
        inside = np.flatnonzero((windows.first < end) & (windows.first + FRAMES > begin))
        strength, cover = np.zeros((end - begin, windows.voices), np.float32), np.zeros(end - begin, np.float32)
        for index in inside:
            _add(windows, int(index), begin, end, strength, cover)
        strength /= np.maximum(cover, 1)[:, None]
        yield begin, strength, _strongest(strength, up)


def _add(windows: Windows, index: int, begin: int, end: int, strength: Array, cover: Array) -> None:
    first = int(windows.first[index])
    here = slice(max(first, begin) - begin, min(first + FRAMES, end) - begin)
    there = slice(max(first, begin) - first, min(first + FRAMES, end) - first)
    activity, voices = windows.of(index)
    for local in range(3):
        label, share = voices[there, local], activity[there, local] / np.float32(255)
        held = np.flatnonzero(label >= 0)
        strength[here][held, label[held]] += share[held]
    cover[here] += 1


def _strongest(strength: Array, up: float) -> NDArray[np.bool_]:
    wanted = np.floor(strength.sum(1) + up)
    order = np.argsort(-strength, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(strength.shape[1])[None].repeat(len(strength), 0), 1)
    speaking: NDArray[np.bool_] = (rank < wanted[:, None]) & (strength > 0.1)
    return speaking


def _runs(begin: int, strength: Array, speaking: NDArray[np.bool_]) -> Iterator[tuple[int, int, float]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], speaking, [False]]).astype(np.int8)))
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        # Two of a window's voices may be one: their activities add up, a score does not.
        yield milliseconds(begin + start), milliseconds(begin + end), float(np.minimum(strength[start:end], 1).mean())


def milliseconds(frame: int) -> int:
    """Give when a frame begins."""
    return (frame * FRAME + LEAD) // 16


def _append(runs: list[Run], run: Run, fill_ms: int) -> None:
    """Add a run, or lengthen the last one when the gap between them is small; the score stays the mean over time."""
    if runs and run[0] - runs[-1][1] <= fill_ms:
        old = runs[-1]
        one, two = old[1] - old[0], run[1] - run[0]
        runs[-1] = (old[0], run[1], run[2], (old[3] * one + run[3] * two) / max(1, one + two))
    else:
        runs.append(run)
