"""The words of a segment, kept in one cell beside its text: of each its pause, its length and its score.

A row a word would take seven times the room. Times are differences in milliseconds, from the segment's start on. The
words' texts are those of the segment's own, between its blanks; where they are not, they stand written out in front.
"""

import json
import math
import sqlite3

from store.packing import coded, decoded, folded, pack, unfolded, unpack
from store.record import Segment, Word

FUNCTION = "words_of"


def packed(segment: Segment) -> bytes | None:
    """Give the cell of a segment; None when it has no words."""
    if not segment.words:
        return None
    texts = [word.text for word in segment.words]
    written = "" if texts == segment.text.split(" ") else json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    numbers: list[int] = []
    at = segment.t0
    for word in segment.words:
        numbers += folded(word.t0 - at), folded(word.t1 - word.t0), coded(word.score)
        at = word.t1
    return written.encode() + b"\0" + pack(numbers)


def unpacked(cell: bytes | None, t0: int, text: str) -> tuple[Word, ...]:
    """Give the words of a segment that begins at t0 and has this text."""
    if cell is None:
        return ()
    written, _, rest = cell.partition(b"\0")
    texts: list[str] = json.loads(written) if written else text.split(" ")
    numbers, at = unpack(rest), t0
    words: list[Word] = []
    for place, said in enumerate(texts):
        pause, length, score = numbers[3 * place : 3 * place + 3]
        begin = at + unfolded(pause)
        at = begin + unfolded(length)
        words.append(Word(begin, at, said, decoded(score)))
    return tuple(words)


def of_segment(connection: sqlite3.Connection, segment_id: int) -> tuple[Word, ...]:
    """Give the words of one segment by its id."""
    row = connection.execute("SELECT words, t0, text FROM segment WHERE id = ?", (segment_id,)).fetchone()
    return () if row is None else unpacked(*row)


def provide(connection: sqlite3.Connection) -> None:
    """Give a connection the function that a view of words reads: words as JSON, [start, end, text, score] each."""
    connection.create_function(FUNCTION, 3, _json, deterministic=True)


def _json(cell: bytes | None, t0: int, text: str) -> str | None:
    if cell is None:
        return None
    words = unpacked(cell, t0, text)
    return json.dumps([(word.t0, word.t1, word.text, _finite(word.score)) for word in words], ensure_ascii=False)


def _finite(score: float | None) -> float | None:
    return score if score is not None and math.isfinite(score) else None
