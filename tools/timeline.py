"""Turns by time: those that share time with a span or lie near it, found by bisection, bounded by the longest turn."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from store.record import Span, Turn


class Timeline:
    """Turns in order of time, asked who speaks when."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._turns = sorted(turns, key=lambda turn: (turn.t0, turn.t1, turn.speaker))
        self._starts = [turn.t0 for turn in self._turns]
        self._longest = max((turn.t1 - turn.t0 for turn in self._turns), default=0)

    def overlapping(self, span: Span) -> list[Turn]:
        """Give the turns that share time with a span."""
        return [turn for turn in self._candidates(span.t0, span.t1) if turn.t1 > span.t0 and turn.t0 < span.t1]

    def within(self, span: Span, reach_ms: int) -> list[Turn]:
        """Give the turns at most `reach_ms` before or after a span."""
        near = self._candidates(span.t0 - reach_ms, span.t1 + reach_ms)
        return [turn for turn in near if Span(turn.t0, turn.t1).gap(span) <= reach_ms]

    def shared(self, span: Span) -> Counter[str]:
        """Give the milliseconds that each voice shares with a span."""
        found: Counter[str] = Counter()
        for turn in self.overlapping(span):
            found[turn.speaker] += min(turn.t1, span.t1) - max(turn.t0, span.t0)
        return found

    def voice(self, span: Span) -> str | None:
        """Give the voice that shares most time with a span, None when nobody speaks then."""
        return foremost(self.shared(span))

    def _candidates(self, t0: int, t1: int) -> Sequence[Turn]:
        return self._turns[bisect_left(self._starts, t0 - self._longest) : bisect_right(self._starts, t1)]


def foremost(shared: Counter[str]) -> str | None:
    """Give the voice of most milliseconds, the first by name among equals; None of none."""
    return min(shared, key=lambda voice: (-shared[voice], voice), default=None)
