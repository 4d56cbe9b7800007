"""Whether anything can be found by meaning at all: vectors are made when a recording is heard, if the model is here."""

import sqlite3
from collections.abc import Iterable

from store.vectors import MODEL


def has_vectors(connection: sqlite3.Connection, stream_ids: Iterable[int]) -> bool:
    """Say whether any segment of these transcripts has a vector."""
    sql = (
        "SELECT EXISTS (SELECT 1 FROM segment s JOIN embedding e ON e.segment_id = s.id"
        " WHERE s.stream_id = ? AND e.model = ?)"
    )
    return any(connection.execute(sql, (stream_id, MODEL)).fetchone()[0] for stream_id in stream_ids)
