"""The fence's second half: a connection that cannot write, sees the question's rows alone, and stops in time.

Each layer holds by itself; `Layers` exists so that tests can show it by switching the others off. Full-text search
cannot run behind the authorizer (FTS5 reads its own tables outside any view), so keywords are resolved before, by
trusted code, into `keyword_hit`.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from store import timed, views
from store.allowed import FUNCTIONS
from store.catalog import Catalog
from store.database import BUSY_SECONDS, Database
from store.errors import SqlRefused
from store.guard import MODEL, Limits, check
from store.keywords import Hit
from store.printf import printf

MAX_TEXT = 1_000_000
GRACE = 0.25
_STEPS = 2_000
_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 5,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 4,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 400,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 64,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_TEXT,
}


@dataclass(frozen=True, slots=True)
class Layers:
    """Which layers hold; all of them, except in tests of the others."""

    guard: bool = True
    regenerate: bool = True
    readonly: bool = True
    query_only: bool = True
    trusted_schema: bool = True
    limits: bool = True
    scope: bool = True
    two_levels: bool = True
    authorizer: bool = True
    functions: bool = True
    clock: bool = True
    rows: bool = True
    text: bool = True
    wall: bool = True


@dataclass(frozen=True, slots=True)
class Result:
    """What a statement gave; `truncated` when rows or text were cut."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    truncated: bool
    milliseconds: float


class Fence:
    """One question's fenced connection and snapshot; not for two threads at once."""

    def __init__(self, connection: sqlite3.Connection, scope: Catalog, layers: Layers) -> None:
        self._connection, self._scope, self._layers = connection, scope, layers
        self._worker: threading.Thread | None = None
        self._counted = False
        self._readable = views.create(connection, scope if layers.scope else None, two_levels=layers.two_levels)
        self._close_in()

    def run(self, sql: str, limits: Limits = MODEL) -> Result:
        """Check a statement and run it; SqlRefused says why not."""
        checked = check(sql, limits) if self._layers.guard else sql
        text = checked if self._layers.regenerate else sql
        if limits.hidden and f" {views.NUMBERS} " in text:
            self._count()
        began = time.monotonic()
        columns, rows, truncated = self._in_time(lambda: self._rows(text, limits), limits.seconds)
        return Result(columns, rows, truncated, (time.monotonic() - began) * 1000)

    def add_hits(self, hits: Sequence[Hit]) -> None:
        """Add keyword hits, those in the question's scope; SqlRefused while a statement cannot be stopped."""
        self._refuse_when_stuck()
        self._open_up()
        try:
            self._connection.executemany(
                f"INSERT INTO temp.{views.HITS} SELECT ?1, s.id, ?3, ?4 FROM main.segment s"
                f" WHERE s.id = ?2 AND {views.in_scope(self._scope, 'transcript')}",
                [(hit.term, hit.segment_id, hit.rank, hit.occurrences) for hit in hits],
            )
        finally:
            self._close_in()

    def close(self) -> None:
        """Close the connection; a statement that could not be stopped keeps it until it ends."""
        if self._worker is None or not self._worker.is_alive():
            self._connection.close()

    def _count(self) -> None:
        """Fill the numbers that compiled plans read, once: one for every second that a row in scope can lie in."""
        if self._counted:
            return
        entries = self._scope.recordings
        longest = max((state.max_dur for entry in entries for state in entry.streams.values()), default=0)
        last = max((entry.recording.duration_ms for entry in entries), default=0) + longest
        self._refuse_when_stuck()
        self._open_up()
        try:
            self._connection.execute(
                f"INSERT INTO temp.{views.NUMBERS} WITH RECURSIVE counted(n) AS"
                " (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < ?1) SELECT n FROM counted",
                (last // 1000 + 1,),
            )
            self._counted = True
        finally:
            self._close_in()

    def _close_in(self) -> None:
        layers, connection = self._layers, self._connection
        if layers.query_only:
            connection.execute("PRAGMA query_only=ON")
        if layers.authorizer or layers.functions:
            connection.set_authorizer(self._authorized)
        for limit, value in _LIMITS.items() if layers.limits else ():
            connection.setlimit(limit, value)

    def _open_up(self) -> None:
        self._connection.set_authorizer(None)
        self._connection.execute("PRAGMA query_only=OFF")

    def _authorized(self, action: int, one: str | None, two: str | None, base: str | None, inside: str | None) -> int:
        """Answer SQLite's authorizer; names come as they were typed, or None."""
        if action == sqlite3.SQLITE_FUNCTION:
            name, view = (two or "").lower(), (inside or "").lower()
            fine = not self._layers.functions or name in FUNCTIONS or self._readable.calls_in(name, view)
        elif not self._layers.authorizer:
            fine = True
        elif action == sqlite3.SQLITE_READ:
            fine = self._readable.allows((one or "").lower(), (two or "").lower(), base, (inside or "").lower())
        else:
            fine = action == sqlite3.SQLITE_SELECT
        return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY

    def _in_time(self, work: Callable[[], "_Rows"], seconds: float) -> "_Rows":
        self._refuse_when_stuck()
        deadline = time.monotonic() + seconds
        if self._layers.clock:
            self._connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
        if not self._layers.wall:
            return _reworded(work, seconds)
        done: list[_Rows | SqlRefused] = []
        self._worker = threading.Thread(target=_keep, args=(done, work, seconds), daemon=True)
        self._worker.start()
        self._worker.join(seconds + GRACE)
        if not done:
            self._connection.interrupt()
            raise _too_slow(seconds)
        if isinstance(done[0], SqlRefused):
            raise done[0]
        return done[0]

    def _refuse_when_stuck(self) -> None:
        if self._worker is not None and self._worker.is_alive():
            self._worker.join(GRACE)
            if self._worker.is_alive():
                raise SqlRefused("an earlier statement cannot be stopped; ask again")

    def _tells_inner_names(self, rows: list[tuple[Any, ...]]) -> bool:
        secret = self._readable.suffix
        return any(isinstance(cell, str) and secret in cell for row in rows for cell in row)

    def _rows(self, text: str, limits: Limits) -> "_Rows":
        cursor = self._connection.execute(text)
        columns = tuple(column[0] for column in cursor.description or ())
        rows = cursor.fetchmany(limits.rows + 1) if self._layers.rows else cursor.fetchall()
        cursor.close()
        if self._tells_inner_names(rows):
            raise SqlRefused("query plans are not shown; send the SELECT itself")
        kept = rows[: limits.rows] if self._layers.rows else rows
        short = _cut(kept, MAX_TEXT) if self._layers.text else kept
        return columns, short, len(rows) > len(kept) or short is not kept


_Rows = tuple[tuple[str, ...], list[tuple[Any, ...]], bool]


@contextmanager
def open_fence(
    database: Database, catalog: Catalog, hits: Sequence[Hit] = (), *, layers: Layers | None = None
) -> Iterator[Fence]:
    """Open the fence around a catalog's recordings: one read snapshot, until it is left."""
    fence = Fence(_connect(database, layers or Layers()), catalog, layers or Layers())
    try:
        if hits:
            fence.add_hits(hits)
        yield fence
    finally:
        fence.close()


def _connect(database: Database, layers: Layers) -> sqlite3.Connection:
    mode = "ro" if layers.readonly else "rw"
    connection = sqlite3.connect(
        f"{database.path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None,
        check_same_thread=False, cached_statements=0,
    )  # fmt: skip
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    connection.execute("PRAGMA temp_store=MEMORY")
    if layers.trusted_schema:
        connection.execute("PRAGMA trusted_schema=OFF")
    if layers.functions:
        for name in ("printf", "format"):
            connection.create_function(name, -1, printf, deterministic=True)
    timed.provide(connection)
    connection.execute("BEGIN")
    connection.execute("SELECT id FROM recording LIMIT 1").fetchone()
    return connection


def _keep(done: list[_Rows | SqlRefused], work: Callable[[], _Rows], seconds: float) -> None:
    try:
        done.append(_reworded(work, seconds))
    except SqlRefused as refusal:
        done.append(refusal)


def _reworded(work: Callable[[], _Rows], seconds: float) -> _Rows:
    try:
        return work()
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError) as error:
        if "interrupted" in str(error):
            raise _too_slow(seconds) from None
        raise SqlRefused(f"SQLite refuses the statement: {error}; the views are: {_views()}") from error


def _too_slow(seconds: float) -> SqlRefused:
    return SqlRefused(f"the statement takes longer than {seconds:g} s; join fewer rows, bound the times, or use fuse")


def _views() -> str:
    return "; ".join(views.schema().splitlines())


def _cut(rows: list[tuple[Any, ...]], room: int) -> list[tuple[Any, ...]]:
    kept: list[tuple[Any, ...]] = []
    for row in rows:
        size = sum(len(cell) for cell in row if isinstance(cell, str))
        if size > room:
            return [*kept, tuple(cell[: room // len(row)] if isinstance(cell, str) else cell for cell in row)]
        room -= size
        kept.append(row)
    return rows
