"""Where two voices or more speak at once: one walk along the edges of what each voice covers, counting who is on.

A voice does not overlap itself, so each row is first cut to what it adds to its voice's rows before it. What begins
where another ends is not at once with it, since both change the count at the same moment.
"""

from collections.abc import Sequence

from sqlglot import exp

from store.coverage import later, reach
from store.syntax import col, either, named, null, number, ordered, select, together
from tools.compiler.bounds import Table

AT_ONCE = 2


def overlaps(fitting: Sequence[exp.Condition]) -> list[Table]:
    """Give the tables that end in `overlaps`: stretches (rec, t0, t1), from the table `keyed`, that keep to bounds."""
    heard = select("rec", "t0", "t1", *named(reach=reach("rec", "voice")), source="keyed")
    fresh = either(_is_null("reach"), col("t1") > col("reach"))
    start = later(col("t0"), col("reach"))
    pieces = select("rec", *named(t0=start), "t1", source="voiced", where=[fresh])
    steps = select("rec", "at", *named(step=exp.Sum(this=col("step"))), source="edges", group=["rec", "at"])
    levels = select("rec", "at", *named(depth=_along(exp.Sum(this=col("step")))), source="steps")
    depths = select("rec", "at", "depth", *named(before=_along(exp.Lag(this=col("depth")))), source="levels")
    borders = select("rec", "at", "depth", source="depths", where=[_changed()])
    spans = select("rec", "depth", *named(t0=col("at"), t1=_along(exp.Lead(this=col("at")))), source="borders")
    return [
        ("voiced", heard),
        ("pieces", pieces),
        ("edges", together([_edge("t0", 1), _edge("t1", -1)])),
        ("steps", steps),
        ("levels", levels),
        ("depths", depths),
        ("borders", borders),
        ("several", spans),
        ("overlaps", select("rec", "t0", "t1", source="several", where=[_deep("depth"), *fitting])),
    ]


def _edge(time: str, step: int) -> exp.Select:
    return select("rec", *named(at=col(time), step=number(step)), source="pieces")


def _changed() -> exp.Condition:
    """Give the condition that one voice became several, or several one."""
    rises = exp.And(this=_deep("depth"), expression=either(_is_null("before"), _shallow("before")))
    falls = exp.And(this=_shallow("depth"), expression=_deep("before"))
    return either(rises, falls)


def _deep(column: str) -> exp.Condition:
    return col(column) >= number(AT_ONCE)


def _shallow(column: str) -> exp.Condition:
    return exp.LT(this=col(column), expression=number(AT_ONCE))


def _is_null(column: str) -> exp.Condition:
    return exp.Is(this=col(column), expression=null())


def _along(function: exp.Expr) -> exp.Window:
    """Give a function over the edges of one recording in order of time; a sum runs up to each of them."""
    order = exp.Order(expressions=[ordered("at")])
    return exp.Window(this=function, partition_by=[col("rec")], order=order)
