"""Whole streams that are broken: absent, empty, one value throughout, shifted, cut off, or told twice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent.evals.worlds.knobs import Break, Heard
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn

FIELDS: Mapping[StreamKind, str] = {
    "transcript": "segments",
    "speaker": "turns",
    "emotion": "emotions",
    "events": "events",
}
SHIFT_MS = 20_000


def broken(found: Heard, kind: StreamKind, how: Break, duration_ms: int) -> Heard:
    """Give the streams with one of them broken; the others stay as they were."""
    rows: list[Any] = getattr(found, FIELDS[kind])
    if how == "absent":
        found = replace(found, absent=(*found.absent, kind))
    changed: dict[str, Any] = {FIELDS[kind]: _rows(rows, how, duration_ms)}
    return replace(found, **changed)


def _rows(rows: list[Any], how: Break, duration_ms: int) -> list[Any]:
    match how:
        case "constant":
            return [_like(row, rows[0]) for row in rows]
        case "shifted":
            moved = [replace(row, t0=row.t0 + SHIFT_MS, t1=row.t1 + SHIFT_MS) for row in rows]
            return [row for row in moved if row.t1 <= duration_ms]
        case "truncated":
            return [row for row in rows if row.t1 <= duration_ms // 2]
        case "duplicated":
            return [twice for row in rows for twice in (row, row)]
    return []


def _like(row: Row, first: Any) -> Row:
    """Give a row that says what the first one says."""
    match row:
        case Segment():
            return replace(row, text=first.text)
        case Turn():
            return replace(row, speaker=first.speaker)
        case Emotion() | Event():
            return replace(row, label=first.label)
