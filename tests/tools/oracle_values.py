"""What is computed from rows in plain Python: the results of a plan, their order, their bounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from store.record import Span, total, union
from tests.tools.oracle_rows import Known, World, cut, said, stretch, terms
from tools.plan import Plan

_PLACED = ("first_occurrence", "longest_gap", "gaps", "overlaps")
STRETCHES = ("gaps", "overlaps")


@dataclass(frozen=True, slots=True)
class Result:
    """One group: what is shown of it, the figure bounds and orders act on, and the place of its first row."""

    key: Any
    value: Any
    figure: Any
    first: tuple[int, int]


def group_of(plan: Plan) -> str | None:
    stream = plan.call(plan.fuse.anchor).query.stream
    if plan.fuse.group is None and plan.fuse.aggregate == "majority":
        return "label" if stream in ("emotion", "events") else "speaker"
    return plan.fuse.group


def keyed(plan: Plan, anchors: Sequence[Known], world: World) -> dict[Any, list[Known]]:
    query = plan.call(plan.fuse.anchor).query
    asked = query.model_dump()
    group = group_of(plan)
    groups: dict[Any, list[Known]] = {}
    if plan.fuse.aggregate == "majority" and query.stream == "emotion":
        anchors = [row for row in anchors if row.label != "no clear emotion"]
    for row in anchors:
        if group is None:
            keys: list[Any] = [None]
        elif group == "label" and query.stream == "transcript" and asked["keywords"]:
            keys = [term for term in terms(query) if said(row, term, world)]
        elif group == "time":
            keys = [(row.rec, start) for start in _slices(plan, row, world)]
        else:
            keys = [{"speaker": row.voice, "label": row.label, "recording": row.rec}[group]]
        for key in keys:
            groups.setdefault(key, []).append(row)
    return groups


def _slices(plan: Plan, row: Known, world: World) -> list[int]:
    """Give the starts of the slices that a row belongs to, by trying every slice of its recording."""
    size, query = int(plan.fuse.every * 1000), plan.call(plan.fuse.anchor).query
    starts = range(0, max(row.t1, world.lengths[row.rec]) + 1, size)
    if plan.fuse.aggregate in ("count_distinct", "total_duration"):
        mine = cut(query, row, world)
        return [start for start in starts if mine.overlaps(Span(start, start + size))]
    return [start for start in starts if start <= row.t0 < start + size]


def _empty(plan: Plan, keys: Iterable[Any], world: World) -> Iterator[Result]:
    """Give the slices heard without a row, where the least is asked for."""
    fuse, query = plan.fuse, plan.call(plan.fuse.anchor).query
    if fuse.group != "time" or fuse.aggregate not in ("count", "count_distinct", "total_duration"):
        return
    if fuse.max_value is not None or fuse.order == "value":
        size, full = int(fuse.every * 1000), set(keys)
        for rec, heard in world.heard.items():
            asked = stretch(query, rec, world)
            for start in range(0, heard, size):
                if (rec, start) not in full and asked and asked.overlaps(Span(start, start + size)):
                    yield Result((rec, start), 0, 0, (rec, start))


def results(plan: Plan, anchors: Sequence[Known], world: World) -> list[Result]:
    fuse, query = plan.fuse, plan.call(plan.fuse.anchor).query
    if fuse.aggregate == "none":
        return []
    if fuse.aggregate == "gaps":
        return _gaps(anchors, [cut(query, row, world) for row in anchors])
    if fuse.aggregate in ("overlaps", "overlap_duration"):
        found = _overlaps(anchors, [cut(query, row, world) for row in anchors])
        return found if fuse.aggregate == "overlaps" else _summed(found)
    groups = keyed(plan, anchors, world)
    found = [result for key, rows in groups.items() if (result := _value(plan, key, rows, world)) is not None]
    return [*found, *_empty(plan, groups, world)]


def within(plan: Plan, groups: Sequence[Result]) -> list[Result]:
    fuse = plan.fuse
    if group_of(plan) is None and fuse.aggregate not in STRETCHES:
        return list(groups)
    scale = 1 if fuse.aggregate in ("count", "count_distinct") else 1000
    least = 0 if fuse.min_value is None else fuse.min_value * scale
    most = float("inf") if fuse.max_value is None else fuse.max_value * scale
    return [group for group in groups if least <= group.figure <= most]


def _name(plan: Plan, key: Any) -> Any:
    if plan.fuse.aggregate in STRETCHES:
        return None
    match group_of(plan):
        case "speaker" if key is not None:
            return key.split("/")[1]
        case "recording":
            return f"rec{key}"
        case "time":
            return str(key[1] // 1000)
    return key


def _value(plan: Plan, key: Any, rows: Sequence[Known], world: World) -> Result | None:
    fuse, query = plan.fuse, plan.call(plan.fuse.anchor).query
    first = min(row.place[:2] for row in rows)
    cuts = [cut(query, row, world) for row in rows]
    if fuse.group == "time" and fuse.aggregate in ("count_distinct", "total_duration"):
        end = key[1] + int(fuse.every * 1000)
        cuts = [Span(max(span.t0, key[1]), min(span.t1, end)) for span in cuts]
        first = min((row.rec, span.t0) for row, span in zip(rows, cuts, strict=True))
    cut_first = min((row.rec, span.t0) for row, span in zip(rows, cuts, strict=True))
    match fuse.aggregate:
        case "count":
            count = len(rows)
            if query.stream == "transcript" and query.model_dump()["keywords"]:
                words = [key] if group_of(plan) == "label" else terms(query)
                if len(words) == 1 or query.model_dump()["match"] != "all":
                    count = sum(said(row, term, world) for row in rows for term in words)
            return Result(key, count, count, first)
        case "count_distinct":
            wanted = next((f for f in fuse.fields if f in ("label", "speaker", "recording")), None)
            wanted = wanted or ("label" if query.stream == "events" else "speaker")
            values = {{"label": row.label, "speaker": row.voice, "recording": row.rec}[wanted] for row in rows}
            return Result(key, len(values - {None}), len(values - {None}), first)
        case "first_occurrence":
            row = min(rows, key=lambda row: row.place)
            return Result(key, [row.t0, row.t1], row.t0, first)
        case "average":
            mean = (2 * sum(span.duration for span in cuts) + len(cuts)) // (2 * len(cuts))
            return Result(key, mean, mean, cut_first)
        case "total_duration":
            return Result(key, _length(rows, cuts), _length(rows, cuts), cut_first)
        case "longest_gap":
            gaps = _gaps(rows, cuts)
            longest = min(gaps, key=lambda gap: (-gap.figure, gap.first), default=None)
            return longest and Result(key, longest.value, longest.figure, longest.first)
        case _:
            return _majority(plan, key, rows, cuts, cut_first)


def _majority(plan: Plan, key: Any, rows: Sequence[Known], cut: Sequence[Span], first: Any) -> Result:
    query = plan.call(plan.fuse.anchor).query
    if group_of(plan) != "speaker" or query.stream != "emotion":
        return Result(key, _length(rows, cut), _length(rows, cut), first)
    weights: list[tuple[int, tuple[int, int], str]] = []
    for label in {row.label or "" for row in rows}:
        mine = [(row, span) for row, span in zip(rows, cut, strict=True) if row.label == label]
        weight = _length([row for row, _ in mine], [span for _, span in mine])
        weights.append((-weight, min((row.rec, span.t0) for row, span in mine), label))
    weight, first, label = min(weights)
    return Result(key, label, -weight, first)


def _length(rows: Sequence[Known], cut: Sequence[Span]) -> int:
    recs = {row.rec for row in rows}
    return sum(total(span for row, span in zip(rows, cut, strict=True) if row.rec == rec) for rec in recs)


def _gaps(rows: Sequence[Known], cut: Sequence[Span]) -> list[Result]:
    """Give the gaps of the union of rows in each recording; their key is the row that ends a gap."""
    found: list[Result] = []
    for rec in sorted({row.rec for row in rows}):
        mine = [(span, row) for row, span in zip(rows, cut, strict=True) if row.rec == rec]
        spans = union(span for span, _ in mine)
        for a, b in zip(spans, spans[1:], strict=False):
            ends = min((span.t1, row.id) for span, row in mine if span.t0 == b.t0)[1]
            found.append(Result(ends, [a.t1, b.t0], b.t0 - a.t1, (rec, a.t1)))
    return found


def _overlaps(rows: Sequence[Known], cut: Sequence[Span]) -> list[Result]:
    """Give the stretches in which two voices or more are on, by looking between every two edges that are neighbours."""
    found: list[Result] = []
    for rec in sorted({row.rec for row in rows}):
        mine = [(span, row.voice) for row, span in zip(rows, cut, strict=True) if row.rec == rec]
        edges = sorted({at for span, _ in mine for at in (span.t0, span.t1)})
        for a, b in zip(edges, edges[1:], strict=False):
            if len({voice for span, voice in mine if span.t0 <= a and b <= span.t1}) < 2:
                continue
            if found and found[-1].first[0] == rec and found[-1].value[1] == a:
                a = found.pop().value[0]
            found.append(Result(None, [a, b], b - a, (rec, a)))
    return found


def _summed(found: Sequence[Result]) -> list[Result]:
    lasting = sum(one.figure for one in found)
    return [Result(None, lasting, lasting, one.first) for one in found[:1]]


def bounded(plan: Plan) -> bool:
    """Say whether only some groups are kept, and so only some rows."""
    bounds = (plan.fuse.min_value, plan.fuse.max_value) != (None, None)
    return bounds and plan.fuse.aggregate != "none" and group_of(plan) is not None


def shown(plan: Plan, groups: Iterable[Result]) -> list[tuple[str | None, Any]]:
    """Order and cut the groups, with their keys as people see them."""
    several = group_of(plan) is not None or plan.fuse.aggregate in STRETCHES
    found = in_order(plan, groups)
    kept = found[: plan.fuse.limit if several else None]
    if kept and plan.fuse.order in ("value", "-value") and plan.fuse.aggregate not in _PLACED:
        kept += [one for one in found[len(kept) :] if one.figure == kept[-1].figure]
    return [(_name(plan, group.key), group.value) for group in kept]


def in_order(plan: Plan, groups: Iterable[Result]) -> list[Result]:
    """Order the groups."""
    fuse = plan.fuse
    found = sorted(groups, key=lambda g: (g.first, _name(plan, g.key) is not None, _name(plan, g.key) or ""))
    by_value = fuse.order in ("value", "-value", "rank") or fuse.aggregate == "majority"
    down = fuse.order in ("-time", "-value", "rank") or fuse.aggregate == "majority"
    found.sort(key=lambda g: g.figure if by_value else g.first, reverse=down)
    return found
