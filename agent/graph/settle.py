"""What becomes of a search that found nothing, decided by rows: an answer (no, 0), nothing found, or a refusal.

| question                        | nobody said it | others did, S did not        |
|---------------------------------|----------------|------------------------------|
| did S, how often, how long      | answered 0     | answered 0, with who did     |
| what/when/who/why did S say ... | not_found      | refused not_said_by_speaker  |
| S is silent in that range, or during that sound: answered 0, or refused speaker_absent_in_range |
"""

from dataclasses import replace
from typing import Any

from agent.graph.state import Desk, State
from agent.graph.validate import named
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Fuse, Plan
from tools.relax import constraints, without
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery

ZERO = ("count", "yes_no", "duration", "which_events", "speaker_turns")
SHOWN = 5


def settled(state: State, desk: Desk) -> dict[str, Any]:
    """Give where an empty search leads, and the refusal's reason when it leads there."""
    plan = desk.asked or desk.current[0]
    desk.plan = plan
    if plan.fuse.answer_schema in ZERO:
        desk.evidence = desk.session.run(plan)
        return {"route": "answer", "said": "nothing found, which is the answer"}
    reason = _reason(plan, desk)
    message = "Nothing fits." if reason is None else f"{' and '.join(named(plan))}: {reason}"
    return {"route": "refuse", "refusal": {"reason": reason, "message": message}, "said": reason or "not found"}


def elsewhere(plan: Plan, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the rows that others have where a plan's speaker has none; for options only rows that support one."""
    other = without_speaker(plan)
    if other is None:
        return ()
    evidence = desk.session.run(other)
    if plan.fuse.answer_schema != "options":
        return evidence.rows[:SHOWN]
    people = dict.fromkeys(row.speaker for row in evidence.rows)
    theirs = [_decisive(other, _only(evidence, name), desk) for name in people]
    return tuple(row for rows in theirs for row in rows)[:SHOWN]


def without_speaker(plan: Plan) -> Plan | None:
    """Give the plan without its speaker, None when it names none."""
    for constraint in constraints(plan):
        if constraint.field in ("speaker", "names"):
            return without(plan, constraint)
    return None


def turns_of(names: list[str], query: StreamQuery, desk: Desk) -> Evidence:
    """Give how long people speak in a query's range: rows, and the total in the only group."""
    asked = SpeakerQuery(names=names, start=query.start, end=query.end)
    return desk.find(asked, Fuse(anchor="speaker_1", aggregate="total_duration", answer_schema="duration"))


def _reason(plan: Plan, desk: Desk) -> str | None:
    query, people = plan.call(plan.fuse.anchor).query, named(plan)
    if not people or query.stream == "speaker":
        return None
    if plan.fuse.joins and not getattr(query, "keywords", []) and elsewhere(plan, desk):
        return "speaker_absent_in_range"
    ranged = query.start is not None or query.end is not None
    if ranged and _hears_voices(desk) and turns_of(people, query, desk).total == 0:
        return "speaker_absent_in_range"
    return "not_said_by_speaker" if query.stream == "transcript" and elsewhere(plan, desk) else None


def _hears_voices(desk: Desk) -> bool:
    return all("speaker" in entry.streams for entry in desk.catalog.recordings)


def _only(evidence: Evidence, speaker: str | None) -> Evidence:
    rows = tuple(row for row in evidence.rows if row.speaker == speaker)
    return replace(evidence, rows=rows, total=len(rows))


def _decisive(plan: Plan, evidence: Evidence, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the rows of one speaker that support an option."""
    if desk.brain.judge(desk.question, plan, evidence).verdict != "enough":
        return ()
    cited = desk.brain.answer(desk.question, plan, evidence, None).cited
    return tuple(evidence.rows[place] for place in cited)
