"""The rule for times that cannot be: clamped when less than a second off, else set aside, and always counted."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from store.record import Row, Segment, Word
from tools.imports.parsed import Placed

TOLERATED_MS = 1000


@dataclass(frozen=True, slots=True)
class Fitted:
    """Rows in order of time; the places clamped and set aside; how far a row that was set aside lies beyond the end."""

    rows: tuple[Placed, ...]
    clamped: tuple[int, ...]
    aside: tuple[int, ...]
    beyond_ms: int = 0


def fit(rows: Iterable[Placed], duration_ms: int | None) -> Fitted:
    """Bring rows into [0, duration), at least one millisecond long each; without a duration only the start binds."""
    kept: list[Placed] = []
    clamped: list[int] = []
    aside: list[int] = []
    beyond = 0
    for placed in rows:
        row = placed.row
        place = _place(row.t0, row.t1, duration_ms)
        if place is None:
            aside.append(placed.at)
            beyond = max(beyond, 0 if duration_ms is None else max(row.t0, row.t1) - duration_ms)
            continue
        if place != (row.t0, row.t1 + (row.t1 == row.t0)):
            clamped.append(placed.at)
        kept.append(Placed(placed.at, _moved(row, *place)))
    kept.sort(key=lambda placed: (placed.row.t0, placed.row.t1))
    return Fitted(tuple(kept), tuple(clamped), tuple(aside), beyond)


def _place(t0: int, t1: int, duration: int | None) -> tuple[int, int] | None:
    over = 0 if duration is None else max(t0, t1) - duration
    if max(t0 - t1, -min(t0, t1), over) >= TOLERATED_MS:
        return None
    if duration is not None:
        t0, t1 = min(t0, duration - 1), min(t1, duration)
    t0 = max(t0, 0)
    return t0, max(t1, t0 + 1)


def _moved(row: Row, t0: int, t1: int) -> Row:
    if not isinstance(row, Segment):
        return replace(row, t0=t0, t1=t1)
    return replace(row, t0=t0, t1=t1, words=tuple(_inside(word, t0, t1) for word in row.words))


def _inside(word: Word, t0: int, t1: int) -> Word:
    start = min(max(word.t0, t0), t1 - 1)
    return replace(word, t0=start, t1=min(max(word.t1, start + 1), t1))
