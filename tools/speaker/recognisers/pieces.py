"""Which frames of a window's local voice get one vector: short pieces of clean speech, and which of them sound alike.

The network sometimes puts two people into one local voice, above all where over three speak within ten seconds or a
turn is short. A vector of under a second still tells voices apart: a local voice is cut into pieces, and only those
that surely sound alike are one unit when voices are counted: what is one voice can be joined later, two that were
taken for one are never told apart again. The pieces are kept, since the voices of the whole recording judge them best.
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
    """Longest piece and shortest with its own vector, in seconds; pieces less alike than `apart` are two units.

    Likeness is corrected for `doubt_seconds`, as in `Bounds`.
    """

    longest: float = 0.7
    shortest: float = 0.3
    apart: float = 0.7
    doubt_seconds: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Part of a local voice: its frames (589,), unit vector (192,), clean seconds; pieces of one `unit` sound alike."""

    local: int
    unit: int
    frames: Mask
    vector: Array
    seconds: float


def pieces(activity: Array, voice: Callable[[Mask], Array | None], cutting: Cutting) -> list[Piece]:
    """Cut the local voices of a window (589, 3) into pieces; `voice` gives the vector of frames, None for too few."""
    speaking = activity > 0.5
    alone = speaking.sum(1) == 1
    made: list[Piece] = []
    for local in np.flatnonzero(speaking.any(0)).tolist():
        first = 1 + max((piece.unit for piece in made), default=-1)
        made += _of_local(local, first, speaking[:, local], alone, voice, cutting)
    return made


def _of_local(
    local: int, first: int, speaking: Mask, alone: Mask, voice: Callable[[Mask], Array | None], cutting: Cutting
) -> list[Piece]:
    clean = speaking & alone
    cut = _cut(clean, cutting) or [clean] if _seconds(clean) >= cutting.shortest else [speaking]
    found = [(piece, vector) for piece in cut if (vector := voice(piece)) is not None]
    if not found:
        return []
    seconds = np.array([_seconds(piece & clean) for piece, _ in found], np.float32)
    vectors = np.stack([vector for _, vector in found])
    bounds = Bounds(cutting.apart, doubt=cutting.doubt_seconds)
    labels = cluster(vectors, seconds + np.float32(0.05), bounds, cutting.apart)
    nearest = _nearest([piece for piece, _ in found])
    return [
        Piece(local, first + int(label), nearest == number, vector, float(length))
        for number, (label, vector, length) in enumerate(zip(labels, vectors, seconds, strict=True))
    ]


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
