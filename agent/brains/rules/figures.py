"""Sentences for what is compared, shared, never so, busiest or longest: the figures stand beside what they decide.

A sentence is literally true of the rows: of an absence it says what was not found, never more than was looked at.
"""

from collections.abc import Sequence
from typing import Any

from agent.brains.protocol import Answered
from agent.brains.rules.phrases import did, listed, missing, people, scope, small, span, subject, verb
from store.clock import clock, end_ms, start_ms
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Plan
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

CITED = 8
EACH = 3


def figured(plan: Plan, evidence: Evidence, value: Any) -> Answered | None:
    """Word an answer that rests on figures of more than one call or group; None for any other."""
    fuse = plan.fuse
    if fuse.versus is not None and len(evidence.groups) == 2:
        return _share(plan, evidence, value) if fuse.answer_schema == "share" else _compared(plan, evidence, value)
    if fuse.answer_schema == "recordings":
        return _recordings(plan, evidence, value)
    if any(join.relation == "anywhere" and join.kind == "without" for join in fuse.joins):
        return _never(plan, evidence, value)
    if fuse.answer_schema == "yes_no" and (fuse.min_value is not None or fuse.max_value is not None):
        return _bounded(plan, evidence, value)
    if fuse.group == "time":
        return _busy(plan, evidence, value)
    if fuse.aggregate in ("overlap_duration", "overlaps"):
        return _overlapped(plan, evidence, value)
    if fuse.aggregate in ("longest_gap", "gaps"):
        return _pauses(plan, evidence, value)
    if fuse.order in ("length", "-length") and evidence.rows:
        return _longest(plan, evidence, value)
    return None


def amount(plan: Plan, value: Any) -> str:
    """Write a group's value: a length for durations, else how often."""
    if plan.fuse.aggregate in ("total_duration", "average"):
        return f"for {length(int(value) / 1000)}"
    return {0: "never", 1: "once", 2: "twice"}.get(int(value), f"{int(value)} times")


def length(seconds: float) -> str:
    """Write a length: seconds below a minute, else as a clock with the seconds in brackets."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{clock(round(seconds * 1000))} ({seconds:.1f} s)"


def _compared(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    """Word both sides of a comparison, with what follows from them in front."""
    first, second = evidence.groups
    calls = [plan.call(str(group.key)).query for group in (first, second)]
    sides = zip(calls, (first, second), strict=True)
    facts = [_fact(plan, query, group.value, span(query)) for query, group in sides]
    more, other = (0, 1) if first.value > second.value else (1, 0)
    match plan.fuse.answer_schema:
        case "yes_no":
            lead = "Yes" if value else "No"
        case "duration":
            lead = f"A difference of {length(float(value or 0))}"
        case "count":
            lead = f"A difference of {value}"
        case _ if first.value == second.value:
            lead = "Neither, both are equal"
        case _:
            lead = _side(calls[more], calls[other])
    if plan.fuse.answer_schema == "text" and value is not None:
        value = _side(calls[more], calls[other]).strip("“”")
    rows, cut = evidence.rows, evidence.compared or 0
    cited = [*range(min(cut, EACH)), *range(cut, min(len(rows), cut + EACH))]
    return Answered(f"{lead}: {facts[0]}, {facts[1]}{_joins(plan)}.", value, tuple(cited), "computed")


def _side(query: StreamQuery, other: StreamQuery) -> str:
    """Name one side of a comparison by what the other differs in."""
    if people(query) != people(other):
        return listed(people(query))
    stretch = span(query).strip()
    return subject(query) if subject(query) != subject(other) else stretch[:1].upper() + stretch[1:]


def _fact(plan: Plan, query: StreamQuery, value: Any, where: str) -> str:
    """Word one figure: how often or how long, or that nothing was found."""
    return f"{small(did(query))} {amount(plan, value)}{where}" if value else small(missing(query, where))


def _share(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    own, whole = (int(group.value) for group in evidence.groups)
    query = plan.call(plan.fuse.anchor).query
    where = f"{span(query)}{_joins(plan)}"
    text = f"{listed(people(query))}: {float(value or 0):.0%} of the talking{where} ({clock(own)} of {clock(whole)})."
    return Answered(text.replace("%", " %", 1), value, _largest(evidence.rows[: evidence.compared or 0]), "computed")


def _recordings(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    found = list(value or [])
    never = next((plan.call(join.stream).query for join in plan.fuse.joins if join.kind == "without"), None)
    query = never or plan.call(plan.fuse.anchor).query
    counts = {group.key: group.value for group in evidence.groups}
    named = [name if never or name not in counts else f"{name} ({amount(plan, counts[name])})" for name in found]
    number = f"{len(found)} recording{'' if len(found) == 1 else 's'}"
    what = small(missing(query, span(query)) if never else f"{did(query)}{span(query)}")
    none = f"In no recording is it so that {what}." if never else f"{missing(query, scope(plan))}."
    text = f"{number} in which {what}: {listed(named, most=16)}." if found else none
    first = {row.recording: index for index, row in reversed(list(enumerate(evidence.rows)))}
    return Answered(text, value, tuple(sorted(first.values()))[:CITED] if found and not never else (), "computed")


def _never(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    """Word who never did something; a question whether everybody did turns that around."""
    join = next(join for join in plan.fuse.joins if join.relation == "anywhere" and join.kind == "without")
    query = plan.call(join.stream).query
    names = list(dict.fromkeys(row.speaker for row in evidence.rows if row.speaker))
    where = span(query) + _joins(plan, join.stream)
    text = f"{_lacking(query, names)}{where}" if names else f"everybody who speaks {_does(query)}{where}"
    if plan.fuse.answer_schema == "yes_no":
        text = f"{'No' if names else 'Yes'}: {text}"
    elif not names:
        text = f"Nobody: {text}"
    return Answered(f"{text}.", value, _one_each(evidence.rows, names), "computed")


def _does(query: StreamQuery) -> str:
    match query:
        case TranscriptQuery() if subject(query):
            return f"mentions {subject(query)}"
        case EmotionQuery():
            return f"sounds {subject(query)}".strip()
    return "speaks"


def _lacking(query: StreamQuery, names: Sequence[str]) -> str:
    """Say of people that something was not found of them."""
    who, was = listed(names, most=16), verb(len(names), "was")
    match query:
        case TranscriptQuery() if subject(query):
            return f"{who}: no mention of {subject(query)} was found"
        case EmotionQuery():
            return f"{who} {was} not heard to sound {subject(query) or 'any way'}"
    return f"{who} {was} not heard to speak"


def _bounded(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    """Word whether something is so often or so long as asked, or never."""
    fuse, query, rows = plan.fuse, plan.call(plan.fuse.anchor).query, evidence.rows
    where = scope(plan)
    found = sum(int(group.value) for group in evidence.groups) if evidence.groups else evidence.total
    text = f"{'Yes' if value else 'No'}: {_fact(plan, query, found, where)}"
    if fuse.max_value == 0 and rows:
        by = f" by {rows[0].speaker}" if rows[0].speaker and not people(query) else ""
        text += f", first{by} at {clock(rows[0].t0)}"
    return Answered(f"{text}.", value, tuple(range(min(len(rows), CITED))), "computed")


def _busy(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    """Word the slices of time that were asked for, each with its figure."""
    query, distinct = plan.call(plan.fuse.anchor).query, plan.fuse.aggregate == "count_distinct"
    what = "People speak" if isinstance(query, SpeakerQuery) and not query.names else did(query)
    several = len({group.recording for group in evidence.groups}) > 1
    shown = []
    for (start, end), group in zip(value or [], evidence.groups, strict=False):
        one = "person" if group.value == 1 else "people"
        figure = f"{int(group.value)} {one}" if distinct else amount(plan, group.value)
        place = f" of {group.recording}" if several else ""
        shown.append(f"{clock(start_ms(start))}–{clock(end_ms(end))}{place} ({figure})")
    text = f"{what}{scope(plan)} at {listed(shown, most=12)}." if shown else f"No such minute was found{scope(plan)}."
    return Answered(text, value, _within(evidence.rows, value or []), "computed")


def _overlapped(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    """Word how long, how often or when voices are heard at once."""
    who, where = listed(people(plan.call(plan.fuse.anchor).query)) or "People", scope(plan)
    if not value:
        none = f"{who} do not speak at the same time{where}." if who != "People" else f"No two people overlap{where}."
        return Answered(none, value, (), "computed")
    lead = f"{who} speak at the same time"
    match plan.fuse.answer_schema:
        case "duration":
            text = f"{lead} for {length(float(value))}{where}."
        case "count":
            text = f"{lead} {amount(plan, value)}{where}, {_where_at_once(evidence)}."
        case _:
            text = f"{lead}{where} {_where_at_once(evidence)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), CITED))), "computed")


def _where_at_once(evidence: Evidence) -> str:
    stretches = [group.value for group in evidence.groups]
    return f"at {listed([f'{clock(t0)}–{clock(t1)}' for t0, t1 in stretches], most=12)}"


def _pauses(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    gaps = [group.value for group in evidence.groups if group.value[1] > group.value[0]]
    where = scope(plan)
    if not gaps:
        return Answered(f"No gap was found{where}.", value, (), "computed")
    written = [f"{length((t1 - t0) / 1000)} at {clock(t0)}" for t0, t1 in gaps]
    if plan.fuse.aggregate == "longest_gap":
        t0, t1 = max(gaps, key=lambda gap: gap[1] - gap[0])
        text = f"The longest gap{where} is {length((t1 - t0) / 1000)}, at {clock(t0)}."
    else:
        text = f"{len(gaps)} gap{'' if len(gaps) == 1 else 's'}{where}: {listed(written, most=12)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), CITED))), "computed")


def _longest(plan: Plan, evidence: Evidence, value: Any) -> Answered:
    row, query = evidence.rows[0], plan.call(plan.fuse.anchor).query
    rank = "longest" if plan.fuse.order == "-length" else "shortest"
    what = f"{rank} “{row.label}”" if isinstance(query, EventsQuery) else f"{rank} turn"
    whose = f" of {row.speaker}" if row.speaker else ""
    lasts = length((row.t1 - row.t0) / 1000)
    text = f"The {what}{whose}{scope(plan)} lasts {lasts}, from {clock(row.t0)} to {clock(row.t1)}."
    return Answered(text, value, (0,), "computed")


def _joins(plan: Plan, partner: str | None = None) -> str:
    """Write the relations that limit an answer, without its stretch and without a partner that is worded already."""
    return scope(plan, joins=[join for join in plan.fuse.joins if join.stream != partner])


def _one_each(rows: Sequence[EvidenceRow], names: Sequence[str]) -> tuple[int, ...]:
    first = {row.speaker: index for index, row in reversed(list(enumerate(rows)))}
    return tuple(sorted(first[name] for name in names if name in first))[:CITED]


def _largest(rows: Sequence[EvidenceRow]) -> tuple[int, ...]:
    best = sorted(range(len(rows)), key=lambda index: (rows[index].t0 - rows[index].t1, index))[:EACH]
    return tuple(sorted(best))


def _within(rows: Sequence[EvidenceRow], stretches: Sequence[Sequence[float]]) -> tuple[int, ...]:
    spans = [(start_ms(start), end_ms(end)) for start, end in stretches]
    inside = (i for i, row in enumerate(rows) if any(t0 < row.t1 and row.t0 < t1 for t0, t1 in spans))
    return tuple(inside)[:CITED]
