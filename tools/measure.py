"""What is computed from the anchors that were kept: counts, firsts, durations over unions, gaps, majorities.

Every result has the same columns: the group's key and part (what tells groups apart), its value, a second figure
(where the value is a stretch, its end; where doubtful voices are not counted, the number with them), and the place of
the group's first row. Bounds on the value keep groups, and with them their rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.coverage import clipped, covered, reach
from store.fusion import ROW
from store.syntax import (
    Columns,
    among,
    both,
    col,
    either,
    finished,
    inner,
    minus,
    named,
    null,
    number,
    one_of,
    ordered,
    row_number,
    select,
    table,
    text,
    together,
)
from tools import slices
from tools.bounds import Table
from tools.emotion.labels import UNCLEAR
from tools.plan import Fuse
from tools.selection import Selection, hit

_KEYED = ("part", "rec", "id", "voice", "label", "t0", "t1")
_FIGURES = ("key", "part", "value", "also", "first")
_DURATIONS = ("total_duration", "average", "longest_gap", "gaps", "majority")
_TIMED = (*_DURATIONS, "first_occurrence")
_FROM_ZERO = ("count", "count_distinct", "total_duration")
_SHARED = ("count_distinct", "total_duration")
_GAPS = ("longest_gap", "gaps")
# SQLite is held to five terms a compound SELECT behind the fence, so that more labels become a tree of fives.
_TERMS = 5


@dataclass(frozen=True, slots=True)
class Measure:
    """What a plan's value is computed by: `doubtful` voices are not counted; `lasting` gives milliseconds heard."""

    fuse: Fuse
    anchor: Selection
    doubtful: Sequence[int]
    lasting: Mapping[int, int]

    @property
    def group(self) -> str | None:
        """What the plan groups by; a majority is by label, or by speaker where rows have none."""
        if self.fuse.group is None and self.fuse.aggregate == "majority":
            return "label" if self.anchor.stream in ("emotion", "events") else "speaker"
        return self.fuse.group

    @property
    def several(self) -> bool:
        """Whether there can be several results, on which a limit and bounds act."""
        return self.group is not None or self.fuse.aggregate == "gaps"

    @property
    def bounded(self) -> bool:
        """Whether bounds on the value keep only some groups, and so only some rows."""
        bounds = (self.fuse.min_value, self.fuse.max_value)
        return self.group is not None and self.fuse.aggregate != "none" and bounds != (None, None)

    @property
    def counted(self) -> str:
        """What different ones are counted of."""
        default = "label" if self.anchor.stream == "events" else "speaker"
        return next((name for name in self.fuse.fields if name in ("label", "speaker", "recording")), default)

    @property
    def turns(self) -> str | None:
        """What should all be seen among the rows listed, as a column of theirs."""
        if self.group == "time":
            return "slice"
        group = self.counted if self.fuse.aggregate == "count_distinct" else self.group
        return None if group is None else {"speaker": "voice", "recording": "rec"}.get(group, group)

    @property
    def label_of(self) -> bool:
        """Whether the value is the emotion that each group mostly has."""
        return self.fuse.aggregate == "majority" and self.group == "speaker" and self.anchor.stream == "emotion"


def results(measure: Measure, most: int) -> tuple[list[Table], exp.Select]:
    """Give the query of a plan's value, with the number of all results, and the tables that it needs."""
    if measure.bounded or _from_zero(measure):
        where = _bounds(measure) if measure.bounded else []
        tables, query = figures(measure), select(*_FIGURES, source="figures", where=where)
    else:
        more, query = _value(measure)
        tables = _once([*keyed(measure), *more])
    every = exp.Window(this=exp.Count(this=exp.Star())) if measure.several else number(1)
    query.append("expressions", named(results=every)[0])
    limit = min(measure.fuse.limit or most, most) if measure.several else most
    return tables, finished(query, _order(measure), limit)


def figures(measure: Measure) -> list[Table]:
    """Give the tables that end in `figures`, the value of each group, computed from the table `kept`."""
    tables, filled = _value(measure)
    value: exp.Query = filled
    if _from_zero(measure):
        more, none = slices.empty(measure.fuse, measure.anchor, measure.lasting, "filled")
        tables = [*tables, ("filled", filled), *more]
        value = together([select(*_FIGURES, source="filled"), none])
    return _once([*keyed(measure), *tables, ("figures", value)])


def held(measure: Measure, more: Sequence[str]) -> list[Table]:
    """Give the tables that end in `held`: the rows of `kept` whose groups have a value within the bounds."""
    fitting = select("part", source="figures", where=_bounds(measure))
    theirs = select("id", source="keyed", where=[among(col("part"), select("part", source="fitting"))])
    rows = select(*ROW, *more, source="kept", where=[among(col("id"), theirs)])
    return [*figures(measure), ("fitting", fitting), ("held", rows)]


def answering(measure: Measure, limit: int) -> tuple[list[Table], list[exp.Condition]]:
    """Give the condition that a row is of one of the first `limit` groups, and the tables that it needs."""
    place = named(place=row_number(_order(measure)))
    best = select("part", *place, source="figures", where=_bounds(measure))
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


def firsts(measure: Measure) -> list[exp.Condition]:
    """Give the condition that a row is the first of its group, from the tables of `keyed` and `firsts`."""
    fitting = [among(col("part"), select("part", source="fitting"))] if measure.bounded else []
    return [among(col("id"), select("id", source="firsts", where=fitting))]


def first_rows() -> Table:
    """Give the table of the first row of each group."""
    placed = select("key", *_KEYED, *named(place=row_number(["rec", "t0", "id"], "part")), source="keyed")
    return "firsts", select("key", *_KEYED, source=inner(placed, "placed"), where=_best())


def bordering() -> list[exp.Condition]:
    """Give the condition that a row ends where a gap begins or begins where it ends, from the table `gaps`."""
    before = among(_at("t1"), select(_at("reach"), source="gaps"))
    return [either(before, among(col("id"), select("id", source="gaps")))]


def gaps(measure: Measure) -> list[Table]:
    """Give the tables that end in `gaps`: the gaps of the union of rows that are within the bounds."""
    fitting = [_within(minus(col("t0"), col("reach")), measure, limit) for limit in _limits(measure)]
    # A row that nothing reaches yet has a reach of NULL, which is smaller than nothing.
    where = [col("t0") > col("reach"), *fitting]
    return [_spans("part"), ("gaps", select("key", "part", "rec", "reach", "t0", "id", source="spans", where=where))]


def _value(measure: Measure) -> tuple[list[Table], exp.Select]:
    match measure.fuse.aggregate:
        case "count":
            return [], _counted(measure)
        case "count_distinct":
            return [], _distinct(measure)
        case "first_occurrence":
            place = named(value=col("t0"), also=col("t1"), first=_at("t0"))
            return [first_rows()], select("key", "part", *place, source="firsts")
        case "average":
            return [], _averaged()
        case "longest_gap":
            return [_spans("part"), ("gaps", _gaps())], _gap(where=_best())
        case "gaps":
            return gaps(measure), _gap()
        case "majority" if measure.label_of:
            weights: list[Table] = [("weights", _covered("part", "label")), ("heaviest", _heaviest())]
            mostly = named(value=col("label"), also=col("value"))
            best = select("key", "part", *mostly, "first", source="heaviest", where=_best())
            return [_spans("part", "label"), *weights], best
        case _:
            return [_spans("part")], _covered("part")


def _from_zero(measure: Measure) -> bool:
    """Say whether the least is asked for, so that slices in which there is nothing count."""
    fuse = measure.fuse
    least = fuse.max_value is not None or fuse.order == "value"
    return measure.group == "time" and fuse.aggregate in _FROM_ZERO and least


def _order(measure: Measure) -> list[Columns]:
    """Give the order of results: by time, or by what they are worth."""
    fuse = measure.fuse
    mostly = fuse.aggregate == "majority"
    figure: Columns = "first"
    if mostly or fuse.order in ("value", "-value", "rank"):
        figure = minus(col("also"), col("value")) if fuse.aggregate in _GAPS else "value"
    return [ordered(figure, mostly or fuse.order in ("-time", "-value", "rank")), "first", "key"]


def _bounds(measure: Measure) -> list[exp.Condition]:
    figure: exp.Condition
    if measure.fuse.aggregate in _GAPS:
        figure = minus(col("also"), col("value"))
    else:
        figure = col("also") if measure.label_of else col("value")
    return [_within(figure, measure, limit) for limit in _limits(measure)]


def _limits(measure: Measure) -> list[str]:
    return [name for name in ("min_value", "max_value") if getattr(measure.fuse, name) is not None]


def _within(figure: exp.Condition, measure: Measure, limit: str) -> exp.Condition:
    value: float = getattr(measure.fuse, limit)
    least, timed = limit == "min_value", measure.fuse.aggregate in _TIMED
    bound = (clock.end_ms(value) if least else clock.start_ms(value)) if timed else value
    return (exp.GTE if least else exp.LTE)(this=figure.copy(), expression=number(bound))


def _somebody(part: str) -> exp.Condition:
    """Give what tells groups apart without NULL, which is a group too and yet never among those kept."""
    return exp.Coalesce(this=col(part), expressions=[text("") if part == "label" else number(0)])


def _row(measure: Measure, keys: Sequence[exp.Expr], conditions: list[exp.Condition]) -> exp.Select:
    within = measure.anchor.within
    cut = measure.fuse.aggregate in _DURATIONS
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
        rows = [*rows[_TERMS:], select("key", *_KEYED, source=name)]
    return [*tables, ("keyed", together(rows))]


def _left_out(measure: Measure) -> list[exp.Condition]:
    """Leave doubtful voices out of who spoke, and unclear rows out of how somebody mostly sounded."""
    out: list[exp.Condition] = []
    if measure.group == "speaker" and measure.anchor.stream == "speaker" and measure.doubtful:
        out.append(exp.Not(this=one_of(col("voice"), measure.doubtful)))
    if measure.fuse.aggregate == "majority" and measure.anchor.stream == "emotion":
        out.append(exp.NEQ(this=col("label"), expression=text(UNCLEAR)))
    return out


def _counted(measure: Measure) -> exp.Select:
    """Count rows; where words were asked for, count how often one of them occurs.

    Words that only count together are counted as one mention a row.
    """
    anchor, by_label = measure.anchor, measure.group == "label"
    if not anchor.terms or anchor.meaning is not None or (anchor.together and not by_label):
        rows = named(value=exp.Count(this=exp.Star()), also=null(), first=_place())
        return select(*_key(), *rows, source="keyed", group=["part"])
    words = col("term", "h").eq(col("key", "k")) if by_label else one_of(col("term", "h"), anchor.terms)
    held = select("key", "part", "rec", "t0", "occurrences", source=table("keyed", "k"))
    here = both([col("segment_id", "h").eq(col("id", "k")), words])
    held.set("joins", [exp.Join(this=table("keyword_hit", "h"), on=here)])
    times = named(value=exp.Sum(this=col("occurrences")), also=null(), first=_place())
    return select(*_key(), *times, source=inner(held, "counted"), group=["part"])


def _distinct(measure: Measure) -> exp.Select:
    """Count different voices (the doubtful ones not, but beside), labels or recordings."""
    wanted, doubtful = measure.counted, measure.doubtful
    name = {"label": "label", "speaker": "voice", "recording": "rec"}[wanted]
    sure: exp.Expr = col(name)
    if wanted == "speaker" and doubtful:
        sure = exp.Case(ifs=[exp.If(this=one_of(col(name), doubtful), true=null())], default=col(name))
    value, also = (exp.Count(this=exp.Distinct(expressions=[counted])) for counted in (sure, col(name)))
    return select(*_key(), *named(value=value, also=also, first=_place()), source="keyed", group=["part"])


def _averaged() -> exp.Select:
    """Give the mean length of rows, rounded to the millisecond, halves up."""
    rows, twice = exp.Count(this=exp.Star()), exp.Mul(this=number(2), expression=exp.Count(this=exp.Star()))
    lengths = exp.Mul(this=number(2), expression=exp.Sum(this=minus(col("t1"), col("t0"))))
    over = exp.Paren(this=exp.Add(this=lengths, expression=rows))
    mean = exp.Div(this=over, expression=exp.Paren(this=twice), typed=True, safe=True)
    return select(*_key(), *named(value=mean, also=null(), first=_place()), source="keyed", group=["part"])


def _spans(*partition: str) -> Table:
    return "spans", select("key", *_KEYED, *named(reach=reach(*partition, "rec")), source="keyed")


def _covered(*partition: str) -> exp.Select:
    labels = ["label"] if "label" in partition else []
    value = named(value=exp.Sum(this=covered()), also=null(), first=_place())
    return select(*_key(), *labels, *value, source="spans", group=partition)


def _heaviest() -> exp.Select:
    order: list[Columns] = [ordered("value", descending=True), "first", "label"]
    place = named(place=row_number(order, "part"))
    return select("key", "part", "label", "value", "first", *place, source="weights")


def _gaps() -> exp.Select:
    order: list[Columns] = [ordered(minus(col("t0"), col("reach")), descending=True), "rec", "t0", "id"]
    place = named(place=row_number(order, "part"))
    # A row that nothing reaches yet has a reach of NULL, which is smaller than nothing.
    columns = ("key", "part", "rec", "reach", "t0", "id")
    return select(*columns, *place, source="spans", where=[col("t0") > col("reach")])


def _gap(where: Sequence[exp.Condition] = ()) -> exp.Select:
    gap = named(value=col("reach"), also=col("t0"), first=_at("reach"))
    return select("key", "part", *gap, source="gaps", where=where)


def _once(tables: Sequence[Table]) -> list[Table]:
    return list(dict(tables).items())


def _best() -> list[exp.Condition]:
    return [exp.EQ(this=col("place"), expression=number(1))]


def _key() -> list[exp.Expr]:
    return [*named(key=exp.Min(this=col("key"))), col("part")]


def _place() -> exp.Condition:
    """Give where a group begins."""
    return exp.Min(this=_at("t0"))


def _at(time: str) -> exp.Condition:
    """Give one number that orders rows by recording, then by time."""
    return exp.Add(this=exp.Mul(this=col("rec"), expression=number(slices.RECORDING)), expression=col(time))
