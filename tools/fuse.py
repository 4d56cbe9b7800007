"""The compiler: a plan becomes SQL of CTEs, one for each call it refers to, joined in time to the anchor.

The anchors that were kept are counted, listed, paired with their partners and measured by statements of their own,
all of the same CTEs, so that a join never multiplies what is counted. What is compared (`versus`) is counted here in
one statement; each side's rows and value come from a plan of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store.catalog import Catalog
from store.errors import ToolError
from store.fusion import ROW, computed_once
from store.guard import PLAN
from store.syntax import (
    Columns,
    col,
    finished,
    inner,
    named,
    number,
    ordered,
    row_number,
    select,
    table,
)
from tools.compiler import aggregates, groups, slices
from tools.compiler.bounds import Table
from tools.compiler.joined import Pairing, conditions, joined, narrowing, pairings
from tools.compiler.measure import STRETCHES, Measure
from tools.compiler.ordering import order_by, ranked, scored
from tools.compiler.selection import Selection, selection, shown
from tools.plan import Fuse, Plan, every_branch

MOST = 2000
MOST_COMPUTED = 200
MOST_RECORDINGS = 250


@dataclass(frozen=True, slots=True)
class Counting:
    """How a plan's rows are counted: one row, of the number of anchors kept, then of rows of each call by itself.

    `terms` and `semantic` are what must stand in `keyword_hit` before any of a plan's SQL runs.
    """

    total_sql: str
    calls: tuple[str, ...]
    terms: tuple[str, ...]
    semantic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compiled(Counting):
    """A plan as SQL: rows, their true number, the value (None: nothing is computed), and the partners by join.

    Where there is a `found_sql`, it counts the rows of each call, and the last column of each row is the number of
    anchors kept: to keep them a second time would cost more. `partner_of` says for each of `partner_sql` which call it
    brings, and the place of the one whose partners they are (None: the rows).
    """

    rows_sql: str
    found_sql: str | None
    value_sql: str | None
    partner_sql: tuple[str, ...]
    partner_of: tuple[tuple[str, int | None], ...]


def compile_plan(plan: Plan, catalog: Catalog, most: int | None = None) -> Compiled:
    """Compile a plan for the recordings of a catalog; at most `most` rows are listed.

    Where a value is computed from all rows, 200 are enough to cite it: those that come first in each group.
    ToolError says which limit of the fence a plan exceeds.
    """
    return _Compiler(plan, catalog, most or (MOST_COMPUTED if computed(plan.fuse) else MOST)).compiled()


def compile_count(plan: Plan, catalog: Catalog) -> Counting:
    """Compile how many anchors a plan finds in the recordings of a catalog, and nothing else."""
    return _Compiler(plan, catalog, MOST).counting()


def computed(fuse: Fuse) -> bool:
    """Say whether the value is computed from all rows, so that those listed are only for show."""
    return fuse.aggregate not in ("none", "first_occurrence")


class _Compiler:
    def __init__(self, plan: Plan, catalog: Catalog, most: int) -> None:
        self._fuse, self._most = plan.fuse, most
        anchor, tree = plan.call(plan.fuse.anchor), plan.tree()
        versus = None if plan.fuse.versus is None else plan.call(plan.fuse.versus)
        sides = [anchor] if versus is None else [anchor, versus]
        used = {call.id for call in (*sides, *(branch.call for branch in every_branch(tree)))}
        apart = ["stream"] if 1 < len(catalog.recordings) <= MOST_RECORDINGS else []
        self._more, self._selections = _more(plan), dict[str, Selection]()
        for n, call in enumerate((call for call in plan.calls if call.id in used), 1):
            more = (*(self._more if call in sides else ()), *apart)
            self._selections[call.id] = selection(f"{call.query.stream}_{n}", call.query, catalog, more)
        self._anchor = self._selections[anchor.id]
        self._versus = None if versus is None else self._selections[versus.id]
        self._joins = joined(self._anchor, tree, self._selections, catalog)
        lasting = {entry.recording.id: entry.recording.heard_ms for entry in catalog.recordings}
        there = {rec_id: lasting[rec_id] for rec_id in catalog.of(self._anchor.stream)}
        self._measure = Measure(plan.fuse, self._anchor, doubtful(catalog), there)
        self._base = self._kept()
        self._source = "held" if self._measure.bounded else "kept"

    def counting(self) -> Counting:
        used = self._selections.values()
        terms = tuple(dict.fromkeys(term for one in used for term in (*one.terms, *one.wanted)))
        semantic = tuple(dict.fromkeys(one.meaning for one in used if one.meaning is not None))
        return Counting(self._total(), tuple(self._selections), terms, semantic)

    def compiled(self) -> Compiled:
        partners = list(pairings(self._joins, "listed", self._listed(), self._limit))
        ids = {one.name: call for call, one in self._selections.items()}
        counting = self.counting()
        return Compiled(
            total_sql=counting.total_sql,
            calls=counting.calls,
            terms=counting.terms,
            semantic=counting.semantic,
            rows_sql=self._rows(),
            found_sql=self._sql(exp.Select(expressions=self._found())) if self._counted else None,
            value_sql=self._value(),
            partner_sql=tuple(self._partners(one) for one in partners),
            partner_of=tuple((ids[one.partner.name], one.parent) for one in partners),
        )

    def _rows(self) -> str:
        order: list[Columns] = order_by(self._fuse.order, "v") if computed(self._fuse) else [col("n", "l")]
        rows = self._shown(self._anchor, "listed", [], [col("n", "l") <= number(self._limit)])
        if self._counted:
            rows.append("expressions", col("total", "l"))
        return self._sql(finished(rows, order, self._limit), self._listed())

    def _total(self) -> str:
        total: exp.Expr = _count(self._source)
        if self._versus is not None:
            total = exp.Add(this=total, expression=_count("compared"))
        return self._sql(exp.Select(expressions=[*named(kept=total), *self._found()]))

    def _found(self) -> list[exp.Expr]:
        return named(**{one.name: _count(one.name) for one in self._selections.values()})

    def _value(self) -> str | None:
        if self._fuse.aggregate == "none":
            return None
        tables, query = groups.results(self._measure, MOST)
        return self._sql(query, tables)

    def _partners(self, pairing: Pairing) -> str:
        rows = self._shown(pairing.partner, pairing.chosen, [col("anchor", "l")], [])
        rows.append("expressions", named(pairs=exp.Window(this=exp.Count(this=exp.Star())))[0])
        return self._sql(finished(rows, [col("n", "l"), col("t0", "v"), col("id", "v")], MOST), pairing.tables)

    def _shown(self, of: Selection, numbered: str, first: list[exp.Expr], where: list[exp.Condition]) -> exp.Select:
        """Give numbered rows as people see them, looked up by id only now that they are few."""
        rows = select(*first, *shown(of.stream, "v"), source=table(numbered, "l"), where=[*where, _same_id()])
        rows.set("joins", [exp.Join(this=table(of.stream, "v"), kind="CROSS")])
        return rows

    @property
    def _counted(self) -> bool:
        fuse = self._fuse
        few = fuse.aggregate in ("first_occurrence", *STRETCHES) or (fuse.group == "time" and fuse.limit is not None)
        return not few and fuse.order != "rank" and (bool(self._joins) or self._measure.bounded)

    @property
    def _limit(self) -> int:
        """How many rows are listed; a limit on results, or on what is told apart, is not one on rows."""
        several = self._fuse.aggregate in STRETCHES or self._measure.turns is not None
        grouped = self._fuse.aggregate != "none" and several
        return self._most if grouped else min(self._fuse.limit or self._most, self._most)

    def _listed(self) -> list[Table]:
        """Number the anchors that were kept in the order asked: all, or the first of each group."""
        fuse, tables = self._fuse, list[Table]()
        source, where, order = self._source, list[exp.Condition](), order_by(fuse.order)
        if fuse.aggregate == "first_occurrence":
            tables = [*groups.keyed(self._measure), aggregates.first_rows()]
            where, order = aggregates.firsts(self._measure), order_by("time")
        elif fuse.aggregate == "gaps":
            tables = [*groups.keyed(self._measure), *aggregates.gaps(self._measure)]
            where = aggregates.bordering()
        elif fuse.aggregate == "overlaps":
            tables = [*groups.keyed(self._measure), *aggregates.at_once(self._measure)]
            where = aggregates.taking_part()
        elif fuse.order == "rank" and self._anchor.hits:
            tables = [*ranked(self._anchor), ("ranked", scored(self._more, source))]
            source, order = "ranked", [ordered("best", descending=True), *order_by("time")]
        elif computed(fuse) and self._measure.turns is not None:
            if fuse.group == "time" and fuse.limit is not None:
                tables, where = groups.answering(self._measure, fuse.limit)
            tables = [*tables, ("taken", self._turns(source, order))]
            source, order = "taken", ["turn", *order_by("time")]
        total = named(total=exp.Window(this=exp.Count(this=exp.Star()))) if self._counted else []
        return [*tables, ("listed", select(*ROW, *named(n=row_number(order)), *total, source=source, where=where))]

    def _turns(self, source: str, order: Sequence[Columns]) -> exp.Select:
        """Number the rows of each group, so that every group's first come before any group's second."""
        columns = [*ROW, *self._more]
        if self._measure.turns != "slice":
            turn = named(turn=row_number(order, str(self._measure.turns)))
            return select(*columns, *turn, source=source)
        sliced = inner(select(*columns, *named(slice=slices.number_of(self._fuse)), source=source), "sliced")
        return select(*columns, *named(turn=row_number(order, "rec", "slice")), source=sliced)

    def _sql(self, query: exp.Select, tables: Sequence[Table] = ()) -> str:
        extra = [_cte(name, rows, None) for name, rows in tables if name not in self._base]
        query.set("with_", exp.With(expressions=[*self._base.values(), *extra]))
        text = query.sql(dialect="sqlite", copy=False)
        # The words are counted first, because a walk through the tree costs as much as running the statement.
        joins = sum(1 for _ in query.find_all(exp.Join)) if text.count(" JOIN ") > PLAN.joins else 0
        return _small_enough(text, joins)

    def _kept(self) -> Mapping[str, exp.CTE]:
        """Give the calls' tables and `kept`; a call's stays unmaterialised, so that the stream's index serves."""
        tables: dict[str, exp.CTE] = {}
        for one in self._selections.values():
            tables |= {name: _cte(name, rows, one.materialized(name)) for name, rows in one.tables}
        for name, rows in narrowing(self._joins):
            tables[name] = _cte(name, rows, computed_once(name) and not name.endswith("_joined"))
        sides = {"kept": self._anchor} | ({} if self._versus is None else {"compared": self._versus})
        for name, side in sides.items():
            columns = named(**{column: col(column, "a") for column in (*ROW, *self._more)})
            rows = select(*columns, source=table(side.name, "a"), where=conditions(self._joins))
            tables[name] = _cte(name, rows, None)
        held = groups.held(self._measure, self._more) if self._measure.bounded else []
        return tables | {name: _cte(name, rows, None) for name, rows in held}


def doubtful(catalog: Catalog) -> list[int]:
    """Give the ids of voices that are marked as doubtful."""
    return [voice.id for entry in catalog.recordings for voice in entry.voices if voice.doubt is not None]


def _small_enough(sql: str, joins: int) -> str:
    size = len(sql.encode("utf-8", "surrogatepass"))
    if size > PLAN.bytes:
        raise ToolError(
            f"the plan is {size:,} bytes of SQL, and at most {PLAN.bytes:,} are run; ask for fewer keywords or labels, "
            "join fewer calls, or ask fewer recordings at once"
        )
    if joins > PLAN.joins:
        raise ToolError(f"the plan has {joins} joins as SQL, and at most {PLAN.joins} are run; join fewer calls")
    return sql


def _count(name: str) -> exp.Subquery:
    # The authorizer refuses to read a table of which no column is used, and COUNT(*) uses none.
    return inner(select(exp.Count(this=col("id")), source=name))


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
