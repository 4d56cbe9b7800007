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


def clipped(start: exp.Condition | None, end: exp.Condition | None) -> list[exp.Expr]:
    """Give t0 and t1 cut to a range, whose edges are milliseconds."""
    return named(t0=later(col("t0"), start), t1=earlier(col("t1"), end))


def later(time: exp.Condition, than: exp.Condition | None) -> exp.Condition:
    """Give the later of two times; the first where there is no second."""
    return time if than is None else _either_of(exp.LT, time, than)


def earlier(time: exp.Condition, than: exp.Condition | None) -> exp.Condition:
    """Give the earlier of two times; the first where there is no second."""
    return time if than is None else _either_of(exp.GT, time, than)


def _either_of(beyond: type[exp.Condition], time: exp.Condition, limit: exp.Condition) -> exp.Condition:
    over = beyond(this=time.copy(), expression=limit.copy())
    return exp.Case(ifs=[exp.If(this=over, true=limit.copy())], default=time.copy())
