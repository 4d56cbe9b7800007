"""The compiler: a plan becomes SQL of CTEs, one for each call it refers to, joined in time to the anchor.

The anchors that were kept are counted, listed, paired with their partners and measured by statements of their own,
all of the same CTEs, so that a join never multiplies what is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.errors import ToolError
from store.fusion import ROW, Link, chosen, edges, kept, pairs, supports
from store.syntax import (
    Columns,
    among,
    col,
    finished,
    inner,
    named,
    number,
    one_of,
    ordered,
    row_number,
    select,
    table,
    together,
)
from tools.measure import first_rows, measured, shown_by
from tools.plan import Fuse, Join, Plan
from tools.selection import Selection, Table, selection, shown

MOST = 2000
MOST_COMPUTED = 200
MOST_RECORDINGS = 250
_FUSION = 60


@dataclass(frozen=True, slots=True)
class Compiled:
    """A plan as SQL: rows, their true number, the value (None: nothing is computed), and the partners by join.

    `total_sql` gives one row: the number of anchors kept, then the number of rows of each call by itself (`calls`).
    `terms` and `semantic` are what must stand in `keyword_hit` before any of it runs.
    """

    rows_sql: str
    total_sql: str
    value_sql: str | None
    partner_sql: tuple[str, ...]
    calls: tuple[str, ...]
    terms: tuple[str, ...]
    semantic: tuple[str, ...]


def compile_plan(plan: Plan, catalog: Catalog, most: int | None = None) -> Compiled:
    """Compile a plan for the recordings of a catalog; at most `most` rows are listed.

    Where a value is computed from all rows, 200 are enough to cite it: those that come first in each group.
    """
    _compiles(plan)
    return _Compiler(plan, catalog, most or (MOST_COMPUTED if computed(plan.fuse) else MOST)).compiled()


def computed(fuse: Fuse) -> bool:
    """Say whether the value is computed from all rows, so that those listed are only for show."""
    return fuse.aggregate not in ("none", "first_occurrence")


def _compiles(plan: Plan) -> None:
    fuse, new = plan.fuse, Fuse(anchor="")
    said = [name for name in ("versus", "min_value", "max_value") if getattr(fuse, name) is not None]
    said += [
        str(x)
        for x in (fuse.aggregate, fuse.order, fuse.group)
        if x in ("average", "gaps", "length", "-length", "time")
    ]
    said = [x for x in said if x != new.order or fuse.group == "time"]
    said += ["to" for join in fuse.joins if join.to] + [
        "anywhere" for join in fuse.joins if join.relation == "anywhere"
    ]
    said += ["nth" for call in plan.calls if call.query.nth] + ["start" for c in plan.calls if c.query.from_the_end]
    if said:
        raise ToolError(f"a plan cannot yet have: {', '.join(said)}")


class _Compiler:
    def __init__(self, plan: Plan, catalog: Catalog, most: int) -> None:
        self._fuse, self._most = plan.fuse, most
        self._doubtful = doubtful(catalog)
        used = dict.fromkeys(plan.call(name).id for name in [plan.fuse.anchor, *(j.stream for j in plan.fuse.joins)])
        self._selections: dict[str, Selection] = {}
        anchor, self._more = plan.call(plan.fuse.anchor).id, _more(plan)
        self._catalog, several = catalog, 1 < len(catalog.recordings) <= MOST_RECORDINGS
        for n, call in enumerate((call for call in plan.calls if call.id in used), 1):
            more = (*(self._more if call.id == anchor else ()), *(["stream"] if several else []))
            self._selections[call.id] = selection(f"{call.query.stream}_{n}", call.query, catalog, more)
        self._anchor = self._selections[anchor]
        self._links = [(join, *self._link(join, plan)) for join in plan.fuse.joins]
        self._base = self._kept()

    def compiled(self) -> Compiled:
        used = self._selections.values()
        return Compiled(
            rows_sql=self._rows(),
            total_sql=self._total(),
            value_sql=self._value(),
            partner_sql=tuple(self._partners(*one) for one in self._links if one[0].kind != "without"),
            calls=tuple(self._selections),
            terms=tuple(dict.fromkeys(term for one in used for term in one.terms)),
            semantic=tuple(dict.fromkeys(one.meaning for one in used if one.meaning is not None)),
        )

    def _link(self, join: Join, plan: Plan) -> tuple[Selection, Link]:
        partner = self._selections[plan.call(join.stream).id]
        tolerance = None if join.tolerance is None else clock.end_ms(join.tolerance)
        streams = self._streams(partner) if "stream" in partner.columns else ()
        blur = self._resolution(self._anchor) + self._resolution(partner)
        return partner, Link(partner.name, join.relation, partner.longest, tolerance, join.voice, streams, blur)

    def _resolution(self, of: Selection) -> int:
        """Give how far the edges of a call's rows may be off in any of the recordings."""
        return max((state.resolution_ms for state in self._catalog.of(of.stream).values()), default=0)

    def _streams(self, of: Selection) -> tuple[tuple[int, int], ...]:
        return tuple((rec_id, state.id) for rec_id, state in self._catalog.of(of.stream).items())

    def _rows(self) -> str:
        order: list[Columns] = _order(self._fuse.order, "v") if computed(self._fuse) else [col("n", "l")]
        rows = self._shown(self._anchor, "listed", [], [col("n", "l") <= number(self._limit)])
        return self._sql(finished(rows, order, self._limit), self._listed())

    def _total(self) -> str:
        names = ["kept", *(one.name for one in self._selections.values())]
        counts = {name: inner(select(exp.Count(this=exp.Star()), source=name)) for name in names}
        return self._sql(exp.Select(expressions=named(**counts)))

    def _value(self) -> str | None:
        if self._fuse.aggregate == "none":
            return None
        tables, value = measured(self._fuse, self._anchor, self._doubtful, MOST)
        return self._sql(value, tables)

    def _partners(self, _: Join, partner: Selection, link: Link) -> str:
        tables, anchors = self._listed(), "listed"
        if link.edged:
            tables, anchors = [*tables, ("edges", edges(link, "listed", self._limit))], "edges"
        tables += [("matched", pairs(link, anchors, self._limit)), ("chosen", chosen(link, "matched"))]
        rows = self._shown(partner, "chosen", [col("anchor", "l")], [])
        return self._sql(finished(rows, [col("n", "l"), col("t0", "v"), col("id", "v")], MOST), tables)

    def _shown(self, of: Selection, numbered: str, first: list[exp.Expr], where: list[exp.Condition]) -> exp.Select:
        """Give numbered rows as people see them, looked up by id only now that they are few."""
        rows = select(*first, *shown(of.stream, "v"), source=table(numbered, "l"), where=[*where, _same_id()])
        rows.set("joins", [exp.Join(this=table(of.stream, "v"), kind="CROSS")])
        return rows

    @property
    def _limit(self) -> int:
        """How many rows are listed; a limit on groups, or on what is told apart, is not one on rows."""
        grouped = self._fuse.aggregate != "none" and shown_by(self._fuse, self._anchor) is not None
        return self._most if grouped else min(self._fuse.limit or self._most, self._most)

    def _listed(self) -> list[Table]:
        """Number the anchors that were kept in the order asked: all, or the first of each group."""
        fuse, tables = self._fuse, list[Table]()
        source, where, order = "kept", list[exp.Condition](), _order(fuse.order)
        if fuse.aggregate == "first_occurrence":
            tables = first_rows(fuse, self._anchor, self._doubtful)
            where, order = [among(col("id"), select("id", source="firsts"))], _order("time")
        elif fuse.order == "rank" and self._anchor.hits:
            tables = [*_ranked(self._anchor), ("ranked", _scored(self._more))]
            source, order = "ranked", [ordered("best", descending=True), *_order("time")]
        elif computed(fuse) and (group := shown_by(fuse, self._anchor)) is not None:
            turn = named(turn=row_number(order, group))
            tables = [("taken", select(*ROW, *self._more, *turn, source="kept"))]
            source, order = "taken", ["turn", *_order("time")]
        return [*tables, ("listed", select(*ROW, *named(n=row_number(order)), source=source, where=where))]

    def _sql(self, query: exp.Select, tables: Sequence[Table] = ()) -> str:
        ctes = [*self._base, *(_cte(name, rows, None) for name, rows in tables)]
        query.set("with_", exp.With(expressions=ctes))
        return query.sql(dialect="sqlite", copy=False)

    def _kept(self) -> list[exp.CTE]:
        """Give the calls' tables and `kept`; a call's stays unmaterialised, so that the stream's index serves."""
        tables: list[exp.CTE] = []
        for one in self._selections.values():
            tables += [_cte(name, rows, None if name.endswith("_spans") else False) for name, rows in one.tables]
        extra = {name: rows for _, _, link in self._links for name, rows in supports(link)}
        tables += [_cte(name, rows, True) for name, rows in extra.items()]
        conditions = [
            exp.Not(this=kept(link)) if join.kind == "without" else kept(link)
            for join, _, link in self._links
            if join.kind != "left"
        ]
        columns = named(**{name: col(name, "a") for name in (*ROW, *self._more)})
        return [*tables, _cte("kept", select(*columns, source=table(self._anchor.name, "a"), where=conditions), None)]


def doubtful(catalog: Catalog) -> list[int]:
    """Give the ids of voices that are marked as doubtful."""
    return [voice.id for entry in catalog.recordings for voice in entry.voices if voice.doubt is not None]


def _cte(name: str, rows: exp.Query, materialized: bool | None) -> exp.CTE:
    return exp.CTE(this=rows, alias=exp.TableAlias(this=exp.Identifier(this=name)), materialized=materialized)


def _more(plan: Plan) -> tuple[str, ...]:
    """Give the columns that the anchor's value and order need besides its place and voice."""
    fuse = plan.fuse
    key = {"speaker": ("speaker",), "recording": ("recording_id",)}.get(fuse.group or "", ())
    if fuse.aggregate == "majority" and fuse.group is None:
        key = ("speaker",)
    return ("label", "score", *(key if fuse.aggregate != "none" else ()))


def _same_id() -> exp.Condition:
    return col("id", "v").eq(col("id", "l"))


def _order(order: str, alias: str | None = None) -> list[Columns]:
    rec, start, row_id = col("rec", alias), col("t0", alias), col("id", alias)
    match order:
        case "-time":
            return [ordered(start, descending=True), ordered(rec), ordered(row_id, descending=True)]
        case "value" | "-value" | "rank":
            return [ordered(col("score", alias), descending=order != "value"), *_order("time", alias)]
        case _:
            return [ordered(rec), ordered(start), ordered(row_id)]


def _ranked(anchor: Selection) -> list[Table]:
    """Fuse the ranks that keywords (BM25, summed) and meaning give a segment, by reciprocal rank (k = 60)."""
    sources: list[exp.Query] = []
    for terms in filter(None, (anchor.terms, anchor.hits[len(anchor.terms) :])):
        rank = named(rank=exp.Sum(this=col("rank")))
        summed = select(
            "segment_id", *rank, source="keyword_hit", where=[one_of(col("term"), terms)], group=["segment_id"]
        )
        place = named(place=row_number(["rank", "segment_id"]))
        sources.append(select("segment_id", *place, source=inner(summed, "summed")))
    under = exp.Paren(this=exp.Add(this=number(_FUSION), expression=col("place")))
    share = exp.Div(this=number(1.0), expression=under, typed=True, safe=True)
    scores = select("segment_id", *named(best=exp.Sum(this=share)), source="places", group=["segment_id"])
    return [("places", together(sources)), ("scores", scores)]


def _scored(more: Sequence[str]) -> exp.Select:
    rows = select(
        *named(**{name: col(name, "k") for name in (*ROW, *more)}),
        *named(best=col("best", "s")),
        source=table("kept", "k"),
    )
    rows.set("joins", [exp.Join(this=table("scores", "s"), on=col("segment_id", "s").eq(col("id", "k")))])
    return rows
