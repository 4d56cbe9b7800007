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


def read(connection: sqlite3.Connection, stream_id: int) -> tuple[dict[str, Any], float | None]:
    """Give what is kept of a version's checks, and its health."""
    row = connection.execute("SELECT checks, health FROM stream WHERE id = ?", (stream_id,)).fetchone()
    return json.loads(row["checks"]), row["health"]


def write(connection: sqlite3.Connection, stream_id: int, checks: Mapping[str, Any], health: float | None) -> None:
    """Keep a version's checks and its health."""
    text = json.dumps(dict(checks), sort_keys=True, ensure_ascii=False)
    connection.execute("UPDATE stream SET checks = ?, health = ? WHERE id = ?", (text, health, stream_id))
