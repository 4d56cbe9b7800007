"""The words that transcripts really hold, read from the full-text index by their first letters.

The index is the library's, so a word from here is only a candidate: it counts when it is found among a question's own
recordings, and is not shown before.
"""

import sqlite3
from collections.abc import Iterable, Iterator

MOST = 200_000
_LATIN = (("\u00c0", "\u0250"), ("\u1e00", "\u1f00"))
_BLOCK = 0x100
_CJK = 0x2E80


def words(connection: sqlite3.Connection, initials: Iterable[str]) -> list[str]:
    """Give the indexed words (casefolded, accents kept) that begin with one of these letters, with accents or without.

    Scripts whose characters are indexed one by one (CJK) have no words here.
    """
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, segment_fts, row)")
    found: set[str] = set()
    for low, high in sorted({span for letter in initials for span in _spans(letter)}):
        rows = connection.execute(
            "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?", (low, high, MOST - len(found))
        )
        found.update(row[0] for row in rows)
    return sorted(found)


def _spans(letter: str) -> Iterator[tuple[str, str]]:
    """Give the stretches of the alphabet in which a letter lies with its accents."""
    place = ord(letter)
    if place < ord(_LATIN[0][0]):
        yield letter, chr(place + 1)
        yield from _LATIN
    elif place < _CJK:
        block = place - place % _BLOCK
        yield chr(block), chr(block + _BLOCK)
