"""How much a model reads for an open answer: all that was said where it fits, only the rows that were found, or all
of it stretch by stretch (a map over spans).

A map is for rows that are all wanted (a summary, a comparison, what was decided) and do not fit; it is estimated, told
and paid from a budget of its own. Where that would not do, the model is shown an even choice of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.brains.citing import sizes
from agent.brains.protocol import Answered
from agent.graph.state import Desk, Stage
from agent.routes.estimate import Estimate, estimate, of_tokens
from agent.routes.reader import Reader
from agent.routes.reading import READ_IN, read
from agent.routes.spans import Span as Stretch
from agent.routes.spans import spans
from store.catalog import Catalog
from store.clock import seconds
from store.record import Span
from tools.evidence import EvidenceRow
from tools.families import FREE
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery

Name = Literal["whole", "evidence", "map"]
TOKENS_A_SECOND = 4.5
_PAGES = 24
_SHORTEST_MS = 1_000


@dataclass(frozen=True, slots=True)
class Route:
    """The route, why it is taken, and for a map its stretches with what they will cost."""

    name: Name
    why: str
    spans: tuple[Stretch, ...] = ()
    cost: Estimate | None = None


def routed(desk: Desk, computed: Any) -> Answered:
    """Let the brain word the answer by the route that fits; a map leaves the rows it noted on the desk."""
    plan, evidence = desk.current
    reader = desk.brain
    route = _chosen(desk, reader) if isinstance(reader, Reader) else None
    if route is not None:
        with desk.trace.step("route") as running:
            running.note(result_ref=f"{route.name}: {route.why}")
        desk.watch(Stage("route", f"{route.name}: {route.why}", 0.0))
        if route.cost is not None:
            return read(desk, route.spans, route.cost, computed)
    answered = desk.brain.answer(desk.question, plan, evidence, computed)
    desk.meter.spend(answered.cost)
    return answered


def reads_all(desk: Desk) -> bool:
    """Say whether everything that was said would be read, at once or stretch by stretch within the budget for that."""
    room = desk.brain.room(desk.question) if isinstance(desk.brain, Reader) else 0
    said = round(_seconds(desk.catalog) * TOKENS_A_SECOND)
    return room > 0 and of_tokens(said, 1 + said * 5 // (room * 4), room).within(desk.meter.budget.reading)


def all_read(answered: Answered) -> bool:
    """Say whether an answer comes from all stretches, so that asking again would bring nothing else."""
    return any(caveat.startswith(READ_IN) for caveat in answered.caveats)


def _seconds(catalog: Catalog) -> float:
    return sum(entry.recording.heard_ms for entry in catalog.recordings) / 1000


def _chosen(desk: Desk, reader: Reader) -> Route | None:
    """Give the route of an open question, None where rows are no matter of reading."""
    plan, evidence = desk.current
    query, room = plan.call(plan.fuse.anchor).query, reader.room(desk.question)
    if plan.fuse.answer_schema not in FREE or desk.question.options or not evidence.rows or room <= 0:
        return None
    said = sum(sizes(evidence.rows))
    sought = not isinstance(query, TranscriptQuery) or query.keywords or query.semantic
    if said <= room and len(evidence.rows) == evidence.total:
        if sought or plan.fuse.joins:
            return Route("evidence", f"the {evidence.total:,} rows that were found fit into {room:,} tokens")
        return Route("whole", f"all {evidence.total:,} rows asked for, about {said:,} tokens, fit into {room:,}")
    if not isinstance(query, TranscriptQuery) or plan.fuse.order == "rank" or plan.fuse.limit is not None:
        return Route("evidence", f"the best of {evidence.total:,} rows, as many as fit into {room:,} tokens")
    return _map(desk, room)


def _map(desk: Desk, room: int) -> Route:
    rows = _all_rows(desk)
    if len(rows) < desk.current[1].total:
        return Route("evidence", f"an even choice of rows: {desk.current[1].total:,} are too many to read")
    found = spans(rows, room)
    cost, limit = estimate(found, room), desk.meter.budget.reading
    if not cost.within(limit):
        allowed = f"{limit.model_calls} calls, {limit.tokens:,} tokens and {limit.seconds:g} s"
        return Route("evidence", f"an even choice of rows: reading all would take {cost}, more than {allowed}")
    return Route(
        "map", f"{len(rows):,} rows do not fit into {room:,} tokens: {len(found)} stretches, {cost}", found, cost
    )


def _all_rows(desk: Desk) -> Sequence[EvidenceRow]:
    """Give all rows of the plan, by stretches of time where one list of them was cut."""
    plan, evidence = desk.current
    query = plan.call(plan.fuse.anchor).query
    most = len(evidence.rows) * _PAGES // 2
    if not len(evidence.rows) < evidence.total <= most or query.from_the_end:
        return evidence.rows
    rows: dict[int, EvidenceRow] = {}
    longest = max(entry.recording.duration_ms for entry in desk.catalog.recordings)
    left = [Span(query.span.t0, min(query.span.t1, longest))]
    for _ in range(_PAGES):
        if not left:
            break
        span = left.pop()
        found = desk.run(_within(plan, span))
        if len(found.rows) < found.total and span.t1 - span.t0 > _SHORTEST_MS:
            middle = (span.t0 + span.t1) // 2
            left += [Span(span.t0, middle), Span(middle, span.t1)]
        rows |= {row.id: row for row in found.rows}
    return sorted(rows.values(), key=lambda row: (row.recording, row.t0, row.id))


def _within(plan: Plan, span: Span) -> Plan:
    """Give a plan whose anchor is asked for in a stretch of each recording only."""
    anchor = plan.call(plan.fuse.anchor)
    stretch = {"start": seconds(span.t0), "end": seconds(span.t1)}
    asked = anchor.model_copy(update={"query": anchor.query.model_copy(update=stretch)})
    return plan.model_copy(update={"calls": [asked if call.id == anchor.id else call for call in plan.calls]})
