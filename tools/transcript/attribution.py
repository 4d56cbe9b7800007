"""Who said which word: each word goes to the turn it shares most time with, and segments follow the turns.

Whisper stretches a last word into the silence after it, so a word is placed by its first second and its end is cut to
its turn. Where two voices overlap, a sentence stays with the voice that was speaking, and a new one may change it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from store.record import Segment, Span, Turn, Word
from tools.timeline import Timeline
from tools.transcript.scripts import join

REACH_MS = 1_000
LONGEST_MS = 15_000
_PLACED_BY_MS = 1_000
_LONG_WORD_MS = 2_000
_SHORTEST_MS = 4_000  # a sentence end before this is no reason to cut a long monologue
_ENDS = ".!?…。！？؟।"


def attribute(words: Sequence[Word], turns: Sequence[Turn]) -> list[Segment]:
    """Give the segments that words make within turns, in order; every word is in exactly one segment.

    A word outside all turns goes to the nearest within a second, else into a segment without a speaker. Segments end
    where the turn does, and longer ones than 15 s at a sentence end or a pause.
    """
    timeline = Timeline(turns)
    placed: list[tuple[Turn | None, Word]] = []
    for word in sorted(words, key=lambda each: (each.t0, each.t1)):
        speaking, before = placed[-1] if placed else (None, None)
        goes_on = before is not None and not _ends(before) and word.t0 - before.t1 < REACH_MS
        turn = _turn_of(word, speaking if goes_on else None, timeline)
        placed.append((turn, _trimmed(word, turn)))
    segments: list[Segment] = []
    for turn, group in groupby(placed, key=lambda each: each[0]):
        for part in _parts([word for _, word in group]):
            segments.append(_segment(part, turn.speaker if turn else None))
    return segments


def _turn_of(word: Word, speaking: Turn | None, timeline: Timeline) -> Turn | None:
    """Give the turn a word belongs to; speaking is the turn of the sentence it goes on with, if it does."""
    place = Span(word.t0, min(word.t1, word.t0 + _PLACED_BY_MS))

    def rank(turn: Turn) -> tuple[int, int, bool, int]:
        span = Span(turn.t0, turn.t1)
        shared = Span(max(place.t0, span.t0), min(place.t1, span.t1)).duration
        middle = abs(span.t0 + span.t1 - place.t0 - place.t1)
        return -shared, span.gap(place), turn is not speaking, middle

    return min(timeline.within(place, REACH_MS), key=rank, default=None)


def _trimmed(word: Word, turn: Turn | None) -> Word:
    """Cut an implausibly long word to its turn, or to one second outside of any."""
    if word.t1 - word.t0 <= _LONG_WORD_MS:
        return word
    end = turn.t1 if turn and turn.t1 > word.t0 else word.t0 + _PLACED_BY_MS
    return replace(word, t1=min(word.t1, end))


def _parts(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    while words and max(word.t1 for word in words) - words[0].t0 > LONGEST_MS and len(words) > 1:
        at = _cut(words)
        yield words[:at]
        words = words[at:]
    if words:
        yield words


def _cut(words: Sequence[Word]) -> int:
    """Choose how many words go into the first part: to the last sentence end that fits, else to the longest pause."""
    fits = max(1, sum(1 for word in words[:-1] if word.t1 - words[0].t0 <= LONGEST_MS))
    late = [n for n in range(1, fits + 1) if words[n - 1].t1 - words[0].t0 >= _SHORTEST_MS] or [fits]
    ends = [n for n in late if _ends(words[n - 1])]
    if ends:
        return ends[-1]
    pauses = [b.t0 - a.t1 for a, b in pairwise(words)]
    return max(late, key=lambda n: (pauses[n - 1], n))


def _ends(word: Word) -> bool:
    """Say whether a sentence ends with a word."""
    return word.text.rstrip("\"'”’)]").endswith(tuple(_ENDS))


def _segment(words: Sequence[Word], speaker: str | None) -> Segment:
    scores = [word.score for word in words if word.score is not None]
    score = sum(scores) / len(scores) if scores else None
    end = max(word.t1 for word in words)
    return Segment(words[0].t0, end, join([word.text for word in words]), speaker, tuple(words), score=score)
