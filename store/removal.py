"""Removing a recording so that nothing of it stays in the library's folder: rows, index, traces, free pages, the log.

SQLite keeps deleted text in free pages, FTS5 in old index segments, a backup of an older schema in a whole copy.
"""

import sqlite3

from store.database import Database
from store.errors import StoreError
from store.migrations import MAX_SEQ, SEQ_BITS
from store.recordings import Recording


def remove(database: Database, recording: Recording) -> None:
    """Remove one recording and every trace that mentions it; StoreError when another process keeps the library."""
    with database.writing() as connection:
        low = recording.id << SEQ_BITS
        connection.execute("DELETE FROM segment_fts WHERE rowid BETWEEN ? AND ?", (low, low + MAX_SEQ))
        connection.execute(
            "DELETE FROM trace WHERE instr(recordings, ?1) OR instr(COALESCE(reply, ''), ?1)", (recording.public_id,)
        )
        connection.execute("DELETE FROM recording WHERE id = ?", (recording.id,))
    try:
        with database.maintenance() as connection:
            connection.execute("INSERT INTO segment_fts(segment_fts) VALUES('optimize')")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"{recording.public_id} is removed, but its freed pages could not be cleared ({error}); "
            "close other programs that use the library, then run `overheard rm` again on any recording"
        ) from error
    for backup in database.folder.glob(f"{database.path.stem}.schema*.sqlite3"):
        backup.unlink()
