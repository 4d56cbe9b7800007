"""Which frames of a window's local voice get one vector: short pieces of clean speech, joined where they sound alike.

The network sometimes puts two people into one local voice, above all where over three speak within ten seconds. A
vector of two seconds still tells voices apart: a local voice is cut into pieces and only what sounds alike is joined.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.clustering import Bounds, cluster
from tools.speaker.recognisers.networks import FRAME, FRAMES, RATE

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cutting:
    """Longest piece and shortest with its own vector, in seconds; pieces less alike than `apart` are two voices."""

    longest: float = 2.0
    shortest: float = 0.5
    apart: float = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One voice within one window: the frames that are its own (589,), its unit vector (192,), its clean seconds."""

    local: int
    frames: Mask
    vector: Array
    seconds: float


def units(activity: Array, voice: Callable[[Mask], Array | None], cutting: Cutting) -> list[Unit]:
    """Cut the local voices of a window (589, 3) into units; `voice` gives the vector of frames, None for too few."""
    speaking = activity > 0.5
    alone = speaking.sum(1) == 1
    heard = np.flatnonzero(speaking.any(0)).tolist()
    return [unit for local in heard for unit in _of_local(local, speaking[:, local], alone, voice, cutting)]


def _of_local(
    local: int, speaking: Mask, alone: Mask, voice: Callable[[Mask], Array | None], cutting: Cutting
) -> list[Unit]:
    clean = speaking & alone
    pieces = _cut(clean, cutting) or [clean] if _seconds(clean) >= cutting.shortest else [speaking]
    found = [(piece, vector) for piece in pieces if (vector := voice(piece)) is not None]
    if not found:
        return []
    seconds = np.array([_seconds(piece & clean) for piece, _ in found], np.float32)
    vectors = np.stack([vector for _, vector in found])
    labels = cluster(vectors, seconds + np.float32(0.05), Bounds(cutting.apart), cutting.apart)
    nearest = _nearest([piece for piece, _ in found])
    made: list[Unit] = []
    for label in range(int(labels.max()) + 1):
        mean = np.average(vectors[labels == label], axis=0, weights=seconds[labels == label] + 0.05)
        frames = np.isin(nearest, np.flatnonzero(labels == label))
        made.append(Unit(local, frames, mean / np.linalg.norm(mean), float(seconds[labels == label].sum())))
    return made


def _cut(clean: Mask, cutting: Cutting) -> list[Mask]:
    """Give the runs that are long enough, long ones in equal parts."""
    pieces: list[Mask] = []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], clean, [False]]).astype(np.int8)))
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        seconds = (end - start) * FRAME / RATE
        if seconds < cutting.shortest:
            continue
        cuts = np.linspace(start, end, int(np.ceil(seconds / cutting.longest)) + 1).round().astype(int).tolist()
        for begin, stop in zip(cuts[:-1], cuts[1:], strict=True):
            piece = np.zeros(FRAMES, bool)
            piece[begin:stop] = True
            pieces.append(piece)
    return pieces


def _nearest(pieces: list[Mask]) -> NDArray[np.int64]:
    """Give for each frame the piece that holds it, else the nearest in time."""
    frames = np.arange(FRAMES)
    gaps = []
    for piece in pieces:
        held = np.flatnonzero(piece)
        after = np.searchsorted(held, frames).clip(max=len(held) - 1)
        before = (after - 1).clip(min=0)
        gaps.append(np.minimum(np.abs(held[after] - frames), np.abs(held[before] - frames)))
    nearest: NDArray[np.int64] = np.stack(gaps).argmin(0)
    return nearest


def _seconds(mask: Mask) -> float:
    return float(mask.sum()) * FRAME / RATE
