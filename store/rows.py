"""Reading a stream's rows back as the values they were published as, in order of time."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping

from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.streams import TABLES

Read = Callable[[sqlite3.Row, Mapping[int, tuple[Word, ...]]], Row]


def rows(connection: sqlite3.Connection, stream_id: int, kind: StreamKind) -> list[Row]:
    """Give the rows of one version of a stream; `speaker` is the voice's label."""
    said = _words(connection, stream_id) if kind == "transcript" else {}
    found = connection.execute(
        f"SELECT r.*, {'NULL' if kind == 'events' else 'v.label'} AS voice FROM {TABLES[kind]} r"
        + ("" if kind == "events" else " LEFT JOIN speaker v ON v.id = r.speaker_id")
        + " WHERE r.stream_id = ? ORDER BY r.t0, r.t1, r.id",
        (stream_id,),
    )
    return [_READ[kind](row, said) for row in found]


def _words(connection: sqlite3.Connection, stream_id: int) -> Mapping[int, tuple[Word, ...]]:
    found: defaultdict[int, list[Word]] = defaultdict(list)
    for row in connection.execute(
        "SELECT w.segment_id, w.t0, w.t1, w.text, w.score FROM word w JOIN segment s ON s.id = w.segment_id"
        " WHERE s.stream_id = ? ORDER BY w.segment_id, w.i",
        (stream_id,),
    ):
        found[row[0]].append(Word(*tuple(row)[1:]))
    return {segment: tuple(words) for segment, words in found.items()}


def _segment(row: sqlite3.Row, said: Mapping[int, tuple[Word, ...]]) -> Row:
    words = said.get(row["id"], ())
    return Segment(row["t0"], row["t1"], row["text"], row["voice"], words, row["language"], row["score"])


def _turn(row: sqlite3.Row, said: Mapping[int, tuple[Word, ...]]) -> Row:
    return Turn(row["t0"], row["t1"], row["voice"], row["score"])


def _emotion(row: sqlite3.Row, said: Mapping[int, tuple[Word, ...]]) -> Row:
    return Emotion(row["t0"], row["t1"], row["label"], row["score"], row["voice"], json.loads(row["scores"]))


def _event(row: sqlite3.Row, said: Mapping[int, tuple[Word, ...]]) -> Row:
    return Event(row["t0"], row["t1"], row["label"], row["score"])


_READ: Mapping[StreamKind, Read] = {
    "transcript": _segment,
    "speaker": _turn,
    "emotion": _emotion,
    "events": _event,
}
