"""The compiler: a plan becomes SQL of CTEs, one for each call it refers to, joined in time to the anchor.

The anchors that were kept are counted, listed, paired with their partners and measured by statements of their own,
all of the same CTEs, so that a join never multiplies what is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.fusion import COLUMNS, Link, chosen, kept, pairs, supports
from store.syntax import both, col, number, one_of, ordered, row_number, table
from tools.measure import first_rows, measured
from tools.plan import Join, Plan
from tools.selection import Selection, Table, selection

MOST = 2000
_FUSION = 60


@dataclass(frozen=True, slots=True)
class Compiled:
    """A plan as SQL: rows, their true number, the value (None: nothing is computed), and the partners by join.

    `found_sql` counts the rows of each call by itself, in the order of `calls`.
    `terms` and `semantic` are what must stand in `keyword_hit` before any of it runs.
    """

    rows_sql: str
    total_sql: str
    value_sql: str | None
    partner_sql: tuple[str, ...]
    found_sql: str
    calls: tuple[str, ...]
    terms: tuple[str, ...]
    semantic: tuple[str, ...]


def compile_plan(plan: Plan, catalog: Catalog, most: int = MOST) -> Compiled:
    """Compile a plan for the recordings of a catalog; at most `most` rows are listed."""
    return _Compiler(plan, catalog, most).compiled()


class _Compiler:
    def __init__(self, plan: Plan, catalog: Catalog, most: int) -> None:
        self._fuse, self._most = plan.fuse, most
        self._doubtful = doubtful(catalog)
        ids = dict.fromkeys(plan.call(name).id for name in [plan.fuse.anchor, *(j.stream for j in plan.fuse.joins)])
        self._selections: dict[str, Selection] = {}
        for n, call in enumerate((call for call in plan.calls if call.id in ids), 1):
            self._selections[call.id] = selection(f"{call.query.stream}_{n}", call.query, catalog)
        self._anchor = self._selections[plan.call(plan.fuse.anchor).id]
        self._links = [(join, self._link(join, plan)) for join in plan.fuse.joins]

    def compiled(self) -> Compiled:
        fuse, used = self._fuse, self._selections.values()
        value_sql = None
        if fuse.aggregate != "none":
            tables, value = measured(fuse, self._anchor, self._doubtful, self._most)
            value_sql = self._sql(value, tables)
        total = exp.select(exp.alias_(exp.Count(this=exp.Star()), "total")).from_("kept")
        counts = (exp.select(exp.Count(this=exp.Star())).from_(one.name).subquery() for one in used)
        return Compiled(
            rows_sql=self._rows(),
            total_sql=self._sql(total),
            value_sql=value_sql,
            partner_sql=tuple(self._partners(link) for join, link in self._links if join.kind != "without"),
            found_sql=self._sql(exp.select(*(exp.alias_(count, f"n{n}") for n, count in enumerate(counts)))),
            calls=tuple(self._selections),
            terms=tuple(dict.fromkeys(term for one in used for term in one.terms)),
            semantic=tuple(dict.fromkeys(one.meaning for one in used if one.meaning is not None)),
        )

    def _link(self, join: Join, plan: Plan) -> Link:
        partner = self._selections[plan.call(join.stream).id]
        tolerance = None if join.tolerance is None else clock.end_ms(join.tolerance)
        return Link(partner.name, join.relation, partner.longest, tolerance, join.voice)

    def _rows(self) -> str:
        listed = self._listed()
        rows = exp.select(*COLUMNS).from_("listed").where(col("n") <= number(self._limit))
        return self._sql(rows.order_by("n").limit(self._limit), listed)

    def _partners(self, link: Link) -> str:
        tables = [*self._listed(), ("matched", pairs(link, "listed", self._limit))]
        best = chosen(link, "matched").order_by("n", "t0", "id").limit(self._most)
        return self._sql(best, tables)

    @property
    def _limit(self) -> int:
        """How many rows are listed; a limit on groups is not one on rows."""
        grouped = self._fuse.aggregate not in ("none",) and (self._fuse.group or self._fuse.aggregate == "majority")
        return self._most if grouped else min(self._fuse.limit or self._most, self._most)

    def _listed(self) -> list[Table]:
        """Number the anchors that were kept in the order asked: all, or the first of each group."""
        fuse = self._fuse
        if fuse.aggregate == "first_occurrence":
            number_of = exp.alias_(row_number(_order("time")), "n")
            firsts = exp.In(this=col("id"), query=exp.select("id").from_("firsts").subquery())
            rows = exp.select(*COLUMNS, number_of).from_("kept").where(firsts)
            return [*first_rows(fuse, self._anchor, self._doubtful), ("listed", rows)]
        if fuse.order == "rank" and self._anchor.hits:
            best = [*_ranked(self._anchor), ("ranked", _scored())]
            number_of = exp.alias_(row_number([ordered("best", descending=True), *_order("time")]), "n")
            return [*best, ("listed", exp.select(*COLUMNS, number_of).from_("ranked"))]
        number_of = exp.alias_(row_number(_order(fuse.order)), "n")
        return [("listed", exp.select(*COLUMNS, number_of).from_("kept"))]

    def _sql(self, query: exp.Select, tables: Sequence[Table] = ()) -> str:
        for name, rows, materialized in [*self._kept(), *((name, rows, None) for name, rows in tables)]:
            query = query.with_(name, as_=rows.copy(), materialized=materialized, copy=False)
        return query.sql(dialect="sqlite")

    def _kept(self) -> list[tuple[str, exp.Query, bool | None]]:
        """Give the calls' tables and `kept`; a partner's stay unmaterialised, so that the stream's index serves."""
        tables: list[tuple[str, exp.Query, bool | None]] = []
        for one in self._selections.values():
            tables += [(name, rows, None if name.endswith("_spans") else False) for name, rows in one.tables]
        extra = {name: rows for _, link in self._links for name, rows in supports(link)}
        tables += [(name, rows, True) for name, rows in extra.items()]
        conditions = [
            exp.Not(this=kept(link)) if join.kind == "without" else kept(link)
            for join, link in self._links
            if join.kind != "left"
        ]
        anchors = exp.select(*(exp.alias_(col(name, "a"), name) for name in COLUMNS)).from_(
            table(self._anchor.name, "a")
        )
        return [*tables, ("kept", anchors.where(both(conditions)) if conditions else anchors, None)]


def doubtful(catalog: Catalog) -> list[int]:
    """Give the ids of voices that are marked as doubtful."""
    return [voice.id for entry in catalog.recordings for voice in entry.voices if voice.doubt is not None]


def _order(order: str) -> list[exp.Expr]:
    match order:
        case "-time":
            return [ordered("t0", descending=True), ordered("rec"), ordered("id", descending=True)]
        case "value" | "-value" | "rank":
            return [ordered("score", descending=order != "value"), *_order("time")]
        case _:
            return [ordered("rec"), ordered("t0"), ordered("id")]


def _ranked(anchor: Selection) -> list[Table]:
    """Fuse the ranks that keywords (BM25, summed) and meaning give a segment, by reciprocal rank (k = 60)."""
    sources: list[exp.Query] = []
    for terms in filter(None, (anchor.terms, anchor.hits[len(anchor.terms) :])):
        best = exp.select("segment_id", exp.alias_(exp.Sum(this=col("rank")), "rank")).from_("keyword_hit")
        summed = best.where(one_of(col("term"), terms)).group_by("segment_id").subquery("summed")
        sources.append(exp.select("segment_id", exp.alias_(row_number(["rank", "segment_id"]), "place")).from_(summed))
    places = sources[0] if len(sources) == 1 else sources[0].union(sources[1], distinct=False)
    share = exp.Div(
        this=number(1.0),
        expression=exp.Paren(this=exp.Add(this=number(_FUSION), expression=col("place"))),
        typed=True,
        safe=True,
    )
    scores = exp.select("segment_id", exp.alias_(exp.Sum(this=share), "best")).from_("places").group_by("segment_id")
    return [("places", places), ("scores", scores)]


def _scored() -> exp.Select:
    rows = [exp.alias_(col(name, "k"), name) for name in COLUMNS]
    return (
        exp.select(*rows, exp.alias_(col("best", "s"), "best"))
        .from_(table("kept", "k"))
        .join(table("scores", "s"), on=col("segment_id", "s").eq(col("id", "k")))
    )
