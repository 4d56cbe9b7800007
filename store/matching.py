"""Which segments match a full-text phrase: one statement for all transcripts asked, not one each.

FTS5 reads every match in the library to rank those of one statement, so a thousand statements would read it a
thousand times.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence

from store.migrations import MAX_SEQ, SEQ_BITS

Match = tuple[int, int, str, float]


def matching(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], phrase: str) -> Iterator[Match]:
    """Give transcript, segment, normalised text and rank (BM25) of each match in transcripts.

    Transcripts are given as (recording, active stream) ids; the phrase is in FTS5's own form.
    """
    recordings = [rec_id for rec_id, _ in stream_ids]
    if not recordings:
        return iter(())
    # A cross join keeps the index in the outer loop.
    return connection.execute(
        "SELECT s.stream_id, f.rowid, f.text, f.rank FROM segment_fts f CROSS JOIN segment s ON s.id = f.rowid"
        " WHERE segment_fts MATCH ? AND f.rowid BETWEEN ? AND ? AND s.stream_id IN (SELECT value FROM json_each(?))",
        (
            phrase,
            min(recordings) << SEQ_BITS,
            (max(recordings) << SEQ_BITS) + MAX_SEQ,
            json.dumps([stream_id for _, stream_id in stream_ids]),
        ),
    )
