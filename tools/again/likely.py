"""Where a term may have been said that nobody wrote down: stretches of words that sound like it, doubtful ones first.

Every stretch of up to four words within the question's limits of voice and time is held against the term, and what
stands around the likest of a segment is heard again: so many seconds reach more places than as many of whole segments.
Speech that left no words behind is not found.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from store import timed
from store.catalog import Catalog, RecordingCatalog
from store.keywords import holds, normalise
from store.record import Span, Word
from tools.speaker.names import resolve
from tools.transcript.doubts import plain
from tools.transcript.evidence import LENGTHS, LONGEST
from tools.transcript.likeness import likeness
from tools.transcript.query import TranscriptQuery

DOUBT = 0.2
"""What it weighs that words were heard poorly, beside how much they sound like a term."""
UNSCORED = 0.8
AROUND, PAD_MS = 3, 150
"""How many words on both sides are heard with a stretch, and how much more sound."""
LONGEST_MS = 27_000  # Whisper hears 30 s at once, the silence after them included
_PLACES = 4
_LIKENED = 300


@dataclass(frozen=True, slots=True)
class Likely:
    """A passage worth hearing again for a term.

    Whose recording, its segment's row and text, when, its words and where among them (first, last + 1) the term may
    be, the likest first, which begins at `at`; how sure the segment's words are, its language, and the weight.
    """

    recording: int
    segment_id: int
    text: str
    span: Span
    at: int
    term: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    score: float | None
    language: str | None
    weight: float


@dataclass(frozen=True, slots=True)
class Written:
    """A segment as it was written down; without times of their own its words are heard all together."""

    recording: int
    id: int
    words: tuple[Word, ...]
    timed: bool
    text: str
    score: float | None
    language: str | None


def likely(
    connection: sqlite3.Connection, catalog: Catalog, query: TranscriptQuery, terms: Sequence[str]
) -> list[Likely]:
    """Give the passages within a query's limits by weight, the likeliest first, a segment at most once a term.

    Only recordings that have a file are looked at: whether it is there is for whoever listens to find out. A segment
    that holds a term is not heard for it again.
    """
    segments = [segment for entry in catalog.recordings for segment in _within(connection, entry, query)]
    found = [each for term in terms for each in _likely(term, segments)]
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


def passage(segment: Written, term: str) -> Likely:
    """Give the words of a segment around the stretch that a term was likeliest written down as."""
    words = segment.words
    weighed = sorted(((_weight(words, place, term), place) for place in _stretches(words, term)), reverse=True)
    weight, (first, end) = weighed[0]
    around = AROUND if segment.timed else len(words)
    start, stop = max(0, first - around), min(len(words), end + around)
    places = [(a - start, b - start) for _, (a, b) in weighed[:_PLACES] if start <= a and b <= stop]
    return Likely(
        segment.recording,
        segment.id,
        segment.text,
        Span(max(0, words[start].t0 - PAD_MS), words[stop - 1].t1 + PAD_MS),
        words[first].t0,
        term,
        tuple(word.text for word in words[start:stop]),
        tuple(places),
        segment.score,
        segment.language,
        weight,
    )


def _likely(term: str, segments: Iterable[Written]) -> Iterator[Likely]:
    """Hold segments against a term: roughly at first, because a library has a hundred thousand stretches."""
    wanted = normalise(term)
    rough = (
        (max(_rough(segment.words, place, term) for place in _stretches(segment.words, term)), -segment.id, segment)
        for segment in segments
        if segment.words and not holds(normalise(segment.text), wanted)
    )
    for *_, segment in nlargest(_LIKENED, rough, key=lambda each: each[:2]):
        yield passage(segment, term)


def _stretches(words: Sequence[Word], term: str) -> list[tuple[int, int]]:
    """Give the stretches that may have been written for a term; the whole when all are too short or too long."""
    least, most = (share * len(_letters(term)) for share in LENGTHS)
    found = []
    for first in range(len(words)):
        length = 0
        for end in range(first + 1, min(first + LONGEST, len(words)) + 1):
            length += len(_letters(words[end - 1].text))
            if least <= length <= most:
                found.append((first, end))
    return found or [(0, len(words))]


def _weight(words: Sequence[Word], place: tuple[int, int], term: str) -> float:
    stretch = words[slice(*place)]
    return likeness("".join(word.text for word in stretch), term) + DOUBT * _doubt(stretch)


def _rough(words: Sequence[Word], place: tuple[int, int], term: str) -> float:
    import jellyfish

    stretch = words[slice(*place)]
    heard, sought = "".join(_sounds(word.text) for word in stretch), _sounds(term)
    apart: int = jellyfish.levenshtein_distance(heard, sought)
    return 1 - apart / max(len(heard), len(sought), 1) + DOUBT * _doubt(stretch)


def _doubt(stretch: Sequence[Word]) -> float:
    return 1 - sum(UNSCORED if word.score is None else word.score for word in stretch) / len(stretch)


@lru_cache(maxsize=65_536)
def _letters(text: str) -> str:
    return plain(text).replace(" ", "")


_CLASSES = str.maketrans("bpdtgkcqxvfszmnlrjwaeiouyh", "ppttkkkksffssnnrrsfaaaaaah")


@lru_cache(maxsize=65_536)
def _sounds(text: str) -> str:
    """Give letters by classes of what is easily misheard, with one for any number of vowels."""
    return re.sub("a+", "a", _letters(text).translate(_CLASSES))


def _within(connection: sqlite3.Connection, entry: RecordingCatalog, query: TranscriptQuery) -> Iterator[Written]:
    """Give the segments of one recording that a query's voice and time let through."""
    state = entry.streams.get("transcript")
    if state is None or entry.recording.path is None:
        return
    asked = query.within(entry.recording.duration_ms)
    voices = None if query.speaker is None else {voice.id for voice in resolve(entry, query.speaker)}
    rows = connection.execute(
        "SELECT id, t0, t1, text, score, language, speaker_id, words FROM segment"
        " WHERE stream_id = ? AND t0 > ? AND t0 < ? AND t1 > ?",
        (state.id, asked.t0 - state.max_dur - 1, asked.t1, asked.t0),
    ).fetchall()
    for row_id, t0, t1, text, score, language, voice, cell in rows:
        if voices is None or voice in voices:
            own = timed.unpacked(cell, t0, text)
            said = own or tuple(Word(t0, t1, word) for word in text.split())
            yield Written(entry.recording.id, row_id, said, bool(own), text, score, language)
