"""What listens again: a Protocol, so that a question needs no recogniser until something is about to be denied."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

HEARD = 0.5
"""From here on a term counts as heard."""


class Ear(Protocol):
    """Hears one stretch for certain words."""

    def hear(self, samples: NDArray[np.float32], terms: Sequence[str]) -> Mapping[str, float]:
        """Give for each term how surely it is said in samples (16 kHz mono, at most 30 s), 0 to 1; HEARD is enough."""
        ...


MakeEar = Callable[[], Ear]
"""Loads an ear when it is first needed; MissingWeights says what it lacks."""
