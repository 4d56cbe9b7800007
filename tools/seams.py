"""What the end of a recording changes about its middle: voices are final, so words and emotions find their turns anew.

The words and the emotions themselves are not heard again; only who they belong to is decided with all voices known.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from store.ledger import SpokenWord
from store.record import Emotion, Event, Segment, Span, Turn
from tools.events.recogniser import merge
from tools.transcript.attribution import attribute

SEAM_MS = 500
REACH_MS = 2_000


def respoken_words(words: Sequence[SpokenWord], turns: Sequence[Turn]) -> list[Segment]:
    """Give the transcript of these words under the final turns; a segment is in one language."""
    segments: list[Segment] = []
    near = _Sweep(turns)
    for language, spoken in groupby(words, key=lambda spoken: spoken.language):
        stretch = [each.word for each in spoken]
        span = Span(min(word.t0 for word in stretch) - REACH_MS, max(word.t1 for word in stretch) + REACH_MS)
        segments += (replace(segment, language=language) for segment in attribute(stretch, near.overlapping(span)))
    return segments


def respoken_emotions(emotions: Sequence[Emotion], turns: Sequence[Turn]) -> list[Emotion]:
    """Give each emotion the voice that shares most of its time, None when nobody does."""
    near = _Sweep(turns)
    return [replace(row, speaker=_voice(Span(row.t0, row.t1), near)) for row in emotions]


def joined_events(events: Sequence[Event]) -> list[Event]:
    """Merge events of one label that a cut between two stretches parted."""
    return merge(events, SEAM_MS)


class _Sweep:
    """Turns by time: those that overlap a span are found by bisection, bounded by the longest turn."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = sorted(turns, key=lambda turn: (turn.t0, turn.t1, turn.speaker))
        self._starts = [turn.t0 for turn in self._turns]
        self._longest = max((turn.t1 - turn.t0 for turn in turns), default=0)

    def overlapping(self, span: Span) -> list[Turn]:
        first = bisect_left(self._starts, span.t0 - self._longest)
        return [turn for turn in self._turns[first : bisect_left(self._starts, span.t1)] if turn.t1 > span.t0]


def _voice(span: Span, near: _Sweep) -> str | None:
    shared: Counter[str] = Counter()
    for turn in near.overlapping(span):
        shared[turn.speaker] += min(turn.t1, span.t1) - max(turn.t0, span.t0)
    return min(shared, key=lambda voice: (-shared[voice], voice), default=None)
