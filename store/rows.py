"""Reading a stream's rows back as the values they were published as, in order of time; `speaker` is a voice's label."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from store import timed
from store.measured import Names
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.streams import TABLES


def rows(connection: sqlite3.Connection, stream_id: int, kind: StreamKind) -> list[Row]:
    """Give the rows of one version of any stream."""
    return list(_READ[kind](connection, stream_id))


def segments(connection: sqlite3.Connection, stream_id: int) -> list[Segment]:
    """Give the segments of a transcript with their words."""
    return [
        Segment(
            r["t0"],
            r["t1"],
            r["text"],
            r["voice"],
            timed.unpacked(r["words"], r["t0"], r["text"]),
            r["language"],
            r["score"],
        )
        for r in _stored(connection, stream_id, "transcript")
    ]


def first_said(connection: sqlite3.Connection, stream_id: int, voice: int, most: int) -> list[Segment]:
    """Give the first segments of one voice, by its id, without their words."""
    found = connection.execute(
        "SELECT s.*, v.label AS voice FROM segment s JOIN speaker v ON v.id = s.speaker_id"
        " WHERE s.stream_id = ? AND s.speaker_id = ? ORDER BY s.t0, s.t1, s.id LIMIT ?",
        (stream_id, voice, most),
    )
    return [Segment(r["t0"], r["t1"], r["text"], r["voice"], (), r["language"], r["score"]) for r in found]


def turns(connection: sqlite3.Connection, stream_id: int) -> list[Turn]:
    """Give the turns of a speaker stream."""
    return [Turn(r["t0"], r["t1"], r["voice"], r["score"]) for r in _stored(connection, stream_id, "speaker")]


def emotions(connection: sqlite3.Connection, stream_id: int) -> list[Emotion]:
    """Give the rows of an emotion stream with their distributions."""
    names = Names(connection, stream_id)
    return [
        Emotion(r["t0"], r["t1"], r["label"], r["score"], r["voice"], names.unpacked(r["scores"]))
        for r in _stored(connection, stream_id, "emotion")
    ]


def events(connection: sqlite3.Connection, stream_id: int) -> list[Event]:
    """Give the rows of an events stream."""
    return [Event(r["t0"], r["t1"], r["label"], r["score"]) for r in _stored(connection, stream_id, "events")]


def _stored(connection: sqlite3.Connection, stream_id: int, kind: StreamKind) -> sqlite3.Cursor:
    voiced = kind != "events"
    return connection.execute(
        f"SELECT r.*{', v.label AS voice' if voiced else ''} FROM {TABLES[kind]} r"
        + (" LEFT JOIN speaker v ON v.id = r.speaker_id" if voiced else "")
        + " WHERE r.stream_id = ? ORDER BY r.t0, r.t1, r.id",
        (stream_id,),
    )


_READ: Mapping[StreamKind, Callable[[sqlite3.Connection, int], Sequence[Row]]] = {
    "transcript": segments,
    "speaker": turns,
    "emotion": emotions,
    "events": events,
}
