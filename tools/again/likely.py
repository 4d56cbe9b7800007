"""Where words may have been said that nobody wrote down: what sounds like them, what was heard poorly, what is near
in meaning, in this order of weight, within the question's own limits of voice and time."""

import re
import sqlite3
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from store.catalog import Catalog, RecordingCatalog
from store.record import Span
from tools.speaker.names import resolve
from tools.transcript.evidence import likeness
from tools.transcript.query import TranscriptQuery

ALIKE, POOR, NEAR = 4.0, 1.0, 0.5
"""What it weighs that a segment sounds like a term, that it was heard poorly, that it is near in meaning.

Of 15 tuning names in noise 8 then lie in the likeliest five seconds, 9 in fifteen (scripts/measure_denials.py rank).
"""
UNSCORED = 0.8
LEAST_ALIKE = 0.5
"""What likeness any two texts may have by chance; only what exceeds it weighs."""
LENGTHS = (0.5, 1.6)
"""How short and how long, in lengths of a term, what was written down for it may be."""
_LONGEST = 4
LONGEST_MS = 28_000  # Whisper hears 30 s at once, and a segment is heard with what is around it
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Likely:
    """A segment worth hearing again: whose recording, its row, when, its words, how sure, and the weight."""

    recording: int
    segment_id: int
    span: Span
    text: str
    score: float | None
    weight: float


def likely(
    connection: sqlite3.Connection,
    catalog: Catalog,
    query: TranscriptQuery,
    terms: Sequence[str],
    near: Container[int] = (),
) -> list[Likely]:
    """Give the segments within a query's limits by weight, the likeliest first; `near` are ids near in meaning.

    Only recordings that have a file are looked at: whether it is there is for whoever listens to find out.
    """
    found = [
        Likely(entry.recording.id, row_id, Span(t0, t1), text, score, _weight(text, score, terms, row_id in near))
        for entry in catalog.recordings
        if entry.recording.path is not None and "transcript" in entry.streams
        for row_id, t0, t1, text, score in _within(connection, entry, query)
    ]
    return sorted(found, key=lambda each: (-each.weight, each.recording, each.span))


def within(found: Sequence[Likely], seconds: float) -> list[Likely]:
    """Give the first that fit into so many seconds together, at least one; none too long to be heard at once."""
    chosen: list[Likely] = []
    left = seconds * 1000
    for each in found:
        if each.span.duration > LONGEST_MS:
            continue
        if chosen and each.span.duration > left:
            break
        chosen.append(each)
        left -= each.span.duration
    return chosen


def alike(text: str, term: str) -> float:
    """Rate how much the likest stretch of a text looks and sounds like a term, 0 to 1: up to four words, as one."""
    words = [word.casefold() for word in _WORDS.findall(text)]
    wanted = "".join(_WORDS.findall(term)).casefold()
    least, most = (share * len(wanted) for share in LENGTHS)
    joined = {"".join(words[at : at + n]) for n in range(1, _LONGEST + 1) for at in range(len(words) - n + 1)}
    return max((likeness(each, wanted) for each in joined if least <= len(each) <= most), default=0.0)


def _weight(text: str, score: float | None, terms: Sequence[str], near: bool) -> float:
    likest = max((alike(text, term) for term in terms), default=0.0)
    poor = 1 - min(max(UNSCORED if score is None else score, 0.0), 1.0)
    return ALIKE * max(likest - LEAST_ALIKE, 0.0) + POOR * poor + NEAR * near


def _within(
    connection: sqlite3.Connection, entry: RecordingCatalog, query: TranscriptQuery
) -> Iterator[tuple[int, int, int, str, float | None]]:
    state, asked = entry.streams["transcript"], query.within(entry.recording.duration_ms)
    voices = None if query.speaker is None else {voice.id for voice in resolve(entry, query.speaker)}
    rows = connection.execute(
        "SELECT id, t0, t1, text, score, speaker_id FROM segment WHERE stream_id = ? AND t0 > ? AND t0 < ? AND t1 > ?",
        (state.id, asked.t0 - state.max_dur - 1, asked.t1, asked.t0),
    )
    return ((*row[:5],) for row in rows if voices is None or row[5] in voices)
