"""Segments nearest in meaning, searched among the rows that the query's other filters leave.

Filtering after an approximate search loses what is rare (a speaker of one row in a thousand), so vectors are scanned
exactly wherever a filter or a single recording narrows them; only the whole library goes through its index.
"""

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from store.catalog import Catalog, RecordingCatalog
from store.database import Database
from store.keywords import Hit
from tools.speaker.names import resolve
from tools.transcript.query import TranscriptQuery

if TYPE_CHECKING:
    from store.vectors import Vectors

MOST = 24
LEAST = 0.25


def similar(
    database: Database,
    connection: sqlite3.Connection,
    catalog: Catalog,
    query: TranscriptQuery,
    embed: "Callable[[str], Vectors] | None",
) -> list[Hit]:
    """Give the at most 24 nearest segments, those with a cosine of at least 0.25, as hits of `~` and the text.

    `embed` gives one vector of shape (384,) or (1, 384).
    """
    from store.vectors import across, nearest

    assert query.semantic is not None
    assert embed is not None
    entries = [entry for entry in catalog.recordings if "transcript" in entry.streams and _speaks(entry, query)]
    narrowed = query.speaker is not None or query.start is not None or query.end is not None
    vector = embed(query.semantic).reshape(-1)
    streams = [entry.streams["transcript"].id for entry in entries]
    if narrowed or len(streams) < 2:
        among = _left(connection, entries, query) if narrowed else None
        found = nearest(connection, streams, vector, MOST, among)
    else:
        found = across(database, connection, streams, vector, MOST)
    term = f"~{query.semantic}"
    return [Hit(term, near.segment_id, -near.similarity) for near in found if near.similarity >= LEAST]


def _speaks(entry: RecordingCatalog, query: TranscriptQuery) -> bool:
    return query.speaker is None or bool(resolve(entry, query.speaker))


def _left(connection: sqlite3.Connection, entries: list[RecordingCatalog], query: TranscriptQuery) -> set[int]:
    found: set[int] = set()
    for entry in entries:
        state, asked = entry.streams["transcript"], query.within(entry.recording.duration_ms)
        rows = connection.execute(
            "SELECT id, speaker_id FROM segment WHERE stream_id = ? AND t0 > ? AND t0 < ? AND t1 > ?",
            (state.id, asked.t0 - state.max_dur - 1, asked.t1, asked.t0),
        )
        voices = None if query.speaker is None else {voice.id for voice in resolve(entry, query.speaker)}
        found |= {row[0] for row in rows if voices is None or row[1] in voices}
    return found
