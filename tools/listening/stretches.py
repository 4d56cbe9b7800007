"""A recording in stretches, each cut where it is quiet; about a cut there is a margin of sound on both sides.

The first stretches are short, so that questions can start early. A cut is looked for in the half minute after a
stretch's length; what lies behind the cut is heard with the next stretch. The margins are for words that a cut halves.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from store.record import Span, Turn, union
from tools.media.audio import RATE, Samples
from tools.transcript.windows import MARGIN_MS

LENGTHS_S: tuple[int, ...] = (60, 120, 300)
LENGTH_S = 600
SEARCH_S = 30
QUIET_MS = 300
PART_MS = 150_000  # longer parts leave one core idle at the end of a stretch, shorter ones leave windows half empty
LEAST_PART_MS = 30_000
NEAR_MS = 10_000
TOUCHES_MS = 1_000
_MARGIN = MARGIN_MS * RATE // 1000


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Mono 16 kHz samples of [t0, t1) in milliseconds, and of up to a margin before and after.

    `last` when the recording ends with it.
    """

    t0: int
    t1: int
    samples: Samples
    last: bool
    before: Samples = field(default_factory=lambda: np.empty(0, np.float32))
    after: Samples = field(default_factory=lambda: np.empty(0, np.float32))

    @property
    def reach(self) -> Span:
        """From the first sample before to the last one after."""
        return Span(self.t0 - len(self.before) * 1000 // RATE, self.t1 + len(self.after) * 1000 // RATE)

    @property
    def around(self) -> Samples:
        """The samples of its reach."""
        return np.concatenate([self.before, self.samples, self.after])


def lead_ms(start_ms: int) -> int:
    """Give how much earlier than start_ms the blocks of stretches must begin."""
    return min(MARGIN_MS, start_ms)


def stretches(blocks: Iterable[Samples], start_ms: int, heard: int) -> Iterator[Stretch]:
    """Cut blocks into stretches from start_ms on; they begin by `lead_ms` before, `heard` stretches lie there."""
    source = iter(blocks)
    before, held = _lead(source, start_ms)
    t0, ended = start_ms, False
    while not ended:
        length = (LENGTHS_S[heard] if heard < len(LENGTHS_S) else LENGTH_S) * RATE
        held, ended = _filled(held, source, length + SEARCH_S * RATE + _MARGIN)
        over = ended and len(held) < length + SEARCH_S * RATE
        cut = len(held) if over else quietest(held[: length + SEARCH_S * RATE], length)
        t1 = t0 + _ms(cut, over)
        if cut:
            yield Stretch(t0, t1, held[:cut], over, before, held[cut : cut + _MARGIN])
        before, held, t0, heard, ended = _last(before, held[:cut]), held[cut:], t1, heard + 1, over


def recut(blocks: Iterable[Samples], spans: Sequence[tuple[int, int]]) -> Iterator[Stretch]:
    """Cut blocks into these adjoining spans, as `stretches` did; the last one has what is there."""
    source = iter(blocks)
    before, held = _lead(source, spans[0][0])
    for place, (t0, t1) in enumerate(spans, 1):
        wanted, last = (t1 - t0) * RATE // 1000, place == len(spans)
        held, _ = _filled(held, source, wanted if last else wanted + _MARGIN)
        yield Stretch(t0, t1, held[:wanted], last, before, held[wanted : wanted if last else wanted + _MARGIN])
        before, held = _last(before, held[:wanted]), held[wanted:]


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
    around = stretch.around
    return [_part(stretch, around, t0, t1) for t0, t1 in zip(edges, edges[1:], strict=False)]


def _edge(stretch: Stretch, silences: Sequence[Span], wanted: int) -> int:
    low, high = wanted - NEAR_MS, wanted + NEAR_MS
    near = [Span(max(gap.t0, low), min(gap.t1, high)) for gap in silences if gap.t0 < high and gap.t1 > low]
    if near:
        best = max(near, key=lambda gap: (gap.duration, -gap.t0))
        return (best.t0 + best.t1) // 2
    begin, end = ((at - stretch.t0) * RATE // 1000 for at in (low, high))
    return stretch.t0 + quietest(stretch.samples[:end], begin) * 1000 // RATE


def _part(stretch: Stretch, around: Samples, t0: int, t1: int) -> Stretch:
    last = stretch.last and t1 == stretch.t1
    lead, begin, end, tail = (
        max(0, at - stretch.reach.t0) * RATE // 1000 for at in (t0 - MARGIN_MS, t0, t1, t1 + MARGIN_MS)
    )
    after = around[:0] if last else around[end:tail]
    return Stretch(t0, t1, around[begin : None if last else end], last, around[lead:begin], after)


def reaching(turn: Turn, part: Stretch) -> Turn:
    """Give a turn that a cut may part as far as it can be heard on both sides."""
    reach = part.reach
    t0 = reach.t0 if reach.t0 < part.t0 and turn.t0 - part.t0 < TOUCHES_MS else turn.t0
    t1 = reach.t1 if reach.t1 > part.t1 and part.t1 - turn.t1 < TOUCHES_MS else turn.t1
    return replace(turn, t0=t0, t1=t1)


def quietest(samples: Samples, after: int) -> int:
    """Give the sample after `after`, on a whole millisecond, around which it is quietest for a third of a second."""
    window = QUIET_MS * RATE // 1000
    loudness = np.cumsum(np.square(samples[after:], dtype=np.float64))
    energy = loudness[window:] - loudness[:-window]
    grain = RATE // 1000
    return (after + int(np.argmin(energy)) + window // 2) // grain * grain


def _lead(source: Iterator[Samples], start_ms: int) -> tuple[Samples, Samples]:
    """Give the samples before start_ms, and those that were read beyond it."""
    wanted = lead_ms(start_ms) * RATE // 1000
    held, _ = _filled(np.empty(0, np.float32), source, wanted) if wanted else (np.empty(0, np.float32), False)
    return held[:wanted], held[wanted:]


def _last(before: Samples, held: Samples) -> Samples:
    """Give the last samples up to a cut, a margin of them."""
    return np.concatenate([before, held[-_MARGIN:]])[-_MARGIN:]


def _filled(held: Samples, source: Iterator[Samples], wanted: int) -> tuple[Samples, bool]:
    parts, size = [held], len(held)
    while size < wanted:
        block = next(source, None)
        if block is None:
            return np.concatenate(parts), True
        parts.append(block)
        size += len(block)
    return np.concatenate(parts), False


def _ms(samples: int, ended: bool) -> int:
    return -(-samples * 1000 // RATE) if ended else samples * 1000 // RATE
