"""What is computed from the anchors that were kept: counts, firsts, durations over unions, gaps, overlaps, majorities.

Every result has the same columns: the group's key and part (what tells groups apart), its value, a second figure
(where the value is a stretch, its end; where doubtful voices are not counted, the number with them), and the place of
the group's first row. All are computed from the table `keyed`: the kept rows with the key and the part of their groups.
"""

from collections.abc import Sequence

from sqlglot import exp

from store.coverage import covered, reach
from store.syntax import (
    Columns,
    among,
    both,
    col,
    either,
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
)
from tools.compiler import slices
from tools.compiler.bounds import Table
from tools.compiler.measure import Measure, bound
from tools.compiler.overlaps import overlaps

KEYED = ("part", "rec", "id", "voice", "label", "t0", "t1")
_GAP = ("key", "part", "rec", "reach", "t0", "id")


def value(measure: Measure) -> tuple[list[Table], exp.Select]:
    """Give the query of the value of each group, and the tables that it needs besides `keyed`."""
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
        case "overlaps":
            return at_once(measure), _overlap()
        case "overlap_duration":
            return overlaps([]), _overlapped()
        case "majority" if measure.label_of:
            weights: list[Table] = [("weights", _covered("part", "label")), ("heaviest", _heaviest())]
            mostly = named(value=col("label"), also=col("value"))
            best = select("key", "part", *mostly, "first", source="heaviest", where=_best())
            return [_spans("part", "label"), *weights], best
        case _:
            return [_spans("part")], _covered("part")


def firsts(measure: Measure) -> list[exp.Condition]:
    """Give the condition that a row is the first of its group, from the tables of `keyed` and `firsts`."""
    fitting = [among(col("part"), select("part", source="fitting"))] if measure.bounded else []
    return [among(col("id"), select("id", source="firsts", where=fitting))]


def first_rows() -> Table:
    """Give the table of the first row of each group."""
    placed = select("key", *KEYED, *named(place=row_number(["rec", "t0", "id"], "part")), source="keyed")
    return "firsts", select("key", *KEYED, source=inner(placed, "placed"), where=_best())


def bordering() -> list[exp.Condition]:
    """Give the condition that a row ends where a gap begins or begins where it ends, from the table `gaps`."""
    before = among(_at("t1"), select(_at("reach"), source="gaps"))
    return [either(before, among(col("id"), select("id", source="gaps")))]


def gaps(measure: Measure) -> list[Table]:
    """Give the tables that end in `gaps`: the gaps of the union of rows that are within the bounds."""
    fitting = [bound(minus(col("t0"), col("reach")), measure, limit) for limit in measure.limits]
    return [_spans("part"), ("gaps", select(*_GAP, source="spans", where=[_uncovered(), *fitting]))]


def at_once(measure: Measure) -> list[Table]:
    """Give the tables that end in `overlaps`: where voices speak at once, for as long as the bounds allow."""
    return overlaps([bound(minus(col("t1"), col("t0")), measure, limit) for limit in measure.limits])


def taking_part() -> list[exp.Condition]:
    """Give the condition that a row begins where an overlap begins or ends where it ends, from `overlaps`."""
    begins = among(_at("t0"), select(_at("t0"), source="overlaps"))
    return [either(begins, among(_at("t1"), select(_at("t1"), source="overlaps")))]


def _overlap() -> exp.Select:
    stretch = named(value=col("t0"), also=col("t1"), first=_at("t0"))
    return select(*named(key=null(), part=number(0)), *stretch, source="overlaps")


def _overlapped() -> exp.Select:
    """Sum the overlaps; nothing at all where there is none."""
    lasting = named(value=exp.Sum(this=minus(col("t1"), col("t0"))), also=null(), first=_place())
    return select(*named(key=null(), part=number(0)), *lasting, source="overlaps", group=["part"])


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
    return "spans", select("key", *KEYED, *named(reach=reach(*partition, "rec")), source="keyed")


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
    return select(*_GAP, *place, source="spans", where=[_uncovered()])


def _uncovered() -> exp.Condition:
    # A row that nothing reaches yet has a reach of NULL, which is smaller than nothing.
    return col("t0") > col("reach")


def _gap(where: Sequence[exp.Condition] = ()) -> exp.Select:
    gap = named(value=col("reach"), also=col("t0"), first=_at("reach"))
    return select("key", "part", *gap, source="gaps", where=where)


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
