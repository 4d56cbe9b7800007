"""Keywords: one normal form for text and question, found by FTS5 and confirmed literally.

The index sees words, so `50%` and `50 dollars` look alike to it; each candidate is read again and must hold the
keyword literally, at word boundaries. CJK characters are split, because the tokenizer would keep a run as one word.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.migrations import MAX_SEQ, SEQ_BITS

_CJK = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])")
_WRITTEN = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\0": " "})
_BLANKS = re.compile(r"\s+")
_WORD = re.compile(r"\w")
_BETWEEN = '[ ,;:"()\u2013\u2014-]+'
_WORDS = re.compile(r"\w+")
_PLAIN = re.compile(r"[^\W\d_]{3,}")
_ROOT, _ENDING = 4, 4
# Endings by which words of one family differ, in English and in the words that it shares with other languages.
_ENDING_WORDS = """
s e es d ed er ers or ors ing ings ion ions ive ively al ally ial ic ical ically ity ities y ies able ably ability
ation ations ative ment ments ize ized izes izing ization ise ised ises ising isation
"""
_ENDINGS = frozenset(_ENDING_WORDS.split()) | {""}
_FAMILY = 5


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that holds a term, and how often; a lower rank is a better match (BM25)."""

    term: str
    segment_id: int
    rank: float
    occurrences: int = 1


def normalise(text: str) -> str:
    """Give the form in which text is searched: NFKC, casefolded, CJK characters apart, single blanks."""
    folded = unicodedata.normalize("NFKC", text.translate(_WRITTEN)).casefold()
    return _BLANKS.sub(" ", _CJK.sub(r" \1 ", unicodedata.normalize("NFC", folded))).strip()


def occurrences(text: str, term: str) -> int:
    """Count how often normalised text holds a normalised term literally, not inside a longer word.

    Between the words of a phrase a text may have commas, dashes, quotes, brackets; a phrase never crosses a sentence.
    """
    before = r"(?<!\w)" if _WORD.match(term) else ""
    after = r"(?!\w)" if _WORD.match(term[-1:]) else ""
    return len(re.findall(before + _BETWEEN.join(map(re.escape, term.split(" "))) + after, text))


def holds(text: str, term: str) -> bool:
    """Say whether normalised text holds a normalised term literally, not inside a longer word."""
    return occurrences(text, term) > 0


def hits(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], terms: Iterable[str]) -> list[Hit]:
    """Find terms in transcripts given as (recording, active stream) ids; each term is matched as a literal phrase."""
    found: list[Hit] = []
    for term in dict.fromkeys(map(_storable, terms)):
        wanted = normalise(term)
        for rec_id, stream_id in stream_ids if wanted else ():
            rows = _candidates(connection, rec_id, stream_id, wanted)
            counted = ((row_id, rank, occurrences(text, wanted)) for row_id, text, rank in rows)
            found += [Hit(term, row_id, rank, times) for row_id, rank, times in counted if times]
    return found


def akin(one: str, other: str) -> bool:
    """Say whether two normalised words look like forms of one: they differ by an ending.

    No language is known here, so short words must be equal but for a final s, and all others share their first four
    letters and all but the last letter of the shorter one (industry, industries), or five and common endings of a
    family of words after them (evaluated, evaluation; strategy, strategic).
    """
    short, long = sorted((one, other), key=len)
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if same == len(long) or (len(short) >= 3 and long == f"{short}s"):
        return True
    if same >= max(_ROOT, len(short) - 1) and len(long) - same <= _ENDING:
        return True
    return same >= _FAMILY and short[same:] in _ENDINGS and long[same:] in _ENDINGS


def mentions(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], term: str) -> dict[int, int]:
    """Count by segment how often a term is said, a single word in any form (`akin`), a phrase literally."""
    wanted = normalise(_storable(term))
    if not _PLAIN.fullmatch(wanted) or _CJK.search(wanted):
        return {hit.segment_id: hit.occurrences for hit in hits(connection, stream_ids, [term])}
    root = wanted[: max(_ROOT, len(wanted) - _ENDING + 1)].removesuffix("s")
    found: dict[int, int] = {}
    for rec_id, stream_id in stream_ids:
        rows = _matching(connection, rec_id, stream_id, f'"{root}" *')
        counted = ((row_id, sum(akin(wanted, word) for word in _WORDS.findall(text))) for row_id, text, _ in rows)
        found |= {row_id: times for row_id, times in counted if times}
    return found


def _storable(term: str) -> str:
    """Give a term without half characters, which no text holds and SQLite does not take."""
    return term.encode("utf-8", "replace").decode()


def _candidates(
    connection: sqlite3.Connection, rec_id: int, stream_id: int, wanted: str
) -> Iterable[tuple[int, str, float]]:
    if not _WORD.search(wanted):
        rows = connection.execute("SELECT id, text FROM segment WHERE stream_id = ?", (stream_id,))
        return ((row[0], normalise(row[1]), 0.0) for row in rows)
    return _matching(connection, rec_id, stream_id, '"' + wanted.replace('"', '""') + '"')


def _matching(
    connection: sqlite3.Connection, rec_id: int, stream_id: int, phrase: str
) -> Iterable[tuple[int, str, float]]:
    low = rec_id << SEQ_BITS
    return connection.execute(
        "SELECT f.rowid, f.text, f.rank FROM segment_fts f JOIN segment s ON s.id = f.rowid"
        " WHERE segment_fts MATCH ? AND f.rowid BETWEEN ? AND ? AND s.stream_id = ?",
        (phrase, low, low + MAX_SEQ, stream_id),
    )
