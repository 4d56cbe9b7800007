"""Keywords: one normal form for text and question, found by FTS5 and confirmed literally.

The index sees words, so `50%` and `50 dollars` look alike to it; each candidate is read again and must hold the
keyword literally, at word boundaries, or with its numbers written otherwise ("$9,000", "nine thousand dollars"). CJK
characters are split, because the tokenizer would keep a run as one word. Phrases, and words that count together, are
also found over the border of two segments of one voice (`borders`).
"""

import json
import re
import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from store.borders import Crossing, before, crossings
from store.figures import in_figures, ways
from store.matching import Match, matching

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
_TOGETHER = "&"


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that holds a term, and how often; a lower rank is a better match (BM25).

    `onward` is the later segment in which a term ends that only begins here, None where all of it is said here.
    """

    term: str
    segment_id: int
    rank: float
    occurrences: int = 1
    onward: int | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """Where one transcript holds a term: by segment its rank and how often, and where it runs over borders."""

    within: dict[int, tuple[float, int]] = field(default_factory=dict)
    over: list[Crossing] = field(default_factory=list)


_NOWHERE = _Found()


def normalise(text: str) -> str:
    """Give the form in which text is searched: NFKC, casefolded, CJK characters apart, single blanks."""
    if text.isascii():
        return " ".join(text.replace("\0", " ").lower().split())
    folded = unicodedata.normalize("NFKC", text.translate(_WRITTEN)).casefold()
    return _BLANKS.sub(" ", _CJK.sub(r" \1 ", unicodedata.normalize("NFC", folded))).strip()


def occurrences(text: str, term: str) -> int:
    """Count how often normalised text holds a normalised term literally, not inside a longer word or number.

    A number in the term is the same in figures and in words, with its currency before or behind it. Between the words
    of a phrase a text may have commas, dashes, quotes, brackets; a phrase never crosses a sentence.
    """
    literal = len(_written(term).findall(text))
    return max(literal, len(_written(in_figures(term)).findall(in_figures(text)))) if _ways(term) else literal


def holds(text: str, term: str) -> bool:
    """Say whether normalised text holds a normalised term literally, not inside a longer word."""
    return occurrences(text, term) > 0


def together(terms: Sequence[str]) -> str:
    """Give the term whose hits hold all of these: one segment, or two of one voice of which the first goes on."""
    return _TOGETHER + json.dumps(list(terms), ensure_ascii=False)


def hits(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], terms: Iterable[str]) -> list[Hit]:
    """Find terms in transcripts given as (recording, active stream) ids; each term is matched as a literal phrase.

    A term of `together` has one hit for each time that all of its terms are said together.
    """
    wanted = [(term, _parts(term)) for term in dict.fromkeys(map(_storable, terms))]
    known = {part: _found(connection, stream_ids, part) for _, parts in wanted for part in parts}
    found: list[Hit] = []
    for _, stream_id in stream_ids:
        for term, parts in wanted:
            each = [known[part].get(stream_id, _NOWHERE) for part in parts]
            found += _all(connection, stream_id, term, each) if len(each) > 1 else _one(term, each[0])
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
    if not _PLAIN.fullmatch(wanted) or _CJK.search(wanted) or _ways(wanted):
        return {hit.segment_id: hit.occurrences for hit in hits(connection, stream_ids, [term])}
    root = wanted[: max(_ROOT, len(wanted) - _ENDING + 1)].removesuffix("s")
    rows = matching(connection, stream_ids, f'"{root}" *')
    counted = ((row_id, sum(akin(wanted, word) for word in _WORDS.findall(text))) for _, row_id, text, _ in rows)
    return {row_id: times for row_id, times in counted if times}


def _parts(term: str) -> list[str]:
    """Give the normalised terms that a term of `together` is made of; any other is a term by itself."""
    if term.startswith(_TOGETHER):
        try:
            return list(dict.fromkeys(normalise(str(part)) for part in json.loads(term.removeprefix(_TOGETHER))))
        except ValueError:
            pass
    return [normalise(term)]


def _found(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], wanted: str) -> Mapping[int, _Found]:
    """Give by transcript where it holds a term."""
    found = defaultdict[int, _Found](_Found)
    if not wanted:
        return found
    for stream_id, row_id, text, rank in _candidates(connection, stream_ids, wanted):
        if times := occurrences(text, wanted):
            found[stream_id].within[row_id] = rank, times
    if " " in wanted:
        for stream_id, over in crossings(connection, stream_ids, wanted, _written(wanted)).items():
            found[stream_id].over.extend(over)
    return found


def _one(term: str, found: _Found) -> Iterable[Hit]:
    over = {crossing.first: crossing for crossing in found.over}
    for row_id in dict.fromkeys((*found.within, *over)):
        more = over.get(row_id)
        rank, times = found.within.get(row_id, (more.rank if more else 0.0, 0))
        yield Hit(term, row_id, rank, times + (more is not None), more.last if more else None)


def _all(connection: sqlite3.Connection, stream_id: int, term: str, each: Sequence[_Found]) -> Iterable[Hit]:
    """Give the segments that hold every term, and the pairs that do only together; no segment is in two pairs."""
    if not all(found.within or found.over for found in each):
        return
    alone = set.intersection(*(set(found.within) for found in each))
    for row_id in sorted(alone):
        yield Hit(term, row_id, sum(found.within[row_id][0] for found in each))
    ends = {row_id for found in each for row_id in (*found.within, *(crossing.last for crossing in found.over))}
    used: set[int] = set(alone)
    for last, first in before(connection, stream_id, ends).items():
        if first in used or last in alone:
            continue
        ranks = [_rank(found, first, last) for found in each]
        known = [rank for rank in ranks if rank is not None]
        if len(known) == len(ranks):
            used.add(last)
            yield Hit(term, first, sum(known), 1, last)


def _rank(found: _Found, first: int, last: int) -> float | None:
    """Give the best rank of a term in a pair of segments or over their border; None where it is in neither."""
    over = [crossing.rank for crossing in found.over if (crossing.first, crossing.last) == (first, last)]
    return min((*over, *(found.within[row_id][0] for row_id in (first, last) if row_id in found.within)), default=None)


@lru_cache(maxsize=256)
def _written(term: str) -> re.Pattern[str]:
    start = r"(?<!\w)(?<!\d\.)(?<!\d,(?=\d{3}(?!\d)))" if _WORD.match(term) else ""
    end = r"(?!\w)(?!\.\d)(?!,\d{3}(?!\d))" if _WORD.match(term[-1:]) else ""
    return re.compile(start + _BETWEEN.join(map(re.escape, term.split(" "))) + end)


@lru_cache(maxsize=256)
def _ways(term: str) -> tuple[str, ...]:
    return ways(term)


def _storable(term: str) -> str:
    """Give a term without half characters, which no text holds and SQLite does not take."""
    return term.encode("utf-8", "replace").decode()


def _candidates(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], wanted: str) -> Iterator[Match]:
    if _WORD.search(wanted):
        phrases = ('"' + way.replace('"', '""') + '"' for way in (wanted, *_ways(wanted)))
        yield from matching(connection, stream_ids, " OR ".join(phrases))
        return
    for _, stream_id in stream_ids:
        for row_id, text in connection.execute("SELECT id, text FROM segment WHERE stream_id = ?", (stream_id,)):
            yield stream_id, row_id, normalise(text), 0.0
