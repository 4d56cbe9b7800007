"""How rows of two streams lie to each other in time, as SQL built from syntax trees.

`anywhere` asks for no order in time at all, so that one row a voice, its first, stands for all of them.

Every join bounds the partner's start from the left by the partner stream's longest row, so that SQLite walks its
(stream, start) index; where one row is very long, long rows become a class of their own and are walked by themselves.
Anchors are kept by EXISTS, so that several partners never count an anchor twice. Nothing matches across recordings.
"""

import re

from sqlglot import exp

from store.link import Link, Relation
from store.migrations import SEQ_BITS
from store.syntax import (
    both,
    col,
    either,
    exists,
    inner,
    minus,
    named,
    null,
    number,
    ordered,
    plus,
    row_number,
    select,
    table,
    together,
)

LONG_MS = 60_000
ROW = ("rec", "id", "t0", "t1", "voice")
# A rank has 63 bits: 12 of a gap, 31 of a start, and those of a row's number.
_STARTS, _ROWS = 1 << 31, 1 << SEQ_BITS

_SURE = re.compile(r".*_sure_\d+")


def kept(link: Link) -> exp.Condition:
    """Give the condition that anchor `a` has a partner."""
    if link.edged:
        far = col("last", "p") >= col("t1", "a") if link.relation == "before" else col("first", "p") <= col("t0", "a")
        return exists(link.edge, "p", both([_same("rec"), far, *_voices(link)]))
    if not link.split:
        return exists(link.source, "p", both([*_home(link), holds(link, link.longest)]))
    short = both([*_home(link), holds(link, LONG_MS), _short()])
    return either(exists(link.source, "p", short), exists(link.long_rows, "p", holds(link, link.longest)))


def supports(link: Link) -> list[tuple[str, exp.Select]]:
    """Give the extra tables that a link's conditions name."""
    if link.relation == "anywhere":
        return [(link.source, _firsts(link))]
    blurred = [(link.source, _sure(link))] if link.blurred else []
    if link.split:
        long_ones = minus(col("t1"), col("t0")) > number(LONG_MS)
        stored = ["stored"] if link.blurred else []
        return [*blurred, (link.long_rows, select(*ROW, *stored, source=link.source, where=[long_ones]))]
    if link.edged:
        by = ["rec", "voice"] if link.voice == "same" else ["rec"]
        ahead = link.relation == "before"
        value = named(last=exp.Max(this=col("t0"))) if ahead else named(first=exp.Min(this=col("t1")))
        return [*blurred, (link.edge, select(*by, *value, source=link.source, group=by))]
    return blurred


def edges(link: Link, anchors: str, most: int) -> exp.Select:
    """Give the first `most` anchors with the edge nearest to each, for a link that is edged: one walk in order of time.

    The edge is the first start after the anchor (before), or the last end before it (after).
    """
    ahead = link.relation == "before"
    near, far = ("t0", "t1") if ahead else ("t1", "t0")
    numbered = ("n", "id", "t0", "t1")
    nothing = named(**{name: null() for name in numbered})
    partners = select(
        "rec", "voice", *nothing, *named(side=number(0), at=col(near), edge=col(near)), source=link.source
    )
    ours = select("rec", "voice", *numbered, *named(side=number(1), at=col(far), edge=null()), source=anchors)
    ours.set("where", exp.Where(this=col("n") <= number(most)))
    partition = ["rec", "voice"] if link.voice == "same" else ["rec"]
    walk = exp.Window(
        this=exp.Min(this=col("edge")) if ahead else exp.Max(this=col("edge")),
        partition_by=[col(name) for name in partition],
        order=exp.Order(expressions=[ordered("at", descending=ahead), ordered("side")]),
        spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
    )
    walked = select("rec", "voice", *numbered, *named(edge=walk), source=inner(together([partners, ours]), "both"))
    beside = [exp.Not(this=exp.Is(this=col(name), expression=null())) for name in ("n", "edge")]
    return select("rec", "voice", *numbered, "edge", source=inner(walked, "walked"), where=beside)


def pairs(link: Link, anchors: str, most: int) -> exp.Query:
    """Give the partners of the first `most` anchors, which are numbered by a column n: all, or candidates for one.

    Where the link is edged, the anchors are those that `edges` gives.
    """
    if link.edged:
        return _pairs(
            link, anchors, most, link.source, both([*_home(link), _same("rec"), *_at_edge(link), *_voices(link)])
        )
    if not link.split:
        return _pairs(link, anchors, most, link.source, both([*_home(link), holds(link, link.longest)]))
    short = both([*_home(link), holds(link, LONG_MS), _short()])
    far = _pairs(link, anchors, most, link.long_rows, holds(link, link.longest))
    return together([_pairs(link, anchors, most, link.source, short), far])


def chosen(link: Link, matched: str) -> exp.Select:
    """Give the partners each anchor has among the matched: every one, or the best by gap, start and number."""
    wanted = ("n", "anchor", "id")
    if not link.single:
        return select(*wanted, source=matched)
    if link.ranked:
        return _least(matched)
    place = named(place=row_number([*_keys(link), "t0", "id"], "anchor"))
    placed = inner(select(*wanted, *place, source=matched), "placed")
    return select(*wanted, source=placed, where=[exp.EQ(this=col("place"), expression=number(1))])


def holds(link: Link, longest: int) -> exp.Condition:
    """Give the condition that partner `p`, which is at most `longest` long, stands in the relation to anchor `a`."""
    near = _reachable(link, longest) if link.blurred else []
    return both([_same("rec"), *near, *_in_time(link.relation, link.slack, longest), *_voices(link)])


def computed_once(name: str) -> bool:
    """Say whether a table of `supports` is computed once; the sure rows are not, so that their start's index serves."""
    return _SURE.fullmatch(name) is None


def _in_time(relation: Relation, slack: int | None, longest: int) -> list[exp.Condition]:
    a0, a1, p0, p1 = (col(name, side) for side in "ap" for name in ("t0", "t1"))
    near = slack or 0
    match relation:
        case "overlaps":
            return [p0 > plus(a0, -near - longest), p0 < plus(a1, near), p1 > plus(a0, -near)]
        case "nearest" | "nearest_midpoint":
            return [p0 >= plus(a0, -near - longest), p0 <= plus(a1, near), p1 >= plus(a0, -near)]
        case "contains":
            return [p0 >= plus(a0, -near), p0 < plus(a1, near), p1 <= plus(a1, near)]
        case "within":
            return [p0 >= plus(a1, -near - longest), p0 <= plus(a0, near), p1 >= plus(a1, -near)]
        case "before":
            return [p0 >= a1, *([] if slack is None else [p0 <= plus(a1, slack)])]
        case "after" | "right_after":
            limit = [] if slack is None else [p0 >= plus(a0, -slack - longest), p1 >= plus(a0, -slack)]
            return [p0 < a0, p1 <= a0, *limit]
        case "anywhere":
            return []


def _firsts(link: Link) -> exp.Select:
    """Give the first row of each voice in each recording, which stand for all where time does not matter."""
    columns = [*ROW, *(["stream"] if link.streams else [])]
    place = named(place=row_number(["t0", "id"], "rec", "voice"))
    placed = inner(select(*columns, *place, source=link.rows), "placed")
    return select(*columns, source=placed, where=[exp.EQ(this=col("place"), expression=number(1))])


def _reachable(link: Link, longest: int) -> list[exp.Condition]:
    """Bound where a partner starts as its rows are stored, since what is sure of a row has no index."""
    stored, slack = col("stored", "p"), link.slack
    if link.relation == "before":
        ends = col("t1", "a")
        latest = [] if slack is None else [stored <= plus(ends, slack)]
        return [stored >= plus(ends, -link.blur), *latest]
    starts = col("t0", "a")
    return [stored < starts, *([] if slack is None else [stored >= plus(starts, -slack - longest - link.blur)])]


def _sure(link: Link) -> exp.Select:
    """Give the rows as they certainly were: shorter by the blur at both edges, or their middle millisecond."""
    t0, t1, long = col("t0"), col("t1"), minus(col("t1"), col("t0")) > number(2 * link.blur)
    middle = exp.Div(this=exp.Paren(this=exp.Add(this=t0, expression=t1)), expression=number(2), typed=True, safe=True)
    start = exp.Case(ifs=[exp.If(this=long, true=plus(t0, link.blur))], default=middle)
    end = exp.Case(ifs=[exp.If(this=long.copy(), true=plus(t1, -link.blur))], default=plus(middle, 1))
    more = ["stream"] if link.streams else []
    return select("rec", "id", *named(t0=start, t1=end, stored=t0), "voice", *more, source=link.rows)


def _pairs(link: Link, anchors: str, most: int, source: str, condition: exp.Condition) -> exp.Select:
    keys = named(**_keys(link)) if link.single else []
    if link.ranked:
        columns = named(n=col("n", "a"), anchor=col("id", "a"), rank=_rank(link))
    else:
        columns = [*named(n=col("n", "a"), anchor=col("id", "a"), id=col("id", "p"), t0=col("t0", "p")), *keys]
    pair = select(*columns, source=table(anchors, "a"), where=[col("n", "a") <= number(most), condition])
    # A cross join keeps the anchors in the outer loop; the planner, without statistics, may turn a join around.
    pair.set("joins", [exp.Join(this=table(source, "p"), kind="CROSS")])
    return pair


def _at_edge(link: Link) -> list[exp.Condition]:
    edge, p0, stored = col("edge", "a"), col("t0", "p"), col("stored", "p")
    if link.relation == "before":
        near = [stored <= edge, stored >= plus(edge, -link.blur)] if link.blurred else []
        return [*near, exp.EQ(this=p0, expression=edge)]
    near = [stored < edge, stored >= plus(edge, -link.longest - link.blur)] if link.blurred else []
    ends = exp.EQ(this=col("t1", "p"), expression=edge)
    return [*near, ends, p0 < edge, p0 >= plus(edge, -link.longest)]


def _keys(link: Link) -> dict[str, exp.Expr]:
    """Give what a single partner is chosen by: its gap, and before it twice the distance of midpoints where asked."""
    if link.relation != "nearest_midpoint":
        return {"gap": _gap(link)}
    middles = [exp.Paren(this=exp.Add(this=col("t0", side), expression=col("t1", side))) for side in "ap"]
    return {"far": exp.Abs(this=minus(*middles)), "gap": _gap(link)}


def _gap(link: Link) -> exp.Condition:
    if link.relation == "anywhere":
        return number(0)
    ahead, behind = minus(col("t0", "p"), col("t1", "a")), minus(col("t0", "a"), col("t1", "p"))
    cases = [exp.If(this=exp.GT(this=gap, expression=number(0)), true=gap.copy()) for gap in (ahead, behind)]
    return exp.Case(ifs=cases, default=number(0))


def _rank(link: Link) -> exp.Condition:
    """Give a pair's gap, the partner's start seen from the anchor and its number as one number, to be compared by."""
    start = plus(minus(col("t0", "p"), col("t0", "a")), (link.slack or 0) + link.longest)
    far = exp.Add(this=exp.Mul(this=_gap(link), expression=number(_STARTS)), expression=start)
    return exp.Add(this=exp.Mul(this=exp.Paren(this=far), expression=number(_ROWS)), expression=_seq(col("id", "p")))


def _least(matched: str) -> exp.Select:
    """Give each anchor's partner of the least rank: grouping costs a third of what a window does."""
    ranked = select("n", "anchor", *named(rank=exp.Min(this=col("rank"))), source=matched, group=("n", "anchor"))
    recording = minus(col("anchor"), _seq(col("anchor")))
    partner = exp.Add(this=recording, expression=_seq(col("rank")))
    return select("n", "anchor", *named(id=partner), source=inner(ranked, "ranked"))


def _seq(value: exp.Condition) -> exp.Mod:
    return exp.Mod(this=value, expression=number(_ROWS))


def _home(link: Link) -> list[exp.Condition]:
    if not link.streams:
        return []
    known = [exp.If(this=number(rec), true=number(stream)) for rec, stream in link.streams]
    return [exp.EQ(this=col("stream", "p"), expression=exp.Case(this=col("rec", "a"), ifs=known))]


def _voices(link: Link) -> list[exp.Condition]:
    if link.voice == "any":
        return []
    same = _same("voice")
    return [same] if link.voice == "same" else [exp.NEQ(this=same.left, expression=same.right)]


def _same(name: str) -> exp.EQ:
    return exp.EQ(this=col(name, "p"), expression=col(name, "a"))


def _short() -> exp.Condition:
    return minus(col("t1", "p"), col("t0", "p")) <= number(LONG_MS)
