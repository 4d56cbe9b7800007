"""CAM++'s frames of a stretch: ten seconds are heard at once, when a passage first asks for them.

All passages share them, so that what one sounds like from one second to the next costs no run of the network.
"""

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.networks import HOP, LENGTH, RATE, Networks

Array = NDArray[np.float32]
CHUNK = 10 * RATE // HOP  # mel energies that are heard at once
LEAST = 25  # mel energies that tell anything
CENTRE = LENGTH // 2  # samples from where mel energies begin to their middle


class Chunks:
    """The frames of one stretch's mel energies (n, 80); asked for in order, each chunk is heard once."""

    def __init__(self, networks: Networks, mel: Array) -> None:
        self._networks = networks
        self._mel = mel
        self._heard: dict[int, Array] = {}

    def between(self, begin: int, end: int) -> tuple[Array, NDArray[np.int64]]:
        """Give the frames (n, 512) whose middle lies in samples begin..end, and these middles."""
        count = len(self._mel) // 2 if len(self._mel) >= LEAST else 0
        middles = np.arange(count) * 2 * HOP + CENTRE
        first, after = np.searchsorted(middles, (begin, end)).tolist()
        if first == after:
            return np.empty((0, 512), np.float32), middles[:0]
        half = CHUNK // 2
        parts = [
            self._chunk(number)[max(0, first - number * half) : after - number * half]
            for number in range(first // half, (after - 1) // half + 1)
        ]
        return np.concatenate(parts), middles[first:after]

    def _chunk(self, number: int) -> Array:
        """Give a chunk's frames; the last one is heard with what comes before it, as long as any other."""
        if number not in self._heard:
            self._heard = {old: frames for old, frames in self._heard.items() if old >= number - 1}
            last = max(0, len(self._mel) - CHUNK) // 2 * 2
            begin = min(number * CHUNK, last)
            frames = self._networks.frames(self._mel[begin : begin + CHUNK])
            self._heard[number] = frames[(number * CHUNK - begin) // 2 :]
        return self._heard[number]
