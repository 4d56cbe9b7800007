"""The ingest's ledger: which stretches were published, and the voices heard in them; a kill costs one stretch.

The voices stay when all is heard, so that another number of speakers needs no second listening.
"""

import sqlite3
from dataclasses import dataclass

from store.streams import hear_until


@dataclass(frozen=True, slots=True)
class Chunk:
    """One published stretch [t0, t1) in milliseconds; `voices` is the speaker recogniser's own serialisation.

    None where voices could not be heard.
    """

    t0: int
    t1: int
    voices: bytes | None


def chunks(connection: sqlite3.Connection, rec_id: int) -> list[Chunk]:
    """Give the stretches published so far, in order."""
    rows = connection.execute("SELECT t0, t1, voices FROM chunk WHERE rec_id = ? ORDER BY t0", (rec_id,))
    return [Chunk(*row) for row in rows]


def add_chunk(connection: sqlite3.Connection, rec_id: int, chunk: Chunk) -> None:
    """Record a stretch as published and move the watermark to its end, which a wrong header may lie before."""
    connection.execute("INSERT INTO chunk VALUES(?, ?, ?, ?)", (rec_id, chunk.t0, chunk.t1, chunk.voices))
    connection.execute("UPDATE recording SET duration_ms = MAX(duration_ms, ?) WHERE id = ?", (chunk.t1, rec_id))
    hear_until(connection, rec_id, chunk.t1)


def keep_voices(connection: sqlite3.Connection, rec_id: int, chunk: Chunk) -> None:
    """Replace the voices of a stretch by those that another recogniser heard in it."""
    connection.execute("UPDATE chunk SET voices = ? WHERE rec_id = ? AND t0 = ?", (chunk.voices, rec_id, chunk.t0))


def close(connection: sqlite3.Connection, rec_id: int, duration_ms: int) -> None:
    """Set the decoded duration."""
    connection.execute("UPDATE recording SET duration_ms = ? WHERE id = ?", (duration_ms, rec_id))
