"""A plan's results: its kept rows in groups, the value of each, bounds on it, and the order of the groups.

Bounds on the value keep groups, and with them their rows.
"""

from collections.abc import Sequence

from sqlglot import exp

from store.coverage import clipped
from store.fusion import ROW
from store.syntax import (
    Columns,
    among,
    col,
    finished,
    named,
    null,
    number,
    one_of,
    ordered,
    row_number,
    select,
    text,
    together,
)
from tools.compiler import slices
from tools.compiler.aggregates import KEYED, value
from tools.compiler.bounds import Table
from tools.compiler.measure import DURATIONS, Measure, within_bounds
from tools.compiler.selection import hit
from tools.emotion.labels import UNCLEAR

_FIGURES = ("key", "part", "value", "also", "first")
_SHARED = ("count_distinct", "total_duration")
# SQLite is held to five terms a compound SELECT behind the fence, so that more labels become a tree of fives.
_TERMS = 5


def results(measure: Measure, most: int) -> tuple[list[Table], exp.Select]:
    """Give the query of a plan's value, with the number of all results, and the tables that it needs."""
    if measure.bounded or measure.from_zero:
        where = within_bounds(measure) if measure.bounded else []
        tables, query = figures(measure), select(*_FIGURES, source="figures", where=where)
    else:
        more, query = value(measure)
        tables = _once([*keyed(measure), *more])
    every = exp.Window(this=exp.Count(this=exp.Star())) if measure.several else number(1)
    query.append("expressions", named(results=every)[0])
    limit = min(measure.fuse.limit or most, most) if measure.several else most
    return tables, finished(query, _order(measure), limit)


def figures(measure: Measure) -> list[Table]:
    """Give the tables that end in `figures`, the value of each group, computed from the table `kept`."""
    tables, filled = value(measure)
    valued: exp.Query = filled
    if measure.from_zero:
        more, none = slices.empty(measure.fuse, measure.anchor, measure.lasting, "filled")
        tables = [*tables, ("filled", filled), *more]
        valued = together([select(*_FIGURES, source="filled"), none])
    return _once([*keyed(measure), *tables, ("figures", valued)])


def held(measure: Measure, more: Sequence[str]) -> list[Table]:
    """Give the tables that end in `held`: the rows of `kept` whose groups have a value within the bounds."""
    fitting = select("part", source="figures", where=within_bounds(measure))
    theirs = select("id", source="keyed", where=[among(col("part"), select("part", source="fitting"))])
    rows = select(*ROW, *more, source="kept", where=[among(col("id"), theirs)])
    return [*figures(measure), ("fitting", fitting), ("held", rows)]


def answering(measure: Measure, limit: int) -> tuple[list[Table], list[exp.Condition]]:
    """Give the condition that a row is of one of the first `limit` groups, and the tables that it needs."""
    place = named(place=row_number(_order(measure)))
    best = select("part", *place, source="figures", where=within_bounds(measure))
    first = select("part", source="best", where=[col("place") <= number(limit)])
    theirs = select("id", source="keyed", where=[among(col("part"), first)])
    return [*figures(measure), ("best", best)], [among(col("id"), theirs)]


def keyed(measure: Measure) -> list[Table]:
    """Give the tables that end in `keyed`: the kept rows with the key and the part of their groups."""
    group, fuse = measure.group, measure.fuse
    if group == "label" and measure.anchor.asked:
        return _as_asked(measure)
    if group == "time" and fuse.aggregate in _SHARED:
        return slices.shared(fuse, measure.anchor, _left_out(measure))
    keys = {"speaker": ("speaker", "voice"), "recording": ("recording_id", "rec"), "label": ("label", "label")}
    columns = named(key=null(), part=number(0))
    if group == "time":
        columns = slices.by_start(fuse)
    elif group is not None:
        key, part = keys[group]
        columns = named(key=col(key), part=_somebody(part) if measure.bounded else col(part))
    return [("keyed", _row(measure, columns, _left_out(measure)))]


def _order(measure: Measure) -> list[Columns]:
    """Give the order of results: by time, or by what they are worth."""
    fuse = measure.fuse
    mostly = fuse.aggregate == "majority"
    figure: Columns = "first"
    if mostly or fuse.order in ("value", "-value", "rank"):
        figure = measure.figure
    return [ordered(figure, mostly or fuse.order in ("-time", "-value", "rank")), "first", "key"]


def _somebody(part: str) -> exp.Condition:
    """Give what tells groups apart without NULL, which is a group too and yet never among those kept."""
    return exp.Coalesce(this=col(part), expressions=[text("") if part == "label" else number(0)])


def _row(measure: Measure, keys: Sequence[exp.Expr], conditions: list[exp.Condition]) -> exp.Select:
    within = measure.anchor.within
    cut = measure.fuse.aggregate in DURATIONS
    times = clipped(within.start, within.end) if cut else [col("t0"), col("t1")]
    return select(*keys, "rec", "id", "voice", "label", *times, source="kept", where=conditions)


def _as_asked(measure: Measure) -> list[Table]:
    """Give each row once for every label asked that it answers to, keyed by that label."""
    rows: list[exp.Query] = []
    for label, labels in measure.anchor.asked:
        answers = one_of(col("label"), labels) if labels else hit([label])
        rows.append(_row(measure, named(key=text(label), part=text(label)), [answers, *_left_out(measure)]))
    tables: list[Table] = []
    while len(rows) > _TERMS:
        name = f"keyed_{len(tables) + 1}"
        tables.append((name, together(rows[:_TERMS])))
        rows = [*rows[_TERMS:], select("key", *KEYED, source=name)]
    return [*tables, ("keyed", together(rows))]


def _left_out(measure: Measure) -> list[exp.Condition]:
    """Leave doubtful voices out of who spoke, and unclear rows out of how somebody mostly sounded."""
    out: list[exp.Condition] = []
    if measure.group == "speaker" and measure.anchor.stream == "speaker" and measure.doubtful:
        out.append(exp.Not(this=one_of(col("voice"), measure.doubtful)))
    if measure.fuse.aggregate == "majority" and measure.anchor.stream == "emotion":
        out.append(exp.NEQ(this=col("label"), expression=text(UNCLEAR)))
    return out


def _once(tables: Sequence[Table]) -> list[Table]:
    return list(dict(tables).items())
