"""What is computed from the anchors that were kept: counts, firsts, durations over unions, gaps, majorities.

Every result has the same four columns: the group's key, its value, a second figure (where the value is a stretch, its
end; where doubtful voices are not counted, the number with them), and the place of the group's first row.
"""

from collections.abc import Sequence

from sqlglot import exp

from store.syntax import both, clipped, col, covered, minus, number, one_of, ordered, reach, row_number, text
from tools.plan import Fuse
from tools.selection import Selection, Table, hit

UNCLEAR = "no clear emotion"
VOICELESS = ("events",)
_RECORDING = 1 << 32
_ROW = ("rec", "id", "t0", "t1", "voice", "label")
_DURATIONS = ("total_duration", "longest_gap", "majority")
# SQLite is held to five terms a compound SELECT behind the fence, so that more labels become a tree of fives.
_TERMS = 5


def measured(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], most: int) -> tuple[list[Table], exp.Select]:
    """Give the tables and the final query of a plan's value, computed from the table `kept`."""
    group = grouped_by(fuse, anchor)
    per_label = fuse.aggregate == "majority" and group == "speaker" and anchor.stream == "emotion"
    tables = _keyed(fuse, anchor, doubtful, group)
    match fuse.aggregate:
        case "count":
            value = _counted(anchor, group)
        case "count_distinct":
            value = _distinct(fuse, anchor, doubtful)
        case "first_occurrence":
            tables.append(("firsts", _firsts()))
            value = exp.select("key", *_named(value=col("t0"), also=col("t1"), first=_at("t0"))).from_("firsts")
        case "longest_gap":
            tables += [_spans("part"), ("gaps", _gaps())]
            value = _longest()
        case _ if per_label:
            tables += [_spans("part", "label"), ("weights", _covered("part", "label")), ("heaviest", _heaviest())]
            value = exp.select("key", *_named(value=col("label"), also=col("value"), first=col("first"))).from_(
                "heaviest"
            )
            value = value.where(col("place").eq(number(1)))
        case _:
            tables.append(_spans("part"))
            value = _covered("part")
    return tables, _in_order(value, fuse, group, most)


def grouped_by(fuse: Fuse, anchor: Selection) -> str | None:
    """Give what a plan groups by; a majority is by label, or by speaker where rows have none."""
    if fuse.group is None and fuse.aggregate == "majority":
        return "label" if anchor.stream in ("emotion", "events") else "speaker"
    return fuse.group


def first_rows(fuse: Fuse, anchor: Selection, doubtful: Sequence[int]) -> list[Table]:
    """Give the tables that end in `firsts`: the ids of each group's first row."""
    return [*_keyed(fuse, anchor, doubtful, grouped_by(fuse, anchor)), ("firsts", _firsts())]


def _keyed(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], group: str | None) -> list[Table]:
    keys = {
        None: (exp.null(), number(0)),
        "speaker": (col("speaker"), col("voice")),
        "recording": (col("recording_id"), col("rec")),
        "label": (col("label"), col("label")),
    }
    if group == "label" and anchor.asked:
        return _as_asked(fuse, anchor)
    key, part = keys[group]
    return [("keyed", _row(fuse, anchor, key, part, _left_out(fuse, anchor, doubtful, group)))]


def _row(fuse: Fuse, anchor: Selection, key: exp.Expr, part: exp.Expr, conditions: list[exp.Condition]) -> exp.Select:
    cut = fuse.aggregate in _DURATIONS
    times = clipped(anchor.start, anchor.end) if cut else [col("t0"), col("t1")]
    others = [col(name) for name in _ROW if name not in ("t0", "t1")]
    row = exp.select(*_named(key=key, part=part), *others, *times).from_("kept")
    return row.where(both(conditions)) if conditions else row


def _as_asked(fuse: Fuse, anchor: Selection) -> list[Table]:
    """Give each row once for every label asked that it answers to, keyed by that label."""
    rows: list[exp.Query] = []
    for label, labels in anchor.asked:
        answers = one_of(col("label"), labels) if labels else hit([label])
        conditions = [answers, *_left_out(fuse, anchor, (), "label")]
        rows.append(_row(fuse, anchor, text(label), text(label), conditions))
    tables: list[Table] = []
    while len(rows) > _TERMS:
        name = f"keyed_{len(tables) + 1}"
        tables.append((name, _all(rows[:_TERMS])))
        rows = [*rows[_TERMS:], exp.select("key", "part", *_ROW).from_(name)]
    return [*tables, ("keyed", _all(rows))]


def _all(rows: list[exp.Query]) -> exp.Query:
    together = rows[0]
    for row in rows[1:]:
        together = together.union(row, distinct=False)
    return together


def _left_out(fuse: Fuse, anchor: Selection, doubtful: Sequence[int], group: str | None) -> list[exp.Condition]:
    """Leave doubtful voices out of who spoke, and unclear rows out of how somebody mostly sounded."""
    out: list[exp.Condition] = []
    if group == "speaker" and anchor.stream == "speaker" and doubtful:
        out.append(exp.Not(this=one_of(col("voice"), doubtful)))
    if fuse.aggregate == "majority" and anchor.stream == "emotion":
        out.append(exp.NEQ(this=col("label"), expression=text(UNCLEAR)))
    return out


def _counted(anchor: Selection, group: str | None) -> exp.Select:
    """Count rows; where words were asked for, count how often the words occur."""
    if not anchor.terms or anchor.meaning is not None:
        value = exp.select(*_key(), *_named(value=exp.Count(this=exp.Star()), also=exp.null(), first=_place()))
        return value.from_("keyed").group_by("part")
    words = col("term", "h").eq(col("key", "k")) if group == "label" else one_of(col("term", "h"), anchor.terms)
    held = exp.select("segment_id", "term", "occurrences").from_("keyword_hit").subquery("h")
    rows = (
        exp.select("key", "part", "rec", "t0", "occurrences")
        .from_(exp.to_table("keyed").as_("k"))
        .join(held, on=both([col("segment_id", "h").eq(col("id", "k")), words]))
    )
    times = exp.Sum(this=col("occurrences"))
    value = exp.select(*_key(), *_named(value=times, also=exp.null(), first=_place()))
    return value.from_(rows.subquery("counted")).group_by("part")


def _distinct(fuse: Fuse, anchor: Selection, doubtful: Sequence[int]) -> exp.Select:
    """Count different voices (the doubtful ones not, but beside), labels or recordings."""
    default = "label" if anchor.stream in VOICELESS else "speaker"
    wanted = next((name for name in fuse.fields if name in ("label", "speaker", "recording")), default)
    column = {"label": col("label"), "speaker": col("voice"), "recording": col("rec")}[wanted]
    sure: exp.Condition = column
    if wanted == "speaker" and doubtful:
        sure = exp.Case().when(one_of(column, doubtful), exp.null()).else_(column.copy())
    counts = [exp.Count(this=exp.Distinct(expressions=[value.copy()])) for value in (sure, column)]
    value = exp.select(*_key(), *_named(value=counts[0], also=counts[1], first=_place()))
    return value.from_("keyed").group_by("part")


def _firsts() -> exp.Select:
    place = exp.alias_(row_number(["rec", "t0", "id"], "part"), "place")
    placed = exp.select("key", "part", *_ROW, place).from_("keyed").subquery("placed")
    return exp.select("key", "part", *_ROW).from_(placed).where(col("place").eq(number(1)))


def _spans(*partition: str) -> Table:
    rows = exp.select("key", "part", *_ROW, exp.alias_(reach(*partition, "rec"), "reach")).from_("keyed")
    return "spans", rows


def _covered(*partition: str) -> exp.Select:
    labels = [col("label")] if "label" in partition else []
    value = exp.select(*_key(), *labels, *_named(value=exp.Sum(this=covered()), also=exp.null(), first=_place()))
    return value.from_("spans").group_by(*partition)


def _heaviest() -> exp.Select:
    order: list[str | exp.Expr] = [ordered("value", descending=True), "first", "label"]
    return exp.select("key", "label", "value", "first", exp.alias_(row_number(order, "key"), "place")).from_("weights")


def _gaps() -> exp.Select:
    length = minus(col("t0"), col("reach"))
    order: list[str | exp.Expr] = [ordered(length, descending=True), "rec", "t0", "id"]
    place = exp.alias_(row_number(order, "part"), "place")
    open_ones = both([exp.Not(this=col("reach").is_(exp.null())), col("t0") > col("reach")])
    return exp.select("key", "rec", "reach", "t0", place).from_("spans").where(open_ones)


def _longest() -> exp.Select:
    value = exp.select("key", *_named(value=col("reach"), also=col("t0"), first=_at("reach"))).from_("gaps")
    return value.where(col("place").eq(number(1)))


def _in_order(value: exp.Select, fuse: Fuse, group: str | None, most: int) -> exp.Select:
    descending = fuse.order in ("-time", "-value", "rank")
    figure = "value" if fuse.order in ("value", "-value", "rank") or fuse.aggregate == "majority" else "first"
    by = ordered(_figure(fuse) if figure == "value" else "first", descending or fuse.aggregate == "majority")
    limit = min(fuse.limit or most, most) if group is not None else most
    return value.order_by(by, ordered("first"), ordered("key")).limit(limit)


def _figure(fuse: Fuse) -> exp.Expr:
    return minus(col("also"), col("value")) if fuse.aggregate == "longest_gap" else col("value")


def _key() -> list[exp.Expr]:
    return _named(key=exp.Min(this=col("key")))


def _place() -> exp.Condition:
    """Give where a group begins."""
    return exp.Min(this=_at("t0"))


def _at(time: str) -> exp.Condition:
    """Give one number that orders rows by recording, then by time."""
    return exp.Add(this=exp.Mul(this=col("rec"), expression=number(_RECORDING)), expression=col(time))


def _named(**columns: exp.Expr) -> list[exp.Expr]:
    return [exp.alias_(value, name) for name, value in columns.items()]
