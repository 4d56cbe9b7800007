"""Where to cut the windows that Whisper hears: at turn boundaries, and at the quietest place of a long monologue.

A window holds as many turns as fit in 30 s; silence longer than five seconds is left out, so that there is less to
imagine words over. Where a cut goes through speech both windows are heard beyond it, so that each word is heard whole.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn, union

RATE = 16_000
LIMIT_MS = 30_000
MARGIN_MS = 1_500
"""So far beyond a cut through speech is heard on both sides."""
_PAD_MS = 200
_GAP_MS = 5_000
_EARLIEST = 0.5  # a cut before half a window wastes the padding to 30 s
_HOP_MS = 20
_QUIET_MS = 200


def windows(samples: NDArray[np.float32], start_ms: int, turns: Sequence[Turn], limit_ms: int = LIMIT_MS) -> list[Span]:
    """Give the disjoint spans, in order and at most limit_ms long, that together cover every turn within samples."""
    heard = Span(start_ms, start_ms + len(samples) * 1000 // RATE)
    spans: list[Span] = []
    room = limit_ms
    for region in _regions(turns, heard):
        if spans and region.t0 - spans[-1].t1 <= _GAP_MS and region.t1 - spans[-1].t0 <= room:
            spans[-1] = Span(spans[-1].t0, region.t1)
            continue
        room = limit_ms
        while region.duration > room:
            cut = _cut(samples, start_ms, turns, region.t0, room - MARGIN_MS)
            spans.append(Span(region.t0, cut))
            region, room = Span(cut, region.t1), limit_ms - MARGIN_MS
        spans.append(region)
    return spans


def reaching(spans: Sequence[Span], end: int) -> list[Span]:
    """Give what is heard for each window: a margin more where it adjoins another one, up to the end of the samples."""
    found = []
    for place, span in enumerate(spans):
        joins_before = place > 0 and spans[place - 1].t1 == span.t0
        joins_after = place + 1 < len(spans) and spans[place + 1].t0 == span.t1
        t1 = min(span.t1 + MARGIN_MS, max(end, span.t1)) if joins_after else span.t1
        found.append(Span(span.t0 - MARGIN_MS if joins_before else span.t0, t1))
    return found


def clip(samples: NDArray[np.float32], start_ms: int, span: Span) -> NDArray[np.float32]:
    """Give the samples of a span."""
    return samples[(span.t0 - start_ms) * RATE // 1000 : (span.t1 - start_ms) * RATE // 1000]


def _regions(turns: Sequence[Turn], heard: Span) -> list[Span]:
    inside = [turn for turn in turns if turn.t0 < heard.t1 and turn.t1 > heard.t0]
    return union(Span(max(heard.t0, t.t0 - _PAD_MS), min(heard.t1, t.t1 + _PAD_MS)) for t in inside)


def _cut(samples: NDArray[np.float32], start_ms: int, turns: Sequence[Turn], t0: int, limit_ms: int) -> int:
    """Choose where to end a window that starts at t0: the last gap between turns, else the quietest 200 ms."""
    earliest, latest = t0 + int(limit_ms * _EARLIEST), t0 + limit_ms
    speech = union(Span(turn.t0, turn.t1) for turn in turns)
    gaps = [(a.t1 + b.t0) // 2 for a, b in zip(speech, speech[1:], strict=False)]
    touching = {turn.t0 for turn in turns} & {turn.t1 for turn in turns}
    alone = [t for t in touching if not any(turn.t0 < t < turn.t1 for turn in turns)]
    fitting = [t for t in [*gaps, *alone] if earliest <= t <= latest]
    return max(fitting) if fitting else _quietest(samples, start_ms, Span(t0 + limit_ms * 2 // 3, latest))


def _quietest(samples: NDArray[np.float32], start_ms: int, span: Span) -> int:
    part = clip(samples, start_ms, span)
    hop = _HOP_MS * RATE // 1000
    energy = np.square(part[: len(part) // hop * hop].reshape(-1, hop), dtype=np.float64).mean(axis=1)
    width = _QUIET_MS // _HOP_MS
    smooth = np.convolve(energy, np.ones(width) / width, mode="valid")
    return span.t0 + (int(smooth.argmin()) + width // 2) * _HOP_MS
