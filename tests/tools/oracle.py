"""A plan computed row by row in plain Python, the way its meaning is defined and not the way SQL computes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store import clock
from store.record import Span, total, union
from tools.plan import Join, Plan
from tools.stream import StreamQuery

ONE = ("nearest", "nearest_midpoint", "right_after", "before", "after")
SHOWN = 200
NEAR = ("nearest", "nearest_midpoint", "right_after")


@dataclass(frozen=True, slots=True)
class Known:
    """One row as it was published; `rec` orders recordings, `voice` is a label that is unique in the library."""

    stream: str
    rec: int
    id: int
    t0: int
    t1: int
    voice: str | None = None
    text: str | None = None
    label: str | None = None
    score: float | None = None

    @property
    def span(self) -> Span:
        return Span(self.t0, self.t1)

    @property
    def place(self) -> tuple[int, int, int]:
        return self.rec, self.t0, self.id


@dataclass(frozen=True, slots=True)
class Expected:
    """What a plan must bring back; partners by anchor, one tuple of ids for each join in turn."""

    ids: list[int]
    total: int
    groups: list[tuple[str | None, Any]]
    partners: dict[int, list[int]]


def expected(plan: Plan, rows: Sequence[Known]) -> Expected:
    """Compute a plan by brute force."""
    anchors = _ordered(_kept(plan, rows), plan.fuse.order)
    groups = _groups(plan, anchors)
    listed = _listed(plan, anchors)
    partners = {
        row.id: [p.id for join in plan.fuse.joins if join.kind != "without" for p in _partners(join, plan, row, rows)]
        for row in listed
    }
    return Expected([row.id for row in listed], len(anchors), groups, partners)


def related(join: Join, a: Known, p: Known) -> bool:
    """Say whether anchor and partner stand in a join's relation."""
    if a.rec != p.rec or (join.voice != "any" and (a.voice is None or p.voice is None)):
        return False
    if join.voice != "any" and (a.voice == p.voice) != (join.voice == "same"):
        return False
    given = None if join.tolerance is None else clock.end_ms(join.tolerance)
    slack = given if given is not None else 2500 if join.relation in NEAR else 0
    match join.relation:
        case "overlaps":
            return a.t0 - slack < p.t1 and p.t0 < a.t1 + slack
        case "nearest" | "nearest_midpoint":
            return a.span.gap(p.span) <= slack
        case "contains":
            return a.t0 - slack <= p.t0 and p.t1 <= a.t1 + slack and p.t0 < a.t1 + slack
        case "within":
            return p.t0 - slack <= a.t0 and a.t1 <= p.t1 + slack
        case "before":
            return a.t1 <= p.t0 and (given is None or p.t0 - a.t1 <= given)
        case "after":
            return p.t1 <= a.t0 and (given is None or a.t0 - p.t1 <= given)
        case "right_after":
            return p.t1 <= a.t0 <= p.t1 + slack


def selected(query: StreamQuery, rows: Iterable[Known]) -> list[Known]:
    """Give the rows one call selects."""
    asked: Mapping[str, Any] = query.model_dump()
    start = 0 if query.start is None else clock.start_ms(query.start)
    end = 1 << 40 if query.end is None else clock.end_ms(query.end)
    found = [row for row in rows if row.stream == query.stream and row.t0 < end and row.t1 > start]
    if asked.get("labels"):
        found = [row for row in found if row.label in asked["labels"]]
    if asked.get("min_score") is not None:
        found = [row for row in found if row.score is not None and row.score >= asked["min_score"]]
    names = [name for name in [asked.get("speaker"), *asked.get("names", [])] if name]
    if names:
        found = [row for row in found if row.voice is not None and row.voice.split("/")[1] in names]
    if asked.get("keywords"):
        test = all if asked["match"] == "all" else any
        found = [row for row in found if test(said(row, term) for term in terms(query))]
    if asked.get("min_talk") is not None:
        talk = {
            row.voice: total(Span(max(r.t0, start), min(r.t1, end)) for r in found if r.voice == row.voice)
            for row in found
        }
        found = [row for row in found if talk[row.voice] >= clock.end_ms(asked["min_talk"])]
    return found


def terms(query: StreamQuery) -> list[str]:
    """Give the words or the phrase of a transcript query."""
    asked = query.model_dump()
    return [" ".join(asked["keywords"])] if asked["match"] == "phrase" else list(dict.fromkeys(asked["keywords"]))


def said(row: Known, term: str) -> int:
    """Count a phrase in a text of plain words."""
    words, wanted = (row.text or "").split(), term.split()
    count = at = 0
    while at <= len(words) - len(wanted):
        if words[at : at + len(wanted)] == wanted:
            count, at = count + 1, at + len(wanted)
        else:
            at += 1
    return count


def _kept(plan: Plan, rows: Sequence[Known]) -> list[Known]:
    kept = selected(plan.call(plan.fuse.anchor).query, rows)
    for join in plan.fuse.joins:
        if join.kind != "left":
            partners = selected(plan.call(join.stream).query, rows)
            wanted = join.kind == "inner"
            kept = [a for a in kept if any(related(join, a, p) for p in partners) == wanted]
    return kept


def _partners(join: Join, plan: Plan, a: Known, rows: Sequence[Known]) -> list[Known]:
    found = [p for p in selected(plan.call(join.stream).query, rows) if related(join, a, p)]
    if join.relation not in ONE:
        return sorted(found, key=lambda p: (p.t0, p.id))

    def nearness(p: Known) -> tuple[int, int, int, int]:
        middle = abs(a.t0 + a.t1 - p.t0 - p.t1) if join.relation == "nearest_midpoint" else 0
        return middle, a.span.gap(p.span), p.t0, p.id

    return sorted(found, key=nearness)[:1]


def _ordered(rows: Iterable[Known], order: str) -> list[Known]:
    in_time = sorted(rows, key=lambda row: row.place)
    if order == "-time":
        return sorted(in_time, key=lambda row: (-row.t0, row.rec, -row.id))
    if order in ("value", "-value"):
        sign = 1 if order == "value" else -1
        return sorted(in_time, key=lambda row: sign * (row.score if row.score is not None else -1.0))
    return in_time


def _listed(plan: Plan, anchors: Sequence[Known]) -> list[Known]:
    fuse = plan.fuse
    if fuse.aggregate == "first_occurrence":
        keyed = _keyed(plan, anchors)
        firsts = {min(rows, key=lambda row: row.place).id for rows in keyed.values()}
        anchors = sorted((row for row in anchors if row.id in firsts), key=lambda row: row.place)
    elif fuse.aggregate != "none" and len(anchors) > SHOWN:
        raise AssertionError("a world has few enough rows that all are listed")
    grouped = fuse.aggregate != "none" and (fuse.group is not None or fuse.aggregate in ("majority", "count_distinct"))
    return list(anchors if grouped else anchors[: fuse.limit])


def _group_of(plan: Plan) -> str | None:
    stream = plan.call(plan.fuse.anchor).query.stream
    if plan.fuse.group is None and plan.fuse.aggregate == "majority":
        return "label" if stream in ("emotion", "events") else "speaker"
    return plan.fuse.group


def _keyed(plan: Plan, anchors: Sequence[Known]) -> dict[Any, list[Known]]:
    query = plan.call(plan.fuse.anchor).query
    asked = query.model_dump()
    group = _group_of(plan)
    groups: dict[Any, list[Known]] = {}
    for row in anchors:
        if group is None:
            keys: list[Any] = [None]
        elif group == "label" and query.stream == "transcript" and asked["keywords"]:
            keys = [term for term in terms(query) if said(row, term)]
        else:
            keys = [{"speaker": row.voice, "label": row.label, "recording": row.rec}[group]]
        for key in keys:
            groups.setdefault(key, []).append(row)
    return groups


def _groups(plan: Plan, anchors: Sequence[Known]) -> list[tuple[str | None, Any]]:
    fuse = plan.fuse
    if fuse.aggregate == "none":
        return []
    query = plan.call(fuse.anchor).query
    if fuse.aggregate == "majority" and query.stream == "emotion":
        anchors = [row for row in anchors if row.label != "no clear emotion"]
    found: list[tuple[Any, Any, Any, Any]] = []
    for key, rows in _keyed(plan, anchors).items():
        value = _value(plan, key, rows)
        if value is not None:
            shown, figure, first = value
            found.append((_shown(plan, key), shown, figure, first))
    by_value = fuse.order in ("value", "-value", "rank") or fuse.aggregate == "majority"
    down = fuse.order in ("-time", "-value", "rank") or fuse.aggregate == "majority"
    found.sort(key=lambda g: (g[3], g[0] is not None, g[0] or ""))
    found.sort(key=lambda g: g[2] if by_value else g[3], reverse=down)
    limit = fuse.limit if _group_of(plan) is not None else None
    return [(key, shown) for key, shown, _, _ in found][:limit]


def _shown(plan: Plan, key: Any) -> Any:
    if _group_of(plan) == "speaker" and key is not None:
        return key.split("/")[1]
    return f"rec{key}" if _group_of(plan) == "recording" else key


def _value(plan: Plan, key: Any, rows: Sequence[Known]) -> tuple[Any, Any, Any] | None:
    """Give what is shown of a group, the figure it is ordered by, and its first place."""
    fuse, query = plan.fuse, plan.call(plan.fuse.anchor).query
    first = min(row.place[:2] for row in rows)
    cut = [_cut(query, row) for row in rows]
    cut_first = min((row.rec, span.t0) for row, span in zip(rows, cut, strict=True))
    match fuse.aggregate:
        case "count":
            count = len(rows)
            if query.stream == "transcript" and query.model_dump()["keywords"]:
                words = [key] if _group_of(plan) == "label" else terms(query)
                if len(words) == 1 or query.model_dump()["match"] != "all":
                    count = sum(said(row, term) for row in rows for term in words)
            return count, count, first
        case "count_distinct":
            wanted = next((f for f in fuse.fields if f in ("label", "speaker", "recording")), None)
            wanted = wanted or ("label" if query.stream == "events" else "speaker")
            values = {{"label": row.label, "speaker": row.voice, "recording": row.rec}[wanted] for row in rows}
            return len(values - {None}), len(values - {None}), first
        case "first_occurrence":
            row = min(rows, key=lambda row: row.place)
            return [row.t0, row.t1], row.t0, first
        case "total_duration":
            return _length(rows, cut), _length(rows, cut), cut_first
        case "longest_gap":
            return _longest_gap(rows, cut)
        case _:
            return _majority(plan, rows, cut, cut_first)


def _majority(plan: Plan, rows: Sequence[Known], cut: Sequence[Span], first: Any) -> tuple[Any, Any, Any]:
    query = plan.call(plan.fuse.anchor).query
    if _group_of(plan) != "speaker" or query.stream != "emotion":
        return _length(rows, cut), _length(rows, cut), first
    weights: list[tuple[int, tuple[int, int], str]] = []
    for label in {row.label or "" for row in rows}:
        mine = [(row, span) for row, span in zip(rows, cut, strict=True) if row.label == label]
        weight = _length([row for row, _ in mine], [span for _, span in mine])
        weights.append((-weight, min((row.rec, span.t0) for row, span in mine), label))
    _, first, label = min(weights)
    return label, label, first


def _cut(query: StreamQuery, row: Known) -> Span:
    start = row.t0 if query.start is None else max(row.t0, clock.start_ms(query.start))
    return Span(start, row.t1 if query.end is None else min(row.t1, clock.end_ms(query.end)))


def _length(rows: Sequence[Known], cut: Sequence[Span]) -> int:
    recs = {row.rec for row in rows}
    return sum(total(span for row, span in zip(rows, cut, strict=True) if row.rec == rec) for rec in recs)


def _longest_gap(rows: Sequence[Known], cut: Sequence[Span]) -> tuple[Any, Any, Any] | None:
    gaps: list[tuple[int, int, int, int]] = []
    for rec in {row.rec for row in rows}:
        spans = union(span for row, span in zip(rows, cut, strict=True) if row.rec == rec)
        gaps += [(a.t1 - b.t0, rec, a.t1, b.t0) for a, b in zip(spans, spans[1:], strict=False)]
    if not gaps:
        return None
    length, rec, start, end = min(gaps)
    return [start, end], -length, (rec, start)
