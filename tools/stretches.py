"""A recording in stretches, each cut where it is quiet, so that no word is heard twice and none is halved.

The first stretches are short, so that questions can start early. A cut is looked for in the half minute after a
stretch's length; what lies behind the cut is heard with the next stretch.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tools.audio import RATE, Samples

LENGTHS_S = (60, 120, 300)
LENGTH_S = 600
SEARCH_S = 30
QUIET_MS = 300


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Mono 16 kHz samples of [t0, t1) in milliseconds; `last` when the recording ends with it."""

    t0: int
    t1: int
    samples: Samples
    last: bool


def stretches(blocks: Iterable[Samples], start_ms: int, heard: int) -> Iterator[Stretch]:
    """Cut blocks that begin at start_ms into stretches; `heard` is the number of stretches before it."""
    source = iter(blocks)
    held = np.empty(0, np.float32)
    t0, ended = start_ms, False
    while not ended:
        length = (LENGTHS_S[heard] if heard < len(LENGTHS_S) else LENGTH_S) * RATE
        held, ended = _filled(held, source, length + SEARCH_S * RATE)
        cut = len(held) if ended else quietest(held[: length + SEARCH_S * RATE], length)
        t1 = t0 + _ms(cut, ended)
        if cut:
            yield Stretch(t0, t1, held[:cut], ended)
        held, t0, heard = held[cut:], t1, heard + 1


def quietest(samples: Samples, after: int) -> int:
    """Give the sample after `after`, on a whole millisecond, around which it is quietest for a third of a second."""
    window = QUIET_MS * RATE // 1000
    loudness = np.cumsum(np.square(samples[after:], dtype=np.float64))
    energy = loudness[window:] - loudness[:-window]
    grain = RATE // 1000
    return (after + int(np.argmin(energy)) + window // 2) // grain * grain


def _filled(held: Samples, source: Iterator[Samples], wanted: int) -> tuple[Samples, bool]:
    parts, size = [held], len(held)
    for block in source:
        parts.append(block)
        size += len(block)
        if size >= wanted:
            return np.concatenate(parts), False
    return np.concatenate(parts), True


def _ms(samples: int, ended: bool) -> int:
    return -(-samples * 1000 // RATE) if ended else samples * 1000 // RATE
