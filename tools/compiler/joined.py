"""The tree of a plan's joins as SQL: which rows of a call count, and who the partners of the rows listed are.

A call that others are joined to is narrowed to the rows that have these partners, before it becomes a partner itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.fusion import ROW, chosen, edges, kept, pairs, supports
from store.link import Link
from store.syntax import Columns, among, col, named, row_number, select, table
from tools.compiler.bounds import Table
from tools.compiler.selection import Selection
from tools.plan import Branch, Join


@dataclass(frozen=True, slots=True)
class Joined:
    """One join as a link to its partner's rows, with the joins to that partner."""

    join: Join
    partner: Selection
    link: Link
    below: tuple["Joined", ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables that end in the pairs of one join (`chosen`: n, anchor, id); `parent` counts pairings from 0."""

    partner: Selection
    tables: tuple[Table, ...]
    chosen: str
    parent: int | None


def joined(
    parent: Selection, branches: Iterable[Branch], selections: Mapping[str, Selection], catalog: Catalog
) -> tuple[Joined, ...]:
    """Link a call's rows to those of the calls joined to it."""
    found = []
    for branch in branches:
        partner = selections[branch.call.id]
        below = joined(partner, branch.branches, selections, catalog)
        found.append(Joined(branch.join, partner, _link(branch.join, parent, partner, below, catalog), below))
    return tuple(found)


def narrowing(joins: Iterable[Joined]) -> Iterator[Table]:
    """Give the tables that the conditions of joins name, those of the joins below first."""
    for one in joins:
        yield from narrowing(one.below)
        if conditions(one.below):
            columns = named(**{name: col(name, "a") for name in one.partner.columns})
            rows = select(*columns, source=table(one.partner.name, "a"), where=conditions(one.below))
            yield one.link.rows, rows
        yield from supports(one.link)


def conditions(joins: Iterable[Joined]) -> list[exp.Condition]:
    """Give the conditions that row `a` has the partners it must have, and none of those it must not have."""
    return [
        exp.Not(this=kept(one.link)) if one.join.kind == "without" else kept(one.link)
        for one in joins
        if one.join.kind != "left"
    ]


def pairings(
    joins: Sequence[Joined], rows: str, tables: Sequence[Table], most: int, known: int = 0, parent: int | None = None
) -> Iterator[Pairing]:
    """Give the partners of the first `most` of the numbered `rows`, then the partners of these, one join at a time."""
    for one in joins:
        if one.join.kind == "without":
            continue
        anchors, names, more = rows, _names(known), list[Table]()
        if one.link.edged:
            anchors, more = names["edges"], [(names["edges"], edges(one.link, rows, most))]
        more.append((names["matched"], pairs(one.link, anchors, most)))
        more.append((names["chosen"], chosen(one.link, names["matched"])))
        here = (*tables, *more)
        yield Pairing(one.partner, here, names["chosen"], parent)
        number, known = known, known + 1
        theirs = (names["listed"], _numbered(one.link.rows, names["chosen"]))
        for pairing in pairings(one.below, names["listed"], (*here, theirs), most, known, number):
            known += 1
            yield pairing


def _link(join: Join, parent: Selection, partner: Selection, below: Sequence[Joined], catalog: Catalog) -> Link:
    tolerance = None if join.tolerance is None else clock.end_ms(join.tolerance)
    rows = f"{partner.name}_joined" if conditions(below) else partner.name
    streams = {rec_id: state.id for rec_id, state in catalog.of(partner.stream).items()}
    apart = tuple(streams.items()) if "stream" in partner.columns else ()
    blur = sum(_resolution(one, catalog) for one in (parent, partner))
    return Link(rows, join.relation, partner.longest, tolerance, join.voice, apart, blur)


def _resolution(of: Selection, catalog: Catalog) -> int:
    """Give how far the edges of a call's rows may be off in any of the recordings."""
    return max((state.resolution_ms for state in catalog.of(of.stream).values()), default=0)


def _names(number: int) -> Mapping[str, str]:
    after = f"_{number}" if number else ""
    return {"listed": f"partners{after}"} | {name: f"{name}{after}" for name in ("edges", "matched", "chosen")}


def _numbered(rows: str, chosen_ones: str) -> exp.Select:
    order: list[Columns] = ["rec", "t0", "id"]
    where = [among(col("id"), select("id", source=chosen_ones))]
    return select(*ROW, *named(n=row_number(order)), source=rows, where=where)
