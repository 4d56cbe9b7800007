"""Slices of time as groups: `every` so many seconds from 0, each of one recording.

A row is counted in the slice in which it starts; voices and durations belong to every slice that a row shares time
with, so that rows are cut at the edges of slices. Where the least is asked for, slices without any row count too.
"""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from store.coverage import clipped, earlier, later
from store.syntax import among, col, named, number, one_of, plus, select, table
from store.views import NUMBERS
from tools.compiler.bounds import Table
from tools.compiler.selection import Selection
from tools.plan import Fuse

RECORDING = 1 << 32


def length(fuse: Fuse) -> int:
    """Give the milliseconds of a slice."""
    return int(fuse.every) * 1000


def by_start(fuse: Fuse) -> list[exp.Expr]:
    """Give the key and the part of the slice in which a row starts."""
    return _names(fuse, number_of(fuse))


def number_of(fuse: Fuse) -> exp.Condition:
    """Give the number of the slice in which a row starts."""
    return _over(col("t0"), length(fuse))


def shared(fuse: Fuse, anchor: Selection, conditions: Sequence[exp.Condition]) -> list[Table]:
    """Give the tables that end in `keyed`: each kept row once for every slice it shares time with, and cut to it."""
    size, one = length(fuse), col("n", "slice")
    cut = clipped(anchor.within.start, anchor.within.end)
    rows = select("rec", "id", "voice", "label", *cut, source="kept", where=conditions)
    ends = _times(exp.Paren(this=plus(one, 1)), size)
    times = named(t0=later(col("t0"), _times(one, size)), t1=earlier(col("t1"), ends))
    last = _over(exp.Paren(this=plus(col("t1"), -1)), size)
    meets = [exp.GTE(this=one.copy(), expression=_over(col("t0"), size)), exp.LTE(this=one.copy(), expression=last)]
    keyed = select(*_names(fuse, one), "rec", "id", "voice", "label", *times, source="cut", where=meets)
    # A cross join keeps the numbers in the inner loop, where their index gives a row's slices alone.
    keyed.set("joins", [exp.Join(this=table(NUMBERS, "slice"), kind="CROSS")])
    return [("cut", rows), ("keyed", keyed)]


def empty(fuse: Fuse, anchor: Selection, lasting: Mapping[int, int], filled: str) -> tuple[list[Table], exp.Select]:
    """Give the slices heard that are not in the table `filled`, with a value of 0; `lasting` gives milliseconds heard.

    Only recordings that have the anchor's stream are looked at.
    """
    size, within = length(fuse), anchor.within
    starts = _times(col("n"), size)
    heard = _over(exp.Paren(this=plus(col("heard_ms"), size - 1)), size)
    conditions: list[exp.Condition] = [exp.LT(this=col("n"), expression=heard)]
    conditions += [one_of(col("rec"), sorted(lasting)), *(one.copy() for one in within.some)]
    if within.start is not None:
        conditions.append(exp.GT(this=plus(starts, size), expression=within.start.copy()))
    if within.end is not None:
        conditions.append(exp.LT(this=starts.copy(), expression=within.end.copy()))
    first = exp.Add(this=_times(col("rec"), RECORDING), expression=starts.copy())
    zero = named(value=number(0), also=number(0), first=first)
    every = select(*_names(fuse, col("n")), *zero, source="recording", where=conditions)
    every.set("joins", [exp.Join(this=table(NUMBERS), kind="CROSS")])
    without = exp.Not(this=among(col("part"), select("part", source=filled)))
    columns = ("key", "part", "value", "also", "first")
    return [("slots", every)], select(*columns, source="slots", where=[without])


def _names(fuse: Fuse, one: exp.Condition) -> list[exp.Expr]:
    """Give the key and the part of a slice: its start in seconds, and a number that is its own in the library."""
    part = exp.Add(this=_times(col("rec"), RECORDING), expression=one.copy())
    return named(key=_times(one, int(fuse.every)), part=part)


def _times(left: exp.Condition, factor: int) -> exp.Condition:
    return left.copy() if factor == 1 else exp.Mul(this=left.copy(), expression=number(factor))


def _over(left: exp.Condition, by: int) -> exp.Condition:
    return exp.Div(this=left, expression=number(by), typed=True, safe=True)
