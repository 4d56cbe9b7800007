"""What new turns change: words and emotions find the turns they belong to anew, and a cut parts no sound.

So it is at the end of a recording, when all voices are known, and when its voices are told apart anew. The words and
the emotions themselves are not heard again.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from store.record import Emotion, Event, Segment, Span, Turn
from tools.events.recogniser import merge
from tools.timeline import Timeline
from tools.transcript.attribution import attribute

SEAM_MS = 500
REACH_MS = 2_000


def respoken_words(segments: Sequence[Segment], turns: Sequence[Turn]) -> list[Segment]:
    """Give the words of these segments as segments under the final turns, each in one language.

    A segment whose words have no times goes whole to the voice that shares most of its time.
    """
    heard = [(word, segment.language) for segment in segments for word in segment.words]
    respoken: list[Segment] = []
    near = Timeline(turns)
    for language, group in groupby(sorted(heard, key=lambda each: each[0].t0), key=lambda each: each[1]):
        stretch = [word for word, _ in group]
        span = Span(min(word.t0 for word in stretch) - REACH_MS, max(word.t1 for word in stretch) + REACH_MS)
        respoken += (replace(segment, language=language) for segment in attribute(stretch, near.overlapping(span)))
    whole = [replace(s, speaker=near.voice(Span(s.t0, s.t1))) for s in segments if not s.words]
    return sorted([*respoken, *whole], key=lambda segment: (segment.t0, segment.t1)) if whole else respoken


def respoken_emotions(emotions: Sequence[Emotion], turns: Sequence[Turn]) -> list[Emotion]:
    """Give each emotion the voice that shares most of its time, None when nobody does."""
    near = Timeline(turns)
    return [replace(row, speaker=near.voice(Span(row.t0, row.t1))) for row in emotions]


def joined_events(events: Sequence[Event]) -> list[Event]:
    """Merge events of one label that a cut between two stretches parted."""
    return merge(events, SEAM_MS)
