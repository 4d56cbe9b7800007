"""Vectors in steps of one byte: what hours of speech leave in memory, a quarter of its floats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
GRAIN = 256  # steps of a vector's numbers: it moves by a cosine of 0.9998
_MOST = 127


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Rows (n, d) of whole numbers; row times `size` is the vector."""

    rows: NDArray[np.int8]
    size: float

    @classmethod
    def of(cls, vectors: Array) -> "Steps":
        """Give vectors in steps of 1 / GRAIN, as they were rounded to, or in larger ones where a byte asks for it."""
        size = max(1 / GRAIN, float(np.abs(vectors).max(initial=0)) / _MOST)
        return cls(np.rint(vectors / np.float32(size)).astype(np.int8), size)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many vectors of how many numbers."""
        return self.rows.shape

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: "slice | NDArray[np.int64]") -> Array:
        made: Array = self.rows[which].astype(np.float32) * np.float32(self.size)
        return made
