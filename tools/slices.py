"""Slices of time as groups: `every` so many seconds from 0, each of one recording.

A row is counted in the slice in which it starts; voices and durations belong to every slice that a row shares time
with, so that rows are cut at the edges of slices. Where the least is asked for, slices without any row count too.
"""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from store.coverage import clipped, earlier, later
from store.syntax import among, both, col, inner, minus, named, number, one_of, plus, select, table, together
from tools.bounds import Table
from tools.plan import Fuse
from tools.selection import Selection

RECORDING = 1 << 32
_FOUR = 4
# Rows that last this many powers of four of slices are joined to that many numbers, and not to all of them.
_CLASSES = (2, 4)


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
    size = length(fuse)
    cut = clipped(anchor.within.start, anchor.within.end)
    rows = inner(select("rec", "id", "voice", "label", *cut, source="kept", where=conditions), "cut")
    last = _over(exp.Paren(this=plus(col("t1"), -1)), size)
    place = named(slice=_over(col("t0"), size), more=minus(last, _over(col("t0"), size)))
    stretched = select("rec", "id", "voice", "label", "t0", "t1", *place, source=rows)
    most = _power(anchor.longest // size + 2)
    powers = [power for power in _CLASSES if power < most] + [most]
    classes = [_repeated(fuse, power, before) for before, power in zip((None, *powers), powers, strict=False)]
    return [*_numbers(most), ("stretched", stretched), ("keyed", together(classes))]


def empty(fuse: Fuse, anchor: Selection, lasting: Mapping[int, int], filled: str) -> tuple[list[Table], exp.Select]:
    """Give the slices heard that are not in the table `filled`, with a value of 0; `lasting` gives milliseconds heard.

    Only recordings that have the anchor's stream are looked at.
    """
    size, within = length(fuse), anchor.within
    power = _power(max(lasting.values(), default=0) // size + 1)
    starts = _times(col("n"), size)
    conditions: list[exp.Condition] = [exp.LT(this=starts.copy(), expression=col("heard_ms"))]
    conditions += [one_of(col("rec"), sorted(lasting)), *(one.copy() for one in within.some)]
    if within.start is not None:
        conditions.append(exp.GT(this=plus(starts, size), expression=within.start.copy()))
    if within.end is not None:
        conditions.append(exp.LT(this=starts.copy(), expression=within.end.copy()))
    first = exp.Add(this=_times(col("rec"), RECORDING), expression=starts.copy())
    zero = named(value=number(0), also=number(0), first=first)
    every = select(*_names(fuse, col("n")), *zero, source="recording", where=conditions)
    every.set("joins", [exp.Join(this=table(_name(power)), kind="CROSS")])
    without = exp.Not(this=among(col("part"), select("part", source=filled)))
    columns = ("key", "part", "value", "also", "first")
    return [*_numbers(power), ("slots", every)], select(*columns, source="slots", where=[without])


def _repeated(fuse: Fuse, power: int, before: int | None) -> exp.Select:
    """Give the rows that last at most so many slices, and more than those of the power before, once for each slice."""
    size, one = length(fuse), exp.Paren(this=exp.Add(this=col("slice"), expression=col("n")))
    ends = _times(exp.Paren(this=plus(one, 1)), size)
    times = named(t0=later(col("t0"), _times(one, size)), t1=earlier(col("t1"), ends))
    conditions: list[exp.Condition] = [exp.LTE(this=col("n"), expression=col("more"))]
    conditions += [exp.LT(this=col("more"), expression=number(_FOUR**power))]
    conditions += [] if before is None else [exp.GTE(this=col("more"), expression=number(_FOUR**before))]
    rows = select(
        *_names(fuse, one), "rec", "id", "voice", "label", *times, source="stretched", where=[both(conditions)]
    )
    rows.set("joins", [exp.Join(this=table(_name(power)), kind="CROSS")])
    return rows


def _numbers(power: int) -> list[Table]:
    """Give tables of the numbers below 4, 16, 64 ...: each from the one before, as no statement may call itself."""
    first = together([exp.Select(expressions=named(n=number(value))) for value in range(_FOUR)])
    tables: list[Table] = [(_name(1), first)]
    for higher in range(2, power + 1):
        below, step = _name(higher - 1), _FOUR ** (higher - 1)
        moved = [named(n=plus(col("n"), step * digit)) for digit in range(_FOUR)]
        tables.append((_name(higher), together([select(*one, source=below) for one in moved])))
    return tables


def _name(power: int) -> str:
    return f"below_{_FOUR**power}"


def _power(most: int) -> int:
    """Give the smallest power of four, of at least sixteen, that is no less than a number."""
    power = 2
    while _FOUR**power < most:
        power += 1
    return power


def _names(fuse: Fuse, one: exp.Condition) -> list[exp.Expr]:
    """Give the key and the part of a slice: its start in seconds, and a number that is its own in the library."""
    part = exp.Add(this=_times(col("rec"), RECORDING), expression=one.copy())
    return named(key=_times(one, int(fuse.every)), part=part)


def _times(left: exp.Condition, factor: int) -> exp.Condition:
    return left.copy() if factor == 1 else exp.Mul(this=left.copy(), expression=number(factor))


def _over(left: exp.Condition, by: int) -> exp.Condition:
    return exp.Div(this=left, expression=number(by), typed=True, safe=True)
