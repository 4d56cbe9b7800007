"""What was found out about a stream's rows, kept with its version, and the rows as light as checks need them."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from store.record import StreamKind

_ROWS: Mapping[StreamKind, str] = {
    "transcript": "SELECT t0, t1, text, speaker_id, score FROM segment WHERE stream_id = ? ORDER BY t0, id",
    "speaker": "SELECT t0, t1, '', speaker_id, score FROM turn WHERE stream_id = ? ORDER BY t0, id",
    "emotion": "SELECT t0, t1, label, speaker_id, score FROM emotion WHERE stream_id = ? ORDER BY t0, id",
    "events": "SELECT t0, t1, label, NULL, score FROM event WHERE stream_id = ? ORDER BY t0, id",
}


def told(connection: sqlite3.Connection, stream_id: int, kind: StreamKind) -> Iterator[tuple[Any, ...]]:
    """Give (t0, t1, text or label, voice's id, score) of a version's rows, in order of time."""
    return (tuple(row) for row in connection.execute(_ROWS[kind], (stream_id,)))


def aside_words(connection: sqlite3.Connection, stream_id: int) -> int:
    """Give how many words of a version were set aside."""
    texts = connection.execute("SELECT text FROM aside WHERE stream_id = ?", (stream_id,))
    return sum(len(row[0].split()) for row in texts)


def read(connection: sqlite3.Connection, stream_id: int) -> dict[str, Any]:
    """Give what was found out about a version's rows."""
    (text,) = connection.execute("SELECT checks FROM stream WHERE id = ?", (stream_id,)).fetchone()
    found: dict[str, Any] = json.loads(text)
    return found


def add(connection: sqlite3.Connection, stream_id: int, **found: Any) -> None:
    """Add to what was found out about a version's rows."""
    merged = json.dumps(read(connection, stream_id) | found, sort_keys=True, ensure_ascii=False)
    connection.execute("UPDATE stream SET checks = ? WHERE id = ?", (merged, stream_id))


def grade(connection: sqlite3.Connection, stream_id: int, health: float | None) -> None:
    """Set the health of a version."""
    connection.execute("UPDATE stream SET health = ? WHERE id = ?", (health, stream_id))
