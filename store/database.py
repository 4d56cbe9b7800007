"""One SQLite file a library, opened so that a reader goes on while one writer publishes.

Writers take `BEGIN IMMEDIATE` (a deferred one fails under contention); a crash loses at most what was not committed.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from store.errors import StoreError
from store.keywords import normalise
from store.migrations import MIGRATIONS, SCHEMA_VERSION

FILE = "overheard.sqlite3"
BUSY_SECONDS = 30.0
# What is wrong with the file or the disk, never with a statement of ours.
_BROKEN = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}


class Database:
    """A library's SQLite file: `reader()` gives a read-only connection, `writing()` one immediate transaction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = (folder / FILE).absolute()

    @classmethod
    def open(cls, folder: Path) -> "Database":
        """Open the library in a folder, making or migrating it; StoreError when it cannot be used."""
        database = cls(folder)
        try:
            database._make_private()
            database._migrate()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the library {folder} cannot be opened ({_reason(error, folder)}); choose another with --library DIR"
            ) from error
        return database

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """Give a read-only connection that sees one snapshot until it is left."""
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
        connection.isolation_level = None
        _provide(connection)
        try:
            connection.execute("BEGIN")
            yield connection
        except sqlite3.DatabaseError as error:
            if not _broken(error):
                raise
            raise StoreError(f"the library {self.folder} cannot be read ({_reason(error, self.folder)})") from error
        finally:
            connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection inside one immediate transaction: committed at the end, rolled back on any error."""
        connection = self._writer()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if not _broken(error):
                raise
            raise StoreError(f"the library {self.folder} cannot be written ({_reason(error, self.folder)})") from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.close()

    @contextmanager
    def maintenance(self) -> Iterator[sqlite3.Connection]:
        """Give a writing connection outside any transaction (VACUUM, checkpoint)."""
        connection = self._writer()
        try:
            yield connection
        finally:
            connection.close()

    def _writer(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        _provide(connection)
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA secure_delete=ON")
        return connection

    def _make_private(self) -> None:
        """Make the folder and the file for their owner alone; SQLite gives its log the file's own mode."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            if [path.name for path in self.folder.iterdir()] == [FILE]:
                self.folder.chmod(0o700)

    def _back_up(self, connection: sqlite3.Connection, version: int) -> None:
        """Copy through SQLite, because the newest pages may still be in the log."""
        path = self.path.with_suffix(f".schema{version}.sqlite3")
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path)) as copy:
            connection.backup(copy)

    def _migrate(self) -> None:
        with self.maintenance() as connection:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if version > SCHEMA_VERSION:
                raise StoreError(
                    f"the library {self.folder} was written by a newer Overheard (schema {version}, this one knows "
                    f"{SCHEMA_VERSION}); upgrade Overheard or choose another with --library DIR"
                )
            if version == SCHEMA_VERSION:
                return
            connection.execute("PRAGMA journal_mode=WAL")
            if version:
                self._back_up(connection, version)
            connection.execute("BEGIN IMMEDIATE")
            current = int(connection.execute("PRAGMA user_version").fetchone()[0])
            for step in MIGRATIONS[current:]:
                step(connection)
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            connection.execute("COMMIT")


def _provide(connection: sqlite3.Connection) -> None:
    """Give a connection rows with names, and the function by which the full-text index reads a segment's text."""
    connection.row_factory = sqlite3.Row
    connection.create_function("normal_form", 1, normalise, deterministic=True)
    connection.execute("PRAGMA trusted_schema=ON")


def _broken(error: sqlite3.Error) -> bool:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _BROKEN


def _reason(error: Exception, folder: Path) -> str:
    """Say what is wrong with the disk where SQLite only says that it could not."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, sqlite3.Error) and folder.is_dir():
        if shutil.disk_usage(folder).free == 0:
            return "the disk is full"
        if not os.access(folder, os.W_OK):
            return "its folder cannot be written"
    return text.lower()
