"""Ten minutes at a time, each chunk beginning half a minute before the last one ends, by the clock.

Models that hear lose their place near the eighteenth minute; five minutes are no better and tell voices apart worse.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.record import Span

Samples = NDArray[np.float32]
RATE = 16_000
LENGTH_MS = 600_000
OVERLAP_MS = 30_000
_STEP = (LENGTH_MS - OVERLAP_MS) * RATE // 1000
_LENGTH = LENGTH_MS * RATE // 1000


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """The samples of [t0, t1) in milliseconds, mono at 16 kHz; `number` counts from 0."""

    number: int
    t0: int
    t1: int
    samples: Samples

    @property
    def span(self) -> Span:
        """When it is."""
        return Span(self.t0, self.t1)


def plan(duration_ms: int) -> list[Span]:
    """Give where the chunks of a recording lie: 0-10:00, 9:30-19:30, 19:00-29:00, the last one as long as is left."""
    starts = range(0, max(duration_ms - OVERLAP_MS, 1), LENGTH_MS - OVERLAP_MS)
    return [Span(start, min(start + LENGTH_MS, duration_ms)) for start in starts]


def cut(blocks: Iterable[Samples]) -> Iterator[Chunk]:
    """Cut blocks of a recording into its chunks; no more than one chunk and one block are held."""
    held: list[Samples] = []
    size = number = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        while size > _LENGTH:  # what is left must be more than the overlap
            whole = np.concatenate(held)
            yield _chunk(number, whole[:_LENGTH])
            held, number = [whole[_STEP:].copy()], number + 1
            size -= _STEP
    if size:
        yield _chunk(number, np.concatenate(held))


def _chunk(number: int, samples: Samples) -> Chunk:
    t0 = number * (LENGTH_MS - OVERLAP_MS)
    return Chunk(number, t0, t0 + -(-len(samples) * 1000 // RATE), samples)
