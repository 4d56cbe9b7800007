"""What a reader gives: rows with the place they came from, and the places of those that could not be read.

A reader keeps times as the file has them (even backwards or negative); `fit` alone clamps or sets aside.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from store import clock
from store.errors import DataError
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.recordings import Roster
from store.speakers import Profile

MAX_BYTES = 256_000_000
MAX_CUES = 200_000
_LONGEST = 100_000 * 3600  # seconds; SQLite and people agree on what is no time

KINDS: dict[type, StreamKind] = {Segment: "transcript", Turn: "speaker", Emotion: "emotion", Event: "events"}


@dataclass(frozen=True, slots=True)
class Placed:
    """A row and where in the file it stands (line or item, from 1)."""

    at: int
    row: Row


@dataclass(frozen=True, slots=True)
class Parsed:
    """One file read: rows of any stream, places set aside, notes for a person, what the file says of the whole."""

    format: str
    rows: tuple[Placed, ...]
    lost: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = "line"
    language: str | None = None
    duration_ms: int | None = None
    title: str | None = None
    roster: Roster = "auto"
    voices: tuple[Profile, ...] = ()
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)

    def of(self, kind: StreamKind) -> list[Placed]:
        """Give the rows of one stream."""
        return [placed for placed in self.rows if KINDS[type(placed.row)] == kind]

    def only(self, *kinds: StreamKind) -> "Parsed":
        """Give the same file with the rows of these streams alone."""
        rows = tuple(placed for placed in self.rows if KINDS[type(placed.row)] in kinds)
        return replace(self, rows=rows, sources={kind: self.sources[kind] for kind in kinds if kind in self.sources})


def within(rows: Sequence[Placed], what: str) -> tuple[Placed, ...]:
    """Give the rows, or DataError when a file holds more than a recording may."""
    if len(rows) > MAX_CUES:
        raise DataError(f"{what} has more than {MAX_CUES:,} rows; split it")
    return tuple(rows)


def span(start: float | str | Decimal, end: float | str | Decimal) -> tuple[int, int]:
    """Give a start and an end in seconds as milliseconds; ValueError when one is no time or beyond 100,000 hours."""
    t0, t1 = _bounded(start), _bounded(end)
    return clock.start_ms(t0), clock.end_ms(t1)


def score(value: object) -> float | None:
    """Give a score in 0..1, None when there is none; ValueError when it is something else."""
    if value is None or value == "":
        return None
    number = float(str(value))
    if not 0 <= number <= 1:
        raise ValueError(f"{value!r} is no score between 0 and 1")
    return number


def _bounded(value: float | str | Decimal) -> float | str | Decimal:
    if not abs(float(value)) <= _LONGEST:
        raise ValueError(f"{value!r} is no time")
    return value
