"""The vectors of passages: what CAM++ makes of one by itself, and of the ten seconds it lies in, in equal parts.

CAM++ weighs what it hears by what it hears around it: in ten seconds of talk, the voices next to a short turn leak into
it, while a short turn by itself says little. The two err differently, and their mean errs least.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.chunks import CENTRE, Chunks
from tools.speaker.recognisers.networks import FRAME, HOP, LEAD, Networks

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
ROWS = 50  # CAM++ frames a second
STEP = 5  # of them, from one place where a passage may be parted to the next
LEAST_ROWS, LEAST_MEL = 12, 50  # that make a vector


@dataclass(frozen=True, slots=True)
class Parting:
    """What was chosen on development readers: cosines and seconds.

    A passage is parted where the `around` seconds before and after are less alike than `unlike`, and where they are
    least alike when it is over `longest`; no part is under `shortest`.
    """

    unlike: float = 0.45
    around: float = 1.0
    shortest: float = 0.8
    longest: float = 4.0


class Sound:
    """What is heard of one stretch (mel energies (n, 80)), asked for in order of time; frames are the windows'."""

    def __init__(self, networks: Networks, mel: Array, parting: Parting) -> None:
        self._networks = networks
        self._mel = mel
        self._parting = parting
        self._chunks = Chunks(networks, mel)

    def parted(self, frames: Labels) -> list[Labels]:
        """Cut the frames of one passage where it sounds unlike itself, or is too long."""
        rows, places = self._rows(frames)
        vectors = _Ranges(self._networks, rows)
        cuts = sorted(self._cuts(vectors, 0, len(rows)))
        return np.split(frames, np.searchsorted(frames, places[cuts]).tolist())

    def vector(self, frames: Labels) -> Array | None:
        """Give the unit vector (192,) of a passage, None where it is too short."""
        rows, _ = self._rows(frames)
        if len(rows) < LEAST_ROWS:
            return None
        shared, alone = self._networks.vector(rows), self.alone(frames)
        made: Array = shared if alone is None else (shared + alone) / np.linalg.norm(shared + alone)
        return made

    def alone(self, frames: Labels) -> Array | None:
        """Give the unit vector of frames heard by themselves, None where they are too few."""
        mel = self._mel[_at(np.arange(len(self._mel)) * HOP + CENTRE, frames)]
        return self._networks.voice(mel) if len(mel) >= LEAST_MEL else None

    def _rows(self, frames: Labels) -> tuple[Array, Labels]:
        """Give what CAM++ makes of the ten seconds around, at these frames, and the frame of each row."""
        begin, end = int(frames[0]) * FRAME + LEAD, int(frames[-1] + 1) * FRAME + LEAD
        rows, middles = self._chunks.between(begin, end)
        held = _at(middles, frames)
        return rows[held], (middles[held] - LEAD) // FRAME

    def _cuts(self, vectors: "_Ranges", begin: int, end: int) -> list[int]:
        shortest, around = (round(ROWS * s) for s in (self._parting.shortest, self._parting.around))
        places = np.arange(begin + shortest, end - shortest + 1, STEP)
        if not len(places):
            return []
        before = vectors.of(np.maximum(begin, places - around), places)
        alike = (before * vectors.of(places, np.minimum(end, places + around))).sum(1)
        best = int(alike.argmin())
        if alike[best] >= self._parting.unlike and end - begin <= ROWS * self._parting.longest:
            return []
        cut = int(places[best])
        return [*self._cuts(vectors, begin, cut), cut, *self._cuts(vectors, cut, end)]


class _Ranges:
    """The unit vectors of many parts of the same rows (n, 512)."""

    def __init__(self, networks: Networks, rows: Array) -> None:
        self._networks = networks
        wide = rows.astype(np.float64)
        self._sums = np.concatenate([np.zeros((1, 1024)), np.cumsum(np.concatenate([wide, wide**2], 1), 0)])

    def of(self, begin: Labels, end: Labels) -> Array:
        """Give the vectors (m, 192) of rows begin..end, two or more."""
        count = (end - begin)[:, None]
        mean, square = np.split((self._sums[end] - self._sums[begin]) / count, 2, axis=1)
        spread = np.sqrt(np.maximum(0, square - mean**2) * count / (count - 1))
        return self._networks.dense(np.concatenate([mean, spread], 1).astype(np.float32))


def _at(middles: Labels, frames: Labels) -> NDArray[np.bool_]:
    """Say which sample places lie in one of the frames."""
    made: NDArray[np.bool_] = np.isin((middles - LEAD) // FRAME, frames)
    return made
