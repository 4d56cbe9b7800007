"""A plan computed row by row in plain Python, the way its meaning is defined and not the way SQL computes it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.tools.oracle_rows import Known, World, related, selected, sure
from tests.tools.oracle_values import Result, bounded, in_order, keyed, results, shown, within
from tools.plan import Join, Plan

ONE = ("nearest", "nearest_midpoint", "right_after", "before", "after", "anywhere")
SHOWN = 200
Partners = list[tuple[int, Any]]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a plan must bring back; partners by anchor, one tuple of ids for each join in turn."""

    ids: list[int]
    total: int
    groups: list[tuple[str | None, Any]]
    partners: dict[int, Partners]


def expected(plan: Plan, world: World) -> Expected:
    """Compute a plan by brute force."""
    if plan.fuse.versus is not None:
        return _compared(plan, world)
    anchors = _ordered(_kept(plan, world), plan.fuse.order)
    groups = within(plan, results(plan, anchors, world))
    if bounded(plan):
        theirs = keyed(plan, anchors, world)
        fitting = {row.id for group in groups for row in theirs.get(group.key, [])}
        anchors = [row for row in anchors if row.id in fitting]
    listed = _listed(plan, anchors, groups, world)
    partners = {row.id: _partners(plan.fuse.anchor, plan, row, world) for row in listed}
    return Expected([row.id for row in listed], len(anchors), shown(plan, groups), partners)


def _compared(plan: Plan, world: World) -> Expected:
    sides = []
    for name in (plan.fuse.anchor, plan.fuse.versus):
        joins = [
            j.model_copy(update={"to": name if j.to in (None, plan.fuse.anchor) else j.to}) for j in plan.fuse.joins
        ]
        fuse = plan.fuse.model_copy(update={"anchor": name, "versus": None, "joins": joins})
        sides.append(expected(plan.model_copy(update={"fuse": fuse}), world))
    one, two = sides
    groups = [
        (name, s.groups[0][1] if s.groups else 0)
        for name, s in zip((plan.fuse.anchor, plan.fuse.versus), sides, strict=True)
    ]
    return Expected(one.ids + two.ids, one.total + two.total, groups, one.partners | two.partners)


def _kept(plan: Plan, world: World) -> list[Known]:
    name = plan.fuse.anchor
    return [row for row in selected(plan.call(name).query, world) if _counts(name, plan, row, world)]


def _joins(name: str, plan: Plan) -> list[Join]:
    return [join for join in plan.fuse.joins if (join.to or plan.fuse.anchor) == name]


def _counts(name: str, plan: Plan, a: Known, world: World) -> bool:
    """Say whether a row of a call has the partners it must have, each of which has its own."""
    for join in _joins(name, plan):
        if join.kind != "left" and any(True for _ in _related(join, plan, a, world)) != (join.kind == "inner"):
            return False
    return True


def _related(join: Join, plan: Plan, a: Known, world: World) -> Iterator[Known]:
    for p in selected(plan.call(join.stream).query, world):
        if related(join, a, p, _blur(a, p, world)) and _counts(join.stream, plan, p, world):
            yield p


def _blur(a: Known, p: Known, world: World) -> int:
    """Give how far the edges of two rows may be off together."""
    return world.resolution.get(a.stream, 0) + world.resolution.get(p.stream, 0)


def _partners(name: str, plan: Plan, a: Known, world: World) -> Partners:
    """Give the partners of a row, each with its own."""
    return sorted(
        (p.id, _partners(join.stream, plan, p, world))
        for join in _joins(name, plan)
        if join.kind != "without"
        for p in _chosen(join, plan, a, world)
    )


def _chosen(join: Join, plan: Plan, a: Known, world: World) -> list[Known]:
    found = list(_related(join, plan, a, world))
    if join.relation not in ONE:
        return found

    def nearness(p: Known) -> tuple[int, int, int, int]:
        if join.relation in ("before", "after", "right_after") and (off := _blur(a, p, world)):
            p = sure(p, off)
        middle = abs(a.t0 + a.t1 - p.t0 - p.t1) if join.relation == "nearest_midpoint" else 0
        gap = 0 if join.relation == "anywhere" else a.span.gap(p.span)
        return middle, gap, p.t0, p.id

    return sorted(found, key=nearness)[:1]


def _ordered(rows: Iterable[Known], order: str) -> list[Known]:
    in_time = sorted(rows, key=lambda row: row.place)
    if order == "-time":
        return sorted(in_time, key=lambda row: (-row.t0, row.rec, -row.id))
    if order in ("value", "-value"):
        sign = 1 if order == "value" else -1
        return sorted(in_time, key=lambda row: sign * (row.score if row.score is not None else -1.0))
    if order in ("length", "-length"):
        return sorted(in_time, key=lambda row: row.span.duration * (1 if order == "length" else -1))
    return in_time


def _listed(plan: Plan, anchors: Sequence[Known], groups: Sequence[Result], world: World) -> list[Known]:
    fuse = plan.fuse
    if fuse.aggregate == "first_occurrence":
        groups_of = keyed(plan, anchors, world)
        kept = {group.key for group in groups} if bounded(plan) else set(groups_of)
        firsts = {min(rows, key=lambda row: row.place).id for key, rows in groups_of.items() if key in kept}
        anchors = sorted((row for row in anchors if row.id in firsts), key=lambda row: row.place)
    elif fuse.aggregate == "gaps":
        anchors = [row for row in anchors if _borders(row, groups)]
    elif fuse.aggregate == "overlaps":
        starts = {(group.first[0], group.value[0]) for group in groups}
        ends = {(group.first[0], group.value[1]) for group in groups}
        anchors = [row for row in anchors if (row.rec, row.t0) in starts or (row.rec, row.t1) in ends]
    elif fuse.group == "time" and fuse.limit is not None and fuse.aggregate != "none":
        kept = {group.key for group in in_order(plan, groups)[: fuse.limit]}
        fitting = {row.id for key, rows in keyed(plan, anchors, world).items() if key in kept for row in rows}
        anchors = [row for row in anchors if row.id in fitting]
    elif fuse.aggregate != "none" and len(anchors) > SHOWN:
        raise AssertionError("a world has few enough rows that all are listed")
    grouped = fuse.group is not None or fuse.aggregate in ("majority", "count_distinct", "gaps", "overlaps")
    return list(anchors if grouped and fuse.aggregate != "none" else anchors[: fuse.limit])


def _borders(row: Known, groups: Sequence[Result]) -> bool:
    """Say whether a row ends where a gap begins, or is the first to begin where one ends."""
    mine = [group for group in groups if group.first[0] == row.rec]
    return any(row.t1 == group.value[0] or row.id == group.key for group in mine)
