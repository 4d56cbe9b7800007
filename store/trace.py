"""The trace of a question: spans named after the GenAI conventions (invoke_agent, chat, execute_tool).

Spans are kept in memory and written in one transaction when the question ends, also when it ends badly. Times are
seconds since the question, from the monotonic clock; order is by id. Whatever is written is redacted first.
"""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from store.database import Database
from store.errors import NotFound
from store.redact import redact, redacted, secret_values

AGENT = "overheard"


@dataclass(frozen=True, slots=True)
class Span:
    """One step: what was called with what, when it began and ended (None: it never ended), what came of it."""

    id: int
    parent: int | None
    name: str
    t_start: float
    t_end: float | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    result_ref: str | None = None
    error: str | None = None
    stream_versions: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """One question with its spans; `reply` is None when it never came to one."""

    id: str
    at: str
    question: str
    recordings: tuple[str, ...]
    reply: Mapping[str, Any] | None
    spans: tuple[Span, ...] = ()


class TraceLog:
    """The trace of one question as it is made; `recordings` are public ids."""

    def __init__(self, question: str, recordings: Sequence[str], stream_versions: Mapping[str, int] | None = None):
        self.id = secrets.token_hex(6)
        self._at = datetime.now(UTC).isoformat(timespec="seconds")
        self._question, self._recordings = question, tuple(recordings)
        self._versions = dict(stream_versions or {})
        self._began = time.monotonic()
        self._spans: list[Span] = []
        self._open: list[int] = []
        self._reply: Mapping[str, Any] | None = None

    @contextmanager
    def span(self, name: str, args: Mapping[str, Any] | None = None) -> Iterator["Running"]:
        """Record a step while it runs; an exception is noted and goes on."""
        running = Running(self, self._add(name, args or {}, self._now(), None))
        self._open.append(running.id)
        try:
            yield running
        except BaseException as error:
            running.note(error=f"{type(error).__name__}: {error}")
            raise
        finally:
            self._open.remove(running.id)
            self._replace(running.id, t_end=self._now())

    def record(
        self,
        name: str,
        args: Mapping[str, Any],
        seconds: float,
        result_ref: str | None = None,
        error: str | None = None,
    ) -> int:
        """Record a step that has just ended, and give its span's id."""
        now = self._now()
        number = self._add(name, args, max(0.0, now - seconds), now)
        self._replace(number, result_ref=result_ref, error=error)
        return number

    def finish(self, reply: Mapping[str, Any]) -> None:
        """Keep the reply that the question came to."""
        self._reply = reply

    def save(self, database: Database) -> None:
        """Write the trace and its spans in one transaction; StoreError when the library cannot be written."""
        hidden = secret_values()
        reply = None if self._reply is None else _json(self._reply, hidden)
        row = (self.id, self._at, redact(self._question, hidden), json.dumps(list(self._recordings)), reply)
        spans = [self._row(span, hidden) for span in self._spans]
        with database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO trace VALUES(?, ?, ?, ?, ?)", row)
            connection.executemany("INSERT OR REPLACE INTO span VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", spans)

    def _row(self, span: Span, hidden: Sequence[str]) -> tuple[Any, ...]:
        result = None if span.result_ref is None else redact(span.result_ref, hidden)
        error = None if span.error is None else redact(span.error, hidden)
        times = (round(span.t_start, 6), None if span.t_end is None else round(span.t_end, 6))
        name, args = redact(span.name, hidden), _json(span.args, hidden)
        return (self.id, span.id, span.parent, name, *times, args, result, error, _json(self._versions, hidden))

    def _add(self, name: str, args: Mapping[str, Any], start: float, end: float | None) -> int:
        parent = self._open[-1] if self._open else None
        self._spans.append(Span(len(self._spans) + 1, parent, name, start, end, dict(args)))
        return len(self._spans)

    def _replace(self, number: int, **changes: Any) -> None:
        self._spans[number - 1] = replace(self._spans[number - 1], **changes)

    def _now(self) -> float:
        return time.monotonic() - self._began


@dataclass(frozen=True, slots=True)
class Running:
    """A span that has not ended: note what comes of it."""

    log: TraceLog
    id: int

    def note(self, *, result_ref: str | None = None, error: str | None = None, **args: Any) -> None:
        """Add a result, an error or further arguments."""
        span = self.log._spans[self.id - 1]
        self.log._replace(
            self.id,
            args={**span.args, **args},
            result_ref=result_ref if result_ref is not None else span.result_ref,
            error=error if error is not None else span.error,
        )


def latest(connection: sqlite3.Connection, most: int = 20) -> list[Trace]:
    """Give the latest traces without their spans, newest first."""
    rows = connection.execute("SELECT * FROM trace ORDER BY at DESC, rowid DESC LIMIT ?", (most,))
    return [_trace(row, ()) for row in rows]


def show(connection: sqlite3.Connection, key: str) -> Trace:
    """Give the trace whose id begins with `key`; NotFound says which exist."""
    begins = "SELECT * FROM trace WHERE substr(id, 1, length(?1)) = ?1"
    rows = connection.execute(begins, (key.lower(),)).fetchall() if key.isascii() else []
    if not key or len(rows) != 1:
        recent = ", ".join(trace.id for trace in latest(connection, 5)) or "none yet"
        why = f"'{key}' begins {len(rows)} traces" if rows and key else f"no trace '{key}'"
        raise NotFound(f"{why}; the latest are: {recent}")
    spans = connection.execute("SELECT * FROM span WHERE trace_id = ? ORDER BY id", (rows[0]["id"],))
    return _trace(rows[0], tuple(_span(row) for row in spans))


def _trace(row: sqlite3.Row, spans: tuple[Span, ...]) -> Trace:
    reply = None if row["reply"] is None else json.loads(row["reply"])
    return Trace(row["id"], row["at"], row["question"], tuple(json.loads(row["recordings"])), reply, spans)


def _span(row: sqlite3.Row) -> Span:
    return Span(
        id=row["id"],
        parent=row["parent"],
        name=row["name"],
        t_start=row["t_start"],
        t_end=row["t_end"],
        args=json.loads(row["args"]),
        result_ref=row["result_ref"],
        error=row["error"],
        stream_versions=json.loads(row["stream_versions"]),
    )


def _json(value: Mapping[str, Any], hidden: Sequence[str]) -> str:
    return json.dumps(redacted(value, hidden), sort_keys=True, ensure_ascii=True)
