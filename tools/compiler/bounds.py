"""The stretch of a call as SQL: constants, or milliseconds before the end of each of several recordings.

A stretch that is empty in a recording (the first minute up to the last but two, of a short one) holds none of its rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.syntax import col, named, number, plus, select
from tools.stream import StreamQuery

Table = tuple[str, exp.Query]

_LENGTHS = "lengths"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a call's stretch begins and ends, in milliseconds of a row's recording; None where nothing is said.

    `conditions` keep the rows that share time with it, of a stream whose longest row they allow for; `some` holds in
    the recordings that have any of it.
    """

    start: exp.Condition | None
    end: exp.Condition | None
    conditions: tuple[exp.Condition, ...]
    tables: tuple[Table, ...] = ()
    some: tuple[exp.Condition, ...] = ()


def bounds(query: StreamQuery, catalog: Catalog, longest: int) -> Bounds:
    """Give a call's stretch in the recordings of a catalog."""
    lengths = [entry.recording.duration_ms for entry in catalog.recordings]
    if not query.from_the_end or len(lengths) <= 1:
        span = query.within(lengths[0] if lengths else 0)
        if not span and query.from_the_end:
            return Bounds(number(0), number(0), (number(0),), (), (number(0),))
        start = None if query.start is None else number(span.t0)
        end = None if query.end is None else number(span.t1)
        return Bounds(start, end, _shares(start, end, None if start is None else span.t0 - longest))
    start, end = _edge(query.start, clock.start_ms), _edge(query.end, clock.end_ms)
    first = None if start is None else min(query.within(length).t0 for length in lengths) - longest
    some = () if start is None or end is None else (exp.LT(this=start.copy(), expression=end.copy()),)
    lasting = select(*named(whose=col("rec")), "duration_ms", source="recording")
    return Bounds(start, end, (*_shares(start, end, first), *some), ((_LENGTHS, lasting),), some)


def _edge(at: float | None, rounded: Callable[[float], int]) -> exp.Condition | None:
    """Give the millisecond of an edge; a negative one looks up how long the recording of the row `rec` is."""
    if at is None or at >= 0:
        return None if at is None else number(rounded(at))
    before = plus(col("duration_ms"), rounded(at))
    looked_up = select(before, source=_LENGTHS, where=[exp.EQ(this=col("whose"), expression=col("rec"))])
    return exp.Paren(this=looked_up)


def _shares(start: exp.Condition | None, end: exp.Condition | None, first: int | None) -> tuple[exp.Condition, ...]:
    """Give the conditions that a row shares time with the stretch; `first` is where its earliest row may begin."""
    conditions: list[exp.Condition] = []
    if start is not None and first is not None:
        conditions += [col("t0") > number(first), col("t1") > start.copy()]
    if end is not None:
        conditions.append(exp.LT(this=col("t0"), expression=end.copy()))
    return tuple(conditions)
