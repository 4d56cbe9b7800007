"""What is computed from the anchors that were kept: counts, firsts, durations over unions, gaps, majorities.

Every result has the same four columns: the group's key, its value, a second figure (where the value is a stretch, its
end; where doubtful voices are not counted, the number with them), and the place of the group's first row.
"""

from collections.abc import Sequence

from sqlglot import exp

from store.coverage import clipped, covered, reach
from store.syntax import (
    Columns,
    both,
    col,
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
from tools.emotion.labels import UNCLEAR
from tools.plan import Fuse
from tools.selection import Selection, Table, hit

_RECORDING = 1 << 32
_KEYED = ("part", "rec", "id", "voice", "label", "t0", "t1")
_DURATIONS = ("total_duration", "longest_gap", "majority")
# SQLite is held to five terms a compound SELECT behind the fence, so that more labels become a tree of fives.
_TERMS = 5


def measured(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], most: int) -> tuple[list[Table], exp.Select]:
    """Give the tables and the final query of a plan's value, computed from the table `kept`."""
    group = grouped_by(fuse, anchor)
    tables = _keyed(fuse, anchor, doubtful, group)
    more, value = _value(fuse, anchor, doubtful, group)
    return [*tables, *more], _in_order(value, fuse, group, most)


def grouped_by(fuse: Fuse, anchor: Selection) -> str | None:
    """Give what a plan groups by; a majority is by label, or by speaker where rows have none."""
    if fuse.group is None and fuse.aggregate == "majority":
        return "label" if anchor.stream in ("emotion", "events") else "speaker"
    return fuse.group


def shown_by(fuse: Fuse, anchor: Selection) -> str | None:
    """Give the column whose different values should all be seen among the rows listed."""
    group = _counted_by(fuse, anchor) if fuse.aggregate == "count_distinct" else grouped_by(fuse, anchor)
    return None if group is None else {"speaker": "voice", "recording": "rec"}.get(group, group)


def first_rows(fuse: Fuse, anchor: Selection, doubtful: Sequence[int]) -> list[Table]:
    """Give the tables that end in `firsts`: the first row of each group."""
    return [*_keyed(fuse, anchor, doubtful, grouped_by(fuse, anchor)), ("firsts", _firsts())]


def _value(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], group: str | None) -> tuple[list[Table], exp.Select]:
    match fuse.aggregate:
        case "count":
            return [], _counted(anchor, group)
        case "count_distinct":
            return [], _distinct(fuse, anchor, doubtful)
        case "first_occurrence":
            place = named(value=col("t0"), also=col("t1"), first=_at("t0"))
            return [("firsts", _firsts())], select("key", *place, source="firsts")
        case "longest_gap":
            return [_spans("part"), ("gaps", _gaps())], _longest()
        case "majority" if group == "speaker" and anchor.stream == "emotion":
            weights: list[Table] = [("weights", _covered("part", "label")), ("heaviest", _heaviest())]
            mostly = named(value=col("label"), also=col("value"))
            return [_spans("part", "label"), *weights], select(
                "key", *mostly, "first", source="heaviest", where=_best()
            )
        case _:
            return [_spans("part")], _covered("part")


def _keyed(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], group: str | None) -> list[Table]:
    if group == "label" and anchor.asked:
        return _as_asked(fuse, anchor)
    keys = {"speaker": ("speaker", "voice"), "recording": ("recording_id", "rec"), "label": ("label", "label")}
    columns = named(key=null(), part=number(0))
    if group is not None:
        columns = named(key=col(keys[group][0]), part=col(keys[group][1]))
    return [("keyed", _row(fuse, anchor, columns, _left_out(fuse, anchor, doubtful, group)))]


def _row(fuse: Fuse, anchor: Selection, keys: Sequence[exp.Expr], conditions: list[exp.Condition]) -> exp.Select:
    cut = fuse.aggregate in _DURATIONS
    times = clipped(anchor.start, anchor.end) if cut else [col("t0"), col("t1")]
    return select(*keys, "rec", "id", "voice", "label", *times, source="kept", where=conditions)


def _as_asked(fuse: Fuse, anchor: Selection) -> list[Table]:
    """Give each row once for every label asked that it answers to, keyed by that label."""
    rows: list[exp.Query] = []
    for label, labels in anchor.asked:
        answers = one_of(col("label"), labels) if labels else hit([label])
        conditions = [answers, *_left_out(fuse, anchor, (), "label")]
        rows.append(_row(fuse, anchor, named(key=text(label), part=text(label)), conditions))
    tables: list[Table] = []
    while len(rows) > _TERMS:
        name = f"keyed_{len(tables) + 1}"
        tables.append((name, together(rows[:_TERMS])))
        rows = [*rows[_TERMS:], select("key", *_KEYED, source=name)]
    return [*tables, ("keyed", together(rows))]


def _left_out(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], group: str | None) -> list[exp.Condition]:
    """Leave doubtful voices out of who spoke, and unclear rows out of how somebody mostly sounded."""
    out: list[exp.Condition] = []
    if group == "speaker" and anchor.stream == "speaker" and doubtful:
        out.append(exp.Not(this=one_of(col("voice"), doubtful)))
    if fuse.aggregate == "majority" and anchor.stream == "emotion":
        out.append(exp.NEQ(this=col("label"), expression=text(UNCLEAR)))
    return out


def _counted(anchor: Selection, group: str | None) -> exp.Select:
    """Count rows; where words were asked for, count how often one of them occurs.

    Words that only count together are counted as one mention a row.
    """
    if not anchor.terms or anchor.meaning is not None or (anchor.together and group != "label"):
        rows = named(value=exp.Count(this=exp.Star()), also=null(), first=_place())
        return select(*_key(), *rows, source="keyed", group=["part"])
    words = col("term", "h").eq(col("key", "k")) if group == "label" else one_of(col("term", "h"), anchor.terms)
    held = select("key", "part", "rec", "t0", "occurrences", source=table("keyed", "k"))
    here = both([col("segment_id", "h").eq(col("id", "k")), words])
    held.set("joins", [exp.Join(this=table("keyword_hit", "h"), on=here)])
    times = named(value=exp.Sum(this=col("occurrences")), also=null(), first=_place())
    return select(*_key(), *times, source=inner(held, "counted"), group=["part"])


def _distinct(fuse: Fuse, anchor: Selection, doubtful: Sequence[int]) -> exp.Select:
    """Count different voices (the doubtful ones not, but beside), labels or recordings."""
    wanted = _counted_by(fuse, anchor)
    name = {"label": "label", "speaker": "voice", "recording": "rec"}[wanted]
    sure: exp.Expr = col(name)
    if wanted == "speaker" and doubtful:
        sure = exp.Case(ifs=[exp.If(this=one_of(col(name), doubtful), true=null())], default=col(name))
    value, also = (exp.Count(this=exp.Distinct(expressions=[counted])) for counted in (sure, col(name)))
    return select(*_key(), *named(value=value, also=also, first=_place()), source="keyed", group=["part"])


def _counted_by(fuse: Fuse, anchor: Selection) -> str:
    default = "label" if anchor.stream == "events" else "speaker"
    return next((name for name in fuse.fields if name in ("label", "speaker", "recording")), default)


def _firsts() -> exp.Select:
    placed = select("key", *_KEYED, *named(place=row_number(["rec", "t0", "id"], "part")), source="keyed")
    return select("key", *_KEYED, source=inner(placed, "placed"), where=_best())


def _spans(*partition: str) -> Table:
    return "spans", select("key", *_KEYED, *named(reach=reach(*partition, "rec")), source="keyed")


def _covered(*partition: str) -> exp.Select:
    labels = ["part", "label"] if "label" in partition else []
    value = named(value=exp.Sum(this=covered()), also=null(), first=_place())
    return select(*_key(), *labels, *value, source="spans", group=partition)


def _heaviest() -> exp.Select:
    order: list[Columns] = [ordered("value", descending=True), "first", "label"]
    place = named(place=row_number(order, "part"))
    return select("key", "label", "value", "first", *place, source="weights")


def _gaps() -> exp.Select:
    order: list[Columns] = [ordered(minus(col("t0"), col("reach")), descending=True), "rec", "t0", "id"]
    place = named(place=row_number(order, "part"))
    # A row that nothing reaches yet has a reach of NULL, which is smaller than nothing.
    return select("key", "rec", "reach", "t0", *place, source="spans", where=[col("t0") > col("reach")])


def _longest() -> exp.Select:
    gap = named(value=col("reach"), also=col("t0"), first=_at("reach"))
    return select("key", *gap, source="gaps", where=_best())


def _in_order(value: exp.Select, fuse: Fuse, group: str | None, most: int) -> exp.Select:
    mostly = fuse.aggregate == "majority"
    descending = mostly or fuse.order in ("-time", "-value", "rank")
    figure: Columns = "first"
    if mostly or fuse.order in ("value", "-value", "rank"):
        figure = minus(col("also"), col("value")) if fuse.aggregate == "longest_gap" else "value"
    limit = min(fuse.limit or most, most) if group is not None else most
    return finished(value, [ordered(figure, descending), "first", "key"], limit)


def _best() -> list[exp.Condition]:
    return [exp.EQ(this=col("place"), expression=number(1))]


def _key() -> list[exp.Expr]:
    return named(key=exp.Min(this=col("key")))


def _place() -> exp.Condition:
    """Give where a group begins."""
    return exp.Min(this=_at("t0"))


def _at(time: str) -> exp.Condition:
    """Give one number that orders rows by recording, then by time."""
    return exp.Add(this=exp.Mul(this=col("rec"), expression=number(_RECORDING)), expression=col(time))
