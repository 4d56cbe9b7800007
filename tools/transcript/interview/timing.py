"""The clock of a chunk: a model's times run a few seconds early by its end, and some rows have no length.

Times are held against where a voice is heard, and moved only where one other clock fits clearly best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from store.clock import clock
from store.record import Span
from tools.transcript.drift import Drift, drift
from tools.transcript.interview.table import Said

LEAST_MS = 1_000  # rows have times of whole seconds
_CHARACTER_MS = 70
_SHORTEST_MS = 500


@dataclass(frozen=True, slots=True)
class Timed:
    """The rows of a chunk on the recording's clock, and what was found about theirs."""

    rows: Sequence[Said]
    note: str | None = None
    sure: bool = True


def timed(rows: Sequence[Said], chunk: Span, number: int, speech: Sequence[Span]) -> Timed:
    """Give the rows of a chunk, whose times count from its start, on the recording's clock, in order of time.

    `speech` is where a voice is heard in the recording.
    """
    lasting = _lasting([replace(row, t0=row.t0 + chunk.t0, t1=row.t1 + chunk.t0, chunk=number) for row in rows])
    inside = [Span(row.t0, row.t1) for row in lasting if row.t0 < chunk.t1]
    found = drift([Span(s.t0 - chunk.t0, s.t1 - chunk.t0) for s in inside], _from(chunk, speech))
    where = f"{clock(chunk.t0)}-{clock(chunk.t1)}"
    if found is None:
        return Timed(lasting)
    if found.doubtful:
        return Timed(lasting, f"{where}: times fit the voices heard badly, and no other clock is sure", sure=False)
    if not found.sure or found.shift_ms(Span(0, chunk.duration)) < LEAST_MS:
        return Timed(lasting)
    moved = [_moved(row, found, chunk.t0) for row in lasting]
    late = found.moved(chunk.duration) - chunk.duration
    way = "early" if late > 0 else "late"
    return Timed(moved, f"{where}: times ran up to {found.shift_ms(Span(0, chunk.duration)) / 1000:.1f} s {way}, moved")


def _from(chunk: Span, speech: Sequence[Span]) -> list[Span]:
    inside = (Span(max(span.t0, chunk.t0) - chunk.t0, min(span.t1, chunk.t1) - chunk.t0) for span in speech)
    return [span for span in inside if span]


def _moved(row: Said, found: Drift, start: int) -> Said:
    t0, t1 = (max(0, found.moved(at - start)) + start for at in (row.t0, row.t1))
    return replace(row, t0=t0, t1=max(t1, t0 + 1))


def _lasting(rows: Sequence[Said]) -> list[Said]:
    """Give rows in order of time; one that ends where it begins lasts as its text needs, until the next begins."""
    order = sorted(rows, key=lambda row: row.t0)
    after = zip_longest(order, (row.t0 for row in order[1:]))
    return [_given_end(row, following) for row, following in after]


def _given_end(row: Said, following: int | None) -> Said:
    if row.t1 > row.t0:
        return row
    wanted = row.t0 + max(_SHORTEST_MS, _CHARACTER_MS * len(row.text))
    end = wanted if following is None or following <= row.t0 else min(wanted, following)
    return replace(row, t1=end)
