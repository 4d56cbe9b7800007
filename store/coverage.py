"""Durations are over the union of intervals: one walk in order of start, each row adding what lies beyond the reach.

`reach` is the latest end among the rows before a row; where a row starts beyond it, the union has a gap.
"""

from sqlglot import exp

from store.syntax import col, either, minus, named, null, number, ordered


def reach(*partition: str) -> exp.Window:
    """Give the latest end among the rows before a row, in its partition; NULL for the first row."""
    return exp.Window(
        this=exp.Max(this=col("t1")),
        partition_by=[col(name) for name in partition],
        order=exp.Order(expressions=[ordered(key) for key in ("t0", "t1", "id")]),
        spec=exp.WindowSpec(
            kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end=number(1), end_side="PRECEDING"
        ),
    )


def covered() -> exp.Condition:
    """Give the milliseconds by which a row (t0, t1, reach) lengthens the union of the rows before it."""
    fresh = either(exp.Is(this=col("reach"), expression=null()), col("reach") <= col("t0"))
    longer = col("t1") > col("reach")
    whole, rest = minus(col("t1"), col("t0")), minus(col("t1"), col("reach"))
    return exp.Case(ifs=[exp.If(this=fresh, true=whole), exp.If(this=longer, true=rest)], default=number(0))


def clipped(start: int | None, end: int | None) -> list[exp.Expr]:
    """Give t0 and t1 cut to a range."""
    cut_start = col("t0") if start is None else _cut(exp.LT(this=col("t0"), expression=number(start)), start, "t0")
    cut_end = col("t1") if end is None else _cut(exp.GT(this=col("t1"), expression=number(end)), end, "t1")
    return named(t0=cut_start, t1=cut_end)


def _cut(beyond: exp.Condition, limit: int, name: str) -> exp.Condition:
    return exp.Case(ifs=[exp.If(this=beyond, true=number(limit))], default=col(name))
