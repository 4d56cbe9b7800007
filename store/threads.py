"""Which conversations a library holds and what they could read, beside their checkpoints in a file of their own.

A conversation quotes recordings, so it goes with the first of those it could read; what it holds is overwritten.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from store.database import BUSY_SECONDS
from store.errors import NotFound, StoreError
from store.listing import listed
from store.lock import hold, lock_path

FILE = "threads.sqlite3"
_TABLE = """CREATE TABLE IF NOT EXISTS thread (id TEXT PRIMARY KEY, scope TEXT NOT NULL, recording TEXT,
  question TEXT NOT NULL, turns INTEGER NOT NULL, used TEXT NOT NULL)"""
_HELD = ("checkpoints", "writes")


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation: the recording it is about (None: the library), its first question, when it was last used."""

    id: str
    recording: str | None
    question: str
    turns: int
    used: str


class Threads:
    """The conversations of a library's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / FILE

    def connect(self) -> sqlite3.Connection:
        """Open the file, which only the user can read; StoreError when it cannot be used."""
        try:
            if not self.path.exists():  # closing a file that this process has open elsewhere would drop SQLite's locks
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, check_same_thread=False)
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the conversations in {self.folder} cannot be opened ({error})") from error
        return connection

    @contextmanager
    def held(self, thread: str) -> Iterator[None]:
        """Hold one conversation; StoreError says which process goes on with it already."""
        with hold(self.folder, _lock(thread), "this conversation", "continued"):
            yield

    def note(self, thread: str, scope: Sequence[str], recording: str | None, question: str) -> None:
        """Note that a turn begins, or goes on (no question), before anything of it is kept; it can read `scope`."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        with closing(self.connect()) as connection, connection:
            row = connection.execute("SELECT scope FROM thread WHERE id = ?", (thread,)).fetchone()
            known: list[str] = [] if row is None else json.loads(row[0])
            both = json.dumps(list(dict.fromkeys((*known, *scope))))
            connection.execute(
                "INSERT INTO thread VALUES (?1, ?2, ?3, ?4, 1, ?5) ON CONFLICT (id) DO UPDATE SET"
                " scope = excluded.scope, recording = excluded.recording, used = excluded.used,"
                " turns = turns + (?4 <> '')",
                (thread, both, recording, question, now),
            )

    def every(self) -> list[Thread]:
        """Give all conversations, the last used first."""
        if not self.path.exists():
            return []
        with closing(self.connect()) as connection:
            found = connection.execute("SELECT id, recording, question, turns, used FROM thread ORDER BY used DESC, id")
            return [Thread(*row) for row in found]

    def find(self, key: str) -> Thread:
        """Give the conversation of this id or unique beginning of it; NotFound says which there are."""
        every = self.every()
        found = [one for one in every if one.id == key] or [one for one in every if key and one.id.startswith(key)]
        if len(found) == 1:
            return found[0]
        there = listed([one.id for one in found or every], 5)
        what = f"'{key}' is the beginning of several" if found else f"no conversation '{key}'"
        raise NotFound(f"{what}; there are: {there}" if there else f"{what}: none was held yet")

    def prune(self, thread: str) -> None:
        """Keep only where a conversation stands: its turns are all in there."""
        with closing(self.connect()) as connection, connection:
            for table in _HELD:
                if _has(connection, table):
                    connection.execute(
                        f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id <"
                        " (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?)",
                        (thread, thread),
                    )

    def forget(self, recording: str) -> None:
        """Remove every conversation that could read a recording, so that none of its text stays in the file."""
        if not self.path.exists():
            return
        with closing(self.connect()) as connection, ExitStack() as locks:
            named = (f'"{recording}"',)
            rows = connection.execute("SELECT id FROM thread WHERE instr(scope, ?)", named).fetchall()
            gone = [str(row[0]) for row in rows]
            for thread in gone:
                locks.enter_context(self.held(thread))
            with connection:
                for thread in gone:
                    for table in filter(lambda name: _has(connection, name), _HELD):
                        connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread,))
                    connection.execute("DELETE FROM thread WHERE id = ?", (thread,))
            _clear(connection)
        for thread in gone:
            lock_path(self.folder, _lock(thread)).unlink(missing_ok=True)


def _clear(connection: sqlite3.Connection) -> None:
    """Give freed pages back and empty the log; StoreError when another program reads on."""
    try:
        connection.execute("VACUUM")
        busy = bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"the conversations could not be cleared ({error}); close other chats of the library"
        ) from error
    if busy:
        raise StoreError("the conversations could not be cleared: another program reads them; close it and try again")


def _has(connection: sqlite3.Connection, table: str) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone())


def _lock(thread: str) -> str:
    return f"thread {thread}"
