"""What becomes of a search that found nothing: the first row of this table that holds, decided by rows, not by taste.

| what holds                                                     | becomes                           |
|----------------------------------------------------------------|-----------------------------------|
| words are about to be denied and there is audio to hear again  | listened to again, once           |
| it was asked whether, how often, how long                      | answered: no, 0                   |
| there are such rows, only not so many (the fifth of two)       | not found                         |
| S is silent in that range, or during that sound                | refused: speaker_absent_in_range  |
| others said it whose voices are known, S did not               | refused: not_said_by_speaker      |
| a brain that can plan otherwise was not told yet why not       | planned again, with the diagnosis |
| an earlier plan for the same question found rows               | answered from these               |
| anything else: nobody said it, none was heard                  | not found                         |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.graph.alike import sounding
from agent.graph.diagnose import diagnosis, replans
from agent.graph.listen import denied
from agent.graph.state import Desk, State
from agent.graph.validate import named
from store.clock import clock
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Fuse, Plan
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery
from tools.validation.relax import constraints, without

ZERO = ("count", "yes_no", "duration", "which_events", "speaker_turns", "share", "recordings")
SHOWN = 5

_Holds = Callable[[Plan, State, Desk], bool]


def settled(state: State, desk: Desk) -> dict[str, Any]:
    """Give where an empty search leads, and the refusal's reason when it leads there."""
    plan = desk.asked or desk.current[0]
    desk.plan = plan
    becomes = next(becomes for holds, becomes in _TABLE if holds(plan, state, desk))
    return _ENDINGS.get(becomes, _refused)(becomes, plan, state, desk)


def elsewhere(plan: Plan, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the rows that others have where a plan's speaker has none; for options only rows that support one."""
    other = without_speaker(plan)
    if other is None:
        return ()
    evidence = desk.run(other)
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


@dataclass(frozen=True, slots=True)
class Lookalike:
    """What may be another spelling of words that nobody says: in a sentence, as a caveat, and the first rows."""

    text: str = ""
    caveats: tuple[str, ...] = ()
    rows: tuple[EvidenceRow, ...] = ()


def lookalikes(plan: Plan, desk: Desk) -> Lookalike:
    """Find what sounds like words that nobody says, and how often it is there.

    These are offered, never counted: a name that was heard wrong is for a person to recognise.
    """
    spoken = [call.query for call in plan.calls if isinstance(call.query, TranscriptQuery)]
    found = sounding([word for query in spoken for word in query.keywords], desk)
    if not found:
        return Lookalike()
    calls = [call.model_copy(update={"query": _said(call.query, found)}) for call in plan.calls]
    fuse = plan.fuse.model_copy(update={"min_value": None, "max_value": None})
    meant = plan.model_copy(update={"calls": calls, "fuse": fuse})
    evidence = desk.run(meant)
    if not evidence.total and (other := without_speaker(meant)) is not None:
        evidence = desk.run(other)
    if not evidence.total:
        return Lookalike()
    counts = plan.fuse.answer_schema == "count" and bool(evidence.groups)
    number = int(sum(group.value for group in evidence.groups)) if counts else evidence.total
    words = [f"“{word}” may be written {_either(others)}" for word, others in found.items()]
    first = evidence.rows[0] if evidence.rows else None
    by = f" by {first.speaker}" if first is not None and first.speaker else ""
    where = f", first{by} at {clock(first.t0)}" if first is not None else ""
    often = {1: "once", 2: "twice"}.get(number, f"{number} times")
    text = f"{' and '.join(words)}, which is there {often}{where}."
    caveats = [f"not counted: sounds like ({word} → {', '.join(others)})" for word, others in found.items()]
    return Lookalike(text, tuple(caveats), evidence.rows[:SHOWN])


def _either(words: tuple[str, ...]) -> str:
    return " or ".join(f"“{word}”" for word in words)


def _said(query: StreamQuery, found: Mapping[str, tuple[str, ...]]) -> StreamQuery:
    if not isinstance(query, TranscriptQuery):
        return query
    if query.match == "any":
        words = [other for word in query.keywords for other in found.get(word, (word,))]
    else:
        words = [found.get(word, (word,))[0] for word in query.keywords]
    return query.model_copy(update={"keywords": words})


def _to_be_heard(plan: Plan, state: State, desk: Desk) -> bool:
    return desk.again is None and desk.best is None and denied(plan, desk) is not None


def _how_much(plan: Plan, state: State, desk: Desk) -> bool:
    return plan.fuse.answer_schema in ZERO


def _not_so_many(plan: Plan, state: State, desk: Desk) -> bool:
    if all(call.query.nth is None for call in plan.calls):
        return False
    calls = [call.model_copy(update={"query": call.query.model_copy(update={"nth": None})}) for call in plan.calls]
    return desk.run(plan.model_copy(update={"calls": calls})).total > 0


def _silent(plan: Plan, state: State, desk: Desk) -> bool:
    query, people = plan.call(plan.fuse.anchor).query, named(plan)
    if not people or query.stream == "speaker" or plan.fuse.versus is not None:
        return False
    if plan.fuse.joins and not getattr(query, "keywords", []) and elsewhere(plan, desk):
        return True
    ranged = query.start is not None or query.end is not None
    voices = all("speaker" in entry.streams for entry in desk.catalog.recordings)
    return ranged and voices and turns_of(people, query, desk).total == 0


def _by_others(plan: Plan, state: State, desk: Desk) -> bool:
    query = plan.call(plan.fuse.anchor).query
    spoken = query.stream == "transcript" and plan.fuse.versus is None
    return spoken and bool(named(plan)) and any(row.speaker for row in elsewhere(plan, desk))


def _otherwise(plan: Plan, state: State, desk: Desk) -> bool:
    return replans(desk) and not state.get("diagnosed", False)


_TABLE: tuple[tuple[_Holds, str], ...] = (
    (_to_be_heard, "listened"),
    (_how_much, "answered"),
    (_not_so_many, "not_found"),
    (_silent, "speaker_absent_in_range"),
    (_by_others, "not_said_by_speaker"),
    (_otherwise, "planned_again"),
    (lambda plan, state, desk: desk.best is not None, "answered_before"),
    (lambda plan, state, desk: True, "not_found"),
)


def _listened(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    return {"route": "listen", "said": "before it is denied it is listened for again"}


def _answered(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    desk.evidence = desk.session.run(plan)
    return {"route": "answer", "said": "nothing found, which is the answer"}


def _answered_before(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    desk.to_best()
    caveats = [*state.get("caveats", []), "planned again: nothing better was found"]
    return {"route": "answer", "caveats": caveats, "said": "nothing better was found"}


def _planned_again(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    told = diagnosis(plan, desk)
    return {"route": "plan", "diagnosed": True, "feedback": told, "widened": [], "said": told}


def _not_found(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    return {"route": "refuse", "refusal": {"reason": None, "message": "Nothing fits."}, "said": "not found"}


def _refused(becomes: str, plan: Plan, state: State, desk: Desk) -> dict[str, Any]:
    message = f"{' and '.join(named(plan))}: {becomes}"
    return {"route": "refuse", "refusal": {"reason": becomes, "message": message}, "said": becomes}


_ENDINGS: Mapping[str, Callable[[str, Plan, State, Desk], dict[str, Any]]] = {
    "listened": _listened,
    "answered": _answered,
    "planned_again": _planned_again,
    "answered_before": _answered_before,
    "not_found": _not_found,
}


def _only(evidence: Evidence, speaker: str | None) -> Evidence:
    rows = tuple(row for row in evidence.rows if row.speaker == speaker)
    return replace(evidence, rows=rows, total=len(rows))


def _decisive(plan: Plan, evidence: Evidence, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the rows of one speaker that support an option."""
    if desk.brain.judge(desk.question, plan, evidence).verdict != "enough":
        return ()
    cited = desk.brain.answer(desk.question, plan, evidence, None).cited
    return tuple(evidence.rows[place] for place in cited if 0 <= place < len(evidence.rows))
