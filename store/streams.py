"""Publishing a stream's rows: every row belongs to a version, and only the active version is asked.

`seq` goes on across versions and is never used again, so a citation of an older version stays unmistakable.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store import checks, timed, voicing
from store.errors import DataError
from store.keywords import normalise
from store.measured import Names
from store.migrations import MAX_SEQ, SEQ_BITS
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn

TABLES: Mapping[StreamKind, str] = {
    "transcript": "segment",
    "speaker": "turn",
    "emotion": "emotion",
    "events": "event",
}
MERGED_PAGES = 500
"""How much of the full-text index is written anew where rows were deleted, which it keeps and marks until then."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a version's rows come from: a recogniser or a file, its parameters, and the labels it can emit."""

    model: str
    params: Mapping[str, Any]
    labels: Sequence[str] | None = None
    health: float | None = None
    note: str | None = None


def new_version(
    connection: sqlite3.Connection, rec_id: int, kind: StreamKind, source: Source, *, active: bool = True
) -> int:
    """Start a new version of a stream and give its id; an active one replaces the active one."""
    (version,) = connection.execute(
        "SELECT COALESCE(MAX(version), 0) + 1 FROM stream WHERE rec_id = ? AND kind = ?", (rec_id, kind)
    ).fetchone()
    cursor = connection.execute(
        "INSERT INTO stream(rec_id, kind, version, active, model, params, labels, health, note)"
        " VALUES(?, ?, ?, 0, ?, ?, ?, ?, ?)",
        (
            rec_id,
            kind,
            version,
            source.model,
            json.dumps(dict(source.params), sort_keys=True),
            None if source.labels is None else json.dumps(list(source.labels)),
            source.health,
            source.note,
        ),
    )
    stream_id = cursor.lastrowid
    assert stream_id is not None
    if active:
        activate(connection, stream_id)
    return stream_id


def activate(connection: sqlite3.Connection, stream_id: int) -> None:
    """Make this version the one that is asked."""
    rec_id, kind = connection.execute("SELECT rec_id, kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
    connection.execute("UPDATE stream SET active = 0 WHERE rec_id = ? AND kind = ? AND active = 1", (rec_id, kind))
    connection.execute("UPDATE stream SET active = 1 WHERE id = ?", (stream_id,))


def publish(connection: sqlite3.Connection, stream_id: int, rows: Sequence[Row]) -> None:
    """Add rows to a version, in the order given; DataError when a recording has no room for more rows."""
    rec_id, kind = connection.execute("SELECT rec_id, kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
    first = _next_seq(connection, rec_id, TABLES[kind])
    if first + len(rows) > MAX_SEQ + 1:
        raise DataError(f"the {kind} stream has more than {MAX_SEQ + 1:,} rows; split the recording")
    voices, names = _Voices(connection, rec_id), Names(connection, stream_id)
    for seq, row in enumerate(rows, first):
        _insert(connection, (rec_id << SEQ_BITS) + seq, rec_id, stream_id, row, voices, names)
    longest = max((row.t1 - row.t0 for row in rows), default=0)
    connection.execute(
        "UPDATE stream SET rows = rows + ?, max_dur = MAX(max_dur, ?) WHERE id = ?", (len(rows), longest, stream_id)
    )
    voicing.settle(connection, rec_id, stream_id)


def hear_until(connection: sqlite3.Connection, rec_id: int, heard_ms: int) -> None:
    """Move the watermark of a recording and of the versions that are asked: everything before it has been heard."""
    connection.execute("UPDATE recording SET heard_ms = ? WHERE id = ?", (heard_ms, rec_id))
    connection.execute("UPDATE stream SET heard_ms = ? WHERE rec_id = ? AND active = 1", (heard_ms, rec_id))


def hear_version(connection: sqlite3.Connection, stream_id: int, heard_ms: int) -> None:
    """Move the watermark of one version, which is heard beside the one that is asked."""
    connection.execute("UPDATE stream SET heard_ms = ? WHERE id = ?", (heard_ms, stream_id))


def finish(connection: sqlite3.Connection, rec_id: int, language: str | None) -> None:
    """Mark a recording, with the versions that are asked, as heard to its end."""
    connection.execute(
        "UPDATE recording SET heard_ms = duration_ms, state = 'ready', language = ? WHERE id = ?", (language, rec_id)
    )
    connection.execute(
        "UPDATE stream SET heard_ms = (SELECT duration_ms FROM recording WHERE id = rec_id)"
        " WHERE rec_id = ? AND active = 1",
        (rec_id,),
    )


def inherit(connection: sqlite3.Connection, old: int, new: int) -> None:
    """Give a version what was found out about the one it is made of, and what was set aside there."""
    checks.add(connection, new, **checks.read(connection, old))
    connection.execute(
        "INSERT INTO aside(stream_id, t0, t1, text, reason)"
        " SELECT ?, t0, t1, text, reason FROM aside WHERE stream_id = ? ORDER BY id",
        (new, old),
    )


def active(connection: sqlite3.Connection, rec_id: int) -> dict[StreamKind, int]:
    """Give the ids of a recording's active streams by kind."""
    rows = connection.execute("SELECT kind, id FROM stream WHERE rec_id = ? AND active = 1", (rec_id,))
    return {row[0]: row[1] for row in rows}


def drop(connection: sqlite3.Connection, stream_ids: Sequence[int]) -> None:
    """Delete provisional versions with their rows; nothing that was ever final is dropped."""
    for stream_id in stream_ids:
        (kind,) = connection.execute("SELECT kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
        if kind == "transcript":
            ids = "SELECT id FROM segment WHERE stream_id = ?"
            connection.execute(f"DELETE FROM segment_fts WHERE rowid IN ({ids})", (stream_id,))
            connection.execute("INSERT INTO segment_fts(segment_fts, rank) VALUES('merge', ?)", (-MERGED_PAGES,))
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


class _Voices:
    """The ids of a recording's voices by label, made when first seen."""

    def __init__(self, connection: sqlite3.Connection, rec_id: int) -> None:
        self._connection, self._rec_id = connection, rec_id
        rows = connection.execute("SELECT label, id FROM speaker WHERE rec_id = ?", (rec_id,))
        self._ids: dict[str, int] = {row["label"]: row["id"] for row in rows}

    def id(self, label: str | None) -> int | None:
        if label is None:
            return None
        if label not in self._ids:
            cursor = self._connection.execute("INSERT INTO speaker(rec_id, label) VALUES(?, ?)", (self._rec_id, label))
            assert cursor.lastrowid is not None
            self._ids[label] = cursor.lastrowid
        return self._ids[label]


def _next_seq(connection: sqlite3.Connection, rec_id: int, table: str) -> int:
    low = rec_id << SEQ_BITS
    (highest,) = connection.execute(
        f"SELECT MAX(id) FROM {table} WHERE id BETWEEN ? AND ?", (low, low + MAX_SEQ)
    ).fetchone()
    return 0 if highest is None else int(highest) - low + 1


def _insert(
    connection: sqlite3.Connection, row_id: int, rec_id: int, stream_id: int, row: Row, voices: _Voices, names: Names
) -> None:
    place = (row_id, rec_id, stream_id, row.t0, row.t1)
    match row:
        case Segment():
            values = (*place, voices.id(row.speaker), row.text, row.language, row.score, timed.packed(row))
            connection.execute("INSERT INTO segment VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            connection.execute("INSERT INTO segment_fts(rowid, text) VALUES(?, ?)", (row_id, normalise(row.text)))
        case Turn():
            connection.execute(
                "INSERT INTO turn VALUES(?, ?, ?, ?, ?, ?, ?)", (*place, voices.id(row.speaker), row.score)
            )
        case Emotion():
            connection.execute(
                "INSERT INTO emotion VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*place, voices.id(row.speaker), row.label, row.score, names.packed(row.scores)),
            )
        case Event():
            connection.execute("INSERT INTO event VALUES(?, ?, ?, ?, ?, ?, ?)", (*place, row.label, row.score))
