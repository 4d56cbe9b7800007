"""A stage that fails costs its own rows of one stretch, and never another stream's: what failed, where, and why.

A version of a stream keeps its failures in its checks, and its health falls with the share of the recording that it did
not hear; so a question is not answered "nobody said it" from what was never heard.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from store import checks
from store.clock import clock
from store.listing import listed
from store.record import Span, StreamKind, union
from store.versions import Version

R = TypeVar("R")
KEPT = "failures"
_SHOWN = 3
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Failure:
    """A stretch [t0, t1) in milliseconds that a stage could not hear, and why."""

    stage: StreamKind
    t0: int
    t1: int
    why: str


def failed(failures: list[Failure], stage: StreamKind, span: tuple[int, int], work: Callable[[], R]) -> R | None:
    """Do the work of a stage; None when it fails, which `failures` then tells."""
    try:
        return work()
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
        failures.append(Failure(stage, *span, why))
        return None


def of(version: Version) -> list[Failure]:
    """Give what could not be heard of a version."""
    return [Failure(version.kind, *row) for row in version.checks.get(KEPT, [])]


def keep(connection: sqlite3.Connection, stream_id: int, failures: Sequence[Failure]) -> None:
    """Keep with a version what could not be heard of it."""
    known = checks.read(connection, stream_id).get(KEPT, [])
    checks.add(connection, stream_id, **{KEPT: [*known, *([f.t0, f.t1, f.why] for f in failures)]})


def told(failures: Sequence[Failure]) -> str:
    """Say in one line what was not heard: "1:00-3:00 was not heard (RuntimeError: ...)"."""
    spans = union(Span(failure.t0, failure.t1) for failure in failures)
    where = listed([f"{clock(span.t0)}-{clock(span.t1)}" for span in spans], _SHOWN)
    return f"{where} was not heard ({listed(list(dict.fromkeys(failure.why for failure in failures)), 1)})"


def share(failures: Iterable[Failure], whole_ms: int) -> float:
    """Give the share of a recording that was not heard."""
    return min(1.0, sum(span.duration for span in union(Span(f.t0, f.t1) for f in failures)) / max(1, whole_ms))
