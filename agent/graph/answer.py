"""answer: the value is what SQL computed, in the family's published schema; the brain words it and says what it cites.

A brain cannot change a computed value: only where words are the answer (quotes, a summary, an option) it is its own.
"""

from typing import Any

from agent.brains.rules.phrases import nothing
from agent.graph.settle import elsewhere, turns_of
from agent.graph.state import Desk, State
from agent.graph.validate import named
from store.clock import clock
from tools.evidence import EvidenceRow
from tools.families import value
from tools.plan import Plan

UNSCORED = 0.85
HEALTHY = 0.6
WORDED = ("options", "quote", "summary", "text")
CITED = 40


def answer(state: State, desk: Desk) -> dict[str, Any]:
    """Word the answer; an empty search that is an answer says who did, or how much was searched."""
    plan, evidence = desk.current
    understood = "not_understood" not in state.get("caveats", [])
    computed = value(plan, evidence)
    answered = desk.brain.answer(desk.question, plan, evidence, computed)
    desk.meter.spend(answered.cost)
    rows = tuple(evidence.rows[place] for place in answered.cited if 0 <= place < len(evidence.rows))
    text, caveats = answered.text, [*state.get("caveats", []), *evidence.caveats, *answered.caveats]
    caveats += _health(plan, desk)
    if evidence.total == 0:
        rows, said, more = _nothing(plan, desk)
        text, caveats = f"{text} {said}".strip(), [*caveats, *more]
    text = f"{_beside(desk.asked, caveats)}{text}"
    if not understood:
        text = f"The question was not understood; these passages may help:\n{text}"
    desk.cited = (*rows, *_partners(rows))[:CITED]
    reply = {
        "status": "answered" if answered.found else "not_found",
        "answer": text,
        "value": None if not understood else answered.value if _own(plan, desk) else computed,
        "answer_kind": answered.kind,
        "confidence": round(_confidence(rows, desk, plan, caveats, understood), 3),
        "caveats": list(dict.fromkeys(caveats)),
    }
    return {"reply": reply, "said": text.splitlines()[0] if text else ""}


def _beside(asked: Plan | None, caveats: list[str]) -> str:
    """Say that nothing fits what was asked for, where the answer lies only close to it."""
    near = any(caveat.startswith("widened: within") for caveat in caveats)
    return f"{nothing(asked)}; nearest to it: " if asked is not None and near else ""


def _own(plan: Plan, desk: Desk) -> bool:
    return plan.fuse.answer_schema in WORDED or bool(desk.question.options)


def _nothing(plan: Plan, desk: Desk) -> tuple[tuple[EvidenceRow, ...], str, list[str]]:
    """Give, for an answer of no or 0, the rows of who did instead, a sentence, and what was searched."""
    query, people = plan.call(plan.fuse.anchor).query, named(plan)
    others = elsewhere(plan, desk) if query.stream in ("transcript", "emotion") else ()
    where = [f"{row.speaker} at {clock(row.t0)}" for row in others if row.speaker][:3]
    said = f"Others do: {', '.join(where)}." if where else ""
    return others, said, [f"searched: {_searched(plan, desk)}", *_coverage(people, plan, desk)]


def _searched(plan: Plan, desk: Desk) -> str:
    query = plan.call(plan.fuse.anchor).query
    rows = sum(state.rows for state in desk.catalog.of(query.stream).values())
    heard = sum(entry.recording.heard_ms for entry in desk.catalog.recordings)
    return f"{rows:,} rows of {query.stream} over {clock(heard)}"


def _coverage(people: list[str], plan: Plan, desk: Desk) -> list[str]:
    if not people or any("speaker" not in entry.streams for entry in desk.catalog.recordings):
        return []
    heard = turns_of(people, plan.call(plan.fuse.anchor).query, desk)
    seconds = sum(group.value or 0 for group in heard.groups) / 1000
    return [f"coverage: {' and '.join(people)} heard for {seconds:.1f} s"]


def _health(plan: Plan, desk: Desk) -> list[str]:
    """Say which streams in use are unsure, and what has not been heard yet."""
    used = {call.query.stream for call in plan.calls}
    states = [entry.streams[kind] for entry in desk.catalog.recordings for kind in used if kind in entry.streams]
    weak = [state for state in states if state.health is not None and state.health < HEALTHY]
    unsure = [f"the {state.kind} stream is unsure ({state.note or f'health {state.health:.2f}'})" for state in weak]
    listening = [
        f"heard so far: {clock(entry.recording.heard_ms)} of {clock(entry.recording.duration_ms)}"
        for entry in desk.catalog.recordings
        if entry.recording.state == "listening"
    ]
    return [*unsure, *listening]


def _partners(rows: tuple[EvidenceRow, ...]) -> tuple[EvidenceRow, ...]:
    """Give each cited row's first partner, so that "during the siren" cites the siren too."""
    firsts = (row.partners[0] for row in rows if row.partners)
    return tuple({(row.stream, row.id): row for row in firsts}.values())


def _confidence(rows: tuple[EvidenceRow, ...], desk: Desk, plan: Plan, caveats: list[str], understood: bool) -> float:
    """Rate an answer by its rows' scores, its streams' health, and how far the search had to go."""
    scores = [UNSCORED if row.score is None else min(max(row.score, 0.0), 1.0) for row in rows]
    used = {call.query.stream for call in plan.calls}
    states = [entry.streams[kind] for entry in desk.catalog.recordings for kind in used if kind in entry.streams]
    healths = [1.0 if state.health is None else min(max(state.health, 0.0), 1.0) for state in states]
    rated = (sum(scores) / len(scores) if scores else UNSCORED) * min(healths, default=1.0)
    if not understood:
        return 0.2 * rated
    return rated * (0.8 if any(caveat.startswith("widened") for caveat in caveats) else 1.0)
