"""A recording in stretches, each cut where it is quiet, so that no word is heard twice and none is halved.

The first stretches are short, so that questions can start early. A cut is looked for in the half minute after a
stretch's length; what lies behind the cut is heard with the next stretch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from store.record import Span, Turn, union
from tools.audio import RATE, Samples

LENGTHS_S = (60, 120, 300)
LENGTH_S = 600
SEARCH_S = 30
QUIET_MS = 300
PART_MS = 150_000  # longer parts leave one core idle at the end of a stretch, shorter ones leave windows half empty
LEAST_PART_MS = 30_000
NEAR_MS = 10_000


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


def recut(blocks: Iterable[Samples], spans: Sequence[tuple[int, int]]) -> Iterator[Stretch]:
    """Cut blocks that begin with the first span into these adjoining spans; the last one has what is there."""
    source = iter(blocks)
    held = np.empty(0, np.float32)
    for place, (t0, t1) in enumerate(spans, 1):
        wanted = (t1 - t0) * RATE // 1000
        held, _ = _filled(held, source, wanted)
        yield Stretch(t0, t1, held[:wanted], place == len(spans))
        held = held[wanted:]


def parts(stretch: Stretch, turns: Sequence[Turn] | None) -> list[Stretch]:
    """Cut a stretch into parts that can be heard side by side: in the longest silence near each edge, else quietly.

    Nobody's turns (None) are known where voices could not be heard.
    """
    length = stretch.t1 - stretch.t0
    count = max(min(2, length // LEAST_PART_MS), round(length / PART_MS), 1)
    speech = union(Span(turn.t0, turn.t1) for turn in turns or ())
    silences = [Span(one.t1, two.t0) for one, two in zip(speech, speech[1:], strict=False)]
    wanted = [stretch.t0 + length * place // count for place in range(1, count)]
    edges = [stretch.t0, *(_edge(stretch, silences, at) for at in wanted), stretch.t1]
    return [_part(stretch, t0, t1) for t0, t1 in zip(edges, edges[1:], strict=False)]


def _edge(stretch: Stretch, silences: Sequence[Span], wanted: int) -> int:
    low, high = wanted - NEAR_MS, wanted + NEAR_MS
    near = [Span(max(gap.t0, low), min(gap.t1, high)) for gap in silences if gap.t0 < high and gap.t1 > low]
    if near:
        best = max(near, key=lambda gap: (gap.duration, -gap.t0))
        return (best.t0 + best.t1) // 2
    begin, end = ((at - stretch.t0) * RATE // 1000 for at in (low, high))
    return stretch.t0 + quietest(stretch.samples[:end], begin) * 1000 // RATE


def _part(stretch: Stretch, t0: int, t1: int) -> Stretch:
    begin, end = ((at - stretch.t0) * RATE // 1000 for at in (t0, t1))
    last = t1 == stretch.t1
    return Stretch(t0, t1, stretch.samples[begin : None if last else end], stretch.last and last)


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
