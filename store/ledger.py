"""The ingest's ledger: which stretches were published, and the voices heard in them; a kill costs one stretch."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from store.record import Emotion, Event, StreamKind, Turn, Word
from store.streams import TABLES


@dataclass(frozen=True, slots=True)
class Chunk:
    """One published stretch [t0, t1) in milliseconds; `voices` is the speaker recogniser's own serialisation."""

    t0: int
    t1: int
    voices: bytes


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A published word with its segment's language."""

    word: Word
    language: str | None


def chunks(connection: sqlite3.Connection, rec_id: int) -> list[Chunk]:
    """Give the stretches published so far, in order."""
    rows = connection.execute("SELECT t0, t1, voices FROM chunk WHERE rec_id = ? ORDER BY t0", (rec_id,))
    return [Chunk(*row) for row in rows]


def add_chunk(connection: sqlite3.Connection, rec_id: int, chunk: Chunk) -> None:
    """Record a stretch as published and move the watermark to its end."""
    connection.execute("INSERT INTO chunk VALUES(?, ?, ?, ?)", (rec_id, chunk.t0, chunk.t1, chunk.voices))
    connection.execute("UPDATE recording SET heard_ms = ? WHERE id = ?", (chunk.t1, rec_id))


def close(connection: sqlite3.Connection, rec_id: int, duration_ms: int) -> None:
    """Set the decoded duration, and drop what only a resume would need."""
    connection.execute("UPDATE recording SET duration_ms = ? WHERE id = ?", (duration_ms, rec_id))
    connection.execute("UPDATE chunk SET voices = NULL WHERE rec_id = ?", (rec_id,))


def active(connection: sqlite3.Connection, rec_id: int) -> dict[StreamKind, int]:
    """Give the ids of a recording's active streams by kind."""
    rows = connection.execute("SELECT kind, id FROM stream WHERE rec_id = ? AND active = 1", (rec_id,))
    return {row[0]: row[1] for row in rows}


def turns(connection: sqlite3.Connection, stream_id: int) -> list[Turn]:
    """Give the turns of a speaker stream with their labels, in order of time."""
    rows = connection.execute(
        "SELECT t.t0, t.t1, s.label, t.score FROM turn t JOIN speaker s ON s.id = t.speaker_id"
        " WHERE t.stream_id = ? ORDER BY t.t0, t.id",
        (stream_id,),
    )
    return [Turn(*row) for row in rows]


def words(connection: sqlite3.Connection, stream_id: int) -> list[SpokenWord]:
    """Give the words of a transcript stream in the order they were heard."""
    rows = connection.execute(
        "SELECT w.t0, w.t1, w.text, w.score, s.language FROM segment s JOIN word w ON w.segment_id = s.id"
        " WHERE s.stream_id = ? ORDER BY w.t0, s.id, w.i",
        (stream_id,),
    )
    return [SpokenWord(Word(*row[:4]), row[4]) for row in rows]


def emotions(connection: sqlite3.Connection, stream_id: int) -> list[Emotion]:
    """Give the rows of an emotion stream, in order of time."""
    rows = connection.execute(
        "SELECT e.t0, e.t1, e.label, e.score, s.label, e.scores FROM emotion e LEFT JOIN speaker s"
        " ON s.id = e.speaker_id WHERE e.stream_id = ? ORDER BY e.t0, e.id",
        (stream_id,),
    )
    return [Emotion(t0, t1, label, score, voice, json.loads(scores)) for t0, t1, label, score, voice, scores in rows]


def events(connection: sqlite3.Connection, stream_id: int) -> list[Event]:
    """Give the rows of an events stream, in order of time."""
    rows = connection.execute(
        "SELECT t0, t1, label, score FROM event WHERE stream_id = ? ORDER BY t0, id", (stream_id,)
    )
    return [Event(*row) for row in rows]


def drop(connection: sqlite3.Connection, stream_ids: Sequence[int]) -> None:
    """Delete provisional versions with their rows; nothing that was ever final is dropped."""
    for stream_id in stream_ids:
        (kind,) = connection.execute("SELECT kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
        if kind == "transcript":
            ids = "SELECT id FROM segment WHERE stream_id = ?"
            connection.execute(f"DELETE FROM segment_fts WHERE rowid IN ({ids})", (stream_id,))
        connection.execute(f"DELETE FROM {TABLES[kind]} WHERE stream_id = ?", (stream_id,))
        connection.execute("DELETE FROM stream WHERE id = ?", (stream_id,))


def language(connection: sqlite3.Connection, rec_id: int) -> str | None:
    """Give the language most of the active transcript is in, None without any."""
    row = connection.execute(
        "SELECT g.language FROM segment g JOIN stream s ON s.id = g.stream_id AND s.active = 1"
        " WHERE g.rec_id = ? AND g.language IS NOT NULL GROUP BY 1 ORDER BY SUM(g.t1 - g.t0) DESC, 1 LIMIT 1",
        (rec_id,),
    ).fetchone()
    return None if row is None else str(row[0])


def grade(connection: sqlite3.Connection, stream_id: int) -> None:
    """Set a stream's health to the mean score of its rows, weighted by their length, where rows have scores."""
    (kind,) = connection.execute("SELECT kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
    connection.execute(
        f"UPDATE stream SET health = (SELECT SUM(score * (t1 - t0)) / SUM(t1 - t0) FROM {TABLES[kind]}"
        " WHERE stream_id = stream.id AND score IS NOT NULL) WHERE id = ? AND health IS NULL",
        (stream_id,),
    )
