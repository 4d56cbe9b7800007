"""Removing a recording so that nothing of it stays in the library's folder: rows, index, traces, free pages, the log.

SQLite keeps deleted text in free pages and in the log, FTS5 in old index segments, a backup of an older schema in a
whole copy, a vector index in files of its own; the last two are dropped, because both can be made again.
"""

import shutil
import sqlite3

from store.database import BUSY_SECONDS, Database
from store.errors import StoreError
from store.lock import hold, lock_path
from store.migrations import MAX_SEQ, SEQ_BITS
from store.recordings import Recording
from store.threads import Threads

VECTORS = "vectors"


# What was typed in chats; questions quote recordings, and nothing in it says which one.
TYPED = "chat_history"


def remove(database: Database, recording: Recording) -> None:
    """Remove one recording, every trace and conversation that could read it, and what was typed in chats.

    StoreError when the recording is being heard or spoken about, or when its pages stay in use.
    """
    with hold(database.folder, recording.sha256[:16]):
        Threads(database.folder).forget(recording.public_id)
        _remove(database, recording)
    _clear(database, recording)


def _remove(database: Database, recording: Recording) -> None:
    low = recording.id << SEQ_BITS
    with database.writing() as connection:
        connection.execute("DELETE FROM segment_fts WHERE rowid BETWEEN ? AND ?", (low, low + MAX_SEQ))
        connection.execute("DELETE FROM trace WHERE instr(recordings, ?)", (f'"{recording.public_id}"',))
        connection.execute("DELETE FROM recording WHERE id = ?", (recording.id,))
    for backup in database.folder.glob(f"{database.path.stem}.schema*"):
        backup.unlink()
    (database.folder / TYPED).unlink(missing_ok=True)
    shutil.rmtree(database.folder / VECTORS, ignore_errors=True)
    lock_path(database.folder, recording.sha256[:16]).unlink(missing_ok=True)


def _clear(database: Database, recording: Recording) -> None:
    try:
        with database.maintenance() as connection:
            connection.execute("INSERT INTO segment_fts(segment_fts) VALUES('optimize')")
            connection.execute("VACUUM")
            connection.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 100)}")
            busy = bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
    except sqlite3.OperationalError as error:
        raise _still_there(recording, str(error)) from error
    if busy:
        raise _still_there(recording, "another program reads the library: SQLite clears its log when that ends")


def _still_there(recording: Recording, why: str) -> StoreError:
    return StoreError(
        f"{recording.public_id} is removed, but its freed pages could not be cleared ({why});"
        " close other programs that use the library; the pages go with the next recording that is removed"
    )
