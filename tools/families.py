"""The families of questions: each has a published JSON Schema for the reply's `value`, and is computed from evidence.

Seconds are floats from here on. What only wording can give (a summary, a choice among options) is the brain's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from store import clock
from store.record import Span, total
from tools.emotion.labels import UNCLEAR
from tools.evidence import Evidence, EvidenceRow, Group
from tools.plan import Plan

_SECONDS = {"type": "number", "minimum": 0}
_TEXT = {"type": "string"}
_STRETCH = {"type": "array", "prefixItems": [_SECONDS, _SECONDS], "minItems": 2, "maxItems": 2}
_TURN = {
    "type": "array",
    "prefixItems": [_SECONDS, _SECONDS, {"type": ["string", "null"]}],
    "minItems": 3,
    "maxItems": 3,
}

# Diarization truths join pauses of one voice that are shorter; so does the answer to who spoke when.
BREATH_MS = 500

FAMILIES: Mapping[str, Mapping[str, Any]] = {
    "count": {"type": "integer", "minimum": 0},
    "duration": _SECONDS,
    "who": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 2}]},
    "when": {"type": "array", "items": _STRETCH},
    "order": {"type": "array", "items": _TEXT},
    "which_events": {"type": "array", "items": _TEXT},
    "emotion": _TEXT,
    "yes_no": {"type": "boolean"},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "recordings": {"type": "array", "items": _TEXT},
    "options": {"enum": ["A", "B", "C", "D"]},
    "speaker_turns": {"type": "array", "items": _TURN},
    "quote": _TEXT,
    "summary": _TEXT,
    "text": _TEXT,
}

FREE = ("summary", "text")
"""Families that are answered in words of one's own."""
SAID = ("quote", *FREE)
"""Families whose value is a text: what was said, or what is said of it."""
WORDED = (*SAID, "options")
"""Families whose value comes from wording an answer; any other's is what SQL computed."""


def value(plan: Plan, evidence: Evidence) -> Any:
    """Give the value of a plan's family as SQL computed it; None where nothing was found or a brain must word it."""
    family = plan.fuse.answer_schema
    computed = _COMPUTED.get(family) if isinstance(family, str) else None
    return None if computed is None else computed(plan, evidence)


def _count(plan: Plan, evidence: Evidence) -> int:
    if plan.fuse.versus is not None:
        first, second = sides(evidence)
        return abs(first - second)
    if _grouped(plan, plan.fuse.group) and _bounded(plan):
        return evidence.results
    if plan.fuse.aggregate in ("count", "count_distinct"):
        return sum(int(group.value) for group in evidence.groups)
    return evidence.results if plan.fuse.aggregate in ("gaps", "overlaps") else evidence.total


def _duration(plan: Plan, evidence: Evidence) -> float:
    if plan.fuse.versus is not None:
        first, second = sides(evidence)
        return clock.seconds(abs(first - second))
    match plan.fuse.aggregate:
        case "total_duration" | "overlap_duration":
            return clock.seconds(sum(int(group.value) for group in evidence.groups))
        case "average":
            return clock.seconds(int(evidence.groups[0].value)) if evidence.groups else 0.0
        case "gaps" | "overlaps":
            return clock.seconds(sum(group.value[1] - group.value[0] for group in evidence.groups))
        case "longest_gap" | "first_occurrence":
            return clock.seconds(max((group.value[1] - group.value[0] for group in evidence.groups), default=0))
        case _:
            recordings = {row.recording for row in evidence.rows}
            lengths = (total(_spans(plan, evidence, one)) for one in recordings)
            return clock.seconds(sum(lengths))


def _who(plan: Plan, evidence: Evidence) -> str | list[str] | None:
    named = [group.key for group in evidence.groups] if _grouped(plan, "speaker") else _speakers(evidence.rows)
    if plan.fuse.versus is not None:
        named = _speakers(_leading(evidence))
    names = list(dict.fromkeys(name for name in named if name is not None))
    return names[0] if len(names) == 1 else names or None


def _when(plan: Plan, evidence: Evidence) -> list[list[float]]:
    if plan.fuse.group == "time":
        return [_slice(plan, evidence, group) for group in evidence.groups]
    stretches: Sequence[Any] = [[row.t0, row.t1] for row in evidence.rows]
    if plan.fuse.aggregate in ("first_occurrence", "longest_gap", "gaps", "overlaps"):
        stretches = [group.value for group in evidence.groups]
    return [[clock.seconds(start), clock.seconds(end)] for start, end in stretches]


def _slice(plan: Plan, evidence: Evidence, group: Group) -> list[float]:
    """Give a slice of time as a stretch; the last one ends with its recording."""
    start = float(group.key or 0)
    length = evidence.lengths.get(group.recording or "")
    end = start + plan.fuse.every
    return [start, end if length is None or length <= clock.start_ms(start) else min(end, clock.seconds(length))]


def _yes_no(plan: Plan, evidence: Evidence) -> bool:
    """Say whether the value, or that of any group, lies within the bounds; without any, whether there is a row."""
    fuse = plan.fuse
    if fuse.versus is not None:
        first, second = sides(evidence)
        ahead = (first - second) / _scale(plan)
        return ahead > 0 and _within(plan, ahead)
    if not _bounded(plan):
        return evidence.total > 0
    if _grouped(plan, fuse.group) or fuse.aggregate in ("gaps", "overlaps", "majority"):
        return bool(evidence.groups)
    if fuse.aggregate == "first_occurrence":
        return any(_within(plan, clock.seconds(group.value[0])) for group in evidence.groups)
    return _within(plan, _amount(plan, evidence))


def _amount(plan: Plan, evidence: Evidence) -> float:
    """Give the one value that bounds are held against: a number, or seconds."""
    if plan.fuse.aggregate in ("total_duration", "average", "longest_gap", "overlap_duration"):
        return _duration(plan, evidence)
    return _count(plan, evidence)


def _share(plan: Plan, evidence: Evidence) -> float | None:
    if plan.fuse.versus is None:
        return None
    first, second = sides(evidence)
    return min(1.0, first / second) if second else 0.0


def _recordings(plan: Plan, evidence: Evidence) -> list[str]:
    if _grouped(plan, "recording"):
        return [group.key for group in evidence.groups if group.key is not None]
    return list(dict.fromkeys(row.recording for row in evidence.rows))


def _text(plan: Plan, evidence: Evidence) -> str | None:
    """Give the id of the call with more, where two are compared; anything else a brain words."""
    if plan.fuse.versus is None:
        return None
    first, second = sides(evidence)
    return None if first == second else evidence.groups[first < second].key


def sides(evidence: Evidence) -> tuple[int, int]:
    """Give the values of two calls that are compared, the anchor's first."""
    first, second = (int(group.value) for group in evidence.groups)
    return first, second


def _leading(evidence: Evidence) -> Sequence[EvidenceRow]:
    """Give the rows of the call with more; those of both where they are equal."""
    first, second = sides(evidence)
    if first == second:
        return evidence.rows
    return evidence.rows[: evidence.compared] if first > second else evidence.rows[evidence.compared :]


def _order(plan: Plan, evidence: Evidence) -> list[str]:
    if _grouped(plan, plan.fuse.group):
        return [group.key for group in evidence.groups if group.key is not None]
    return _labels(evidence.rows)


def _which_events(plan: Plan, evidence: Evidence) -> list[str]:
    return _order(plan, evidence) if _grouped(plan, "label") else _labels(evidence.rows)


def _emotion(plan: Plan, evidence: Evidence) -> str | None:
    """Give the emotion that covers most time; rows that are not clear only say that none was."""
    if plan.fuse.aggregate == "majority":
        mostly = _mostly(plan, evidence.groups)
    else:
        mostly = next((label for label in _labels(evidence.rows) if label != UNCLEAR), None)
    return mostly or (UNCLEAR if evidence.total else None)


def _mostly(plan: Plan, groups: Sequence[Group]) -> str | None:
    if not groups:
        return None
    return str(groups[0].value) if plan.fuse.group == "speaker" else groups[0].key


def _turns(plan: Plan, evidence: Evidence) -> list[list[Any]]:
    """Give who spoke when; a breath of one voice, in which nobody else begins, does not make two turns of one."""
    turns: list[tuple[Span, EvidenceRow]] = []
    for span, row in zip(_spans(plan, evidence), evidence.rows, strict=True):
        before, last = turns[-1] if turns else (None, None)
        same = last is not None and (last.recording, last.speaker) == (row.recording, row.speaker)
        if before is not None and same and span.t0 - before.t1 < BREATH_MS:
            turns[-1] = (Span(before.t0, max(before.t1, span.t1)), row)
        else:
            turns.append((span, row))
    return [[clock.seconds(span.t0), clock.seconds(span.t1), row.speaker] for span, row in turns]


def _quote(plan: Plan, evidence: Evidence) -> str | None:
    return next((row.said for row in evidence.rows if row.text), None)


def _spans(plan: Plan, evidence: Evidence, recording: str | None = None) -> list[Span]:
    """Give the stretches of the rows, or of one recording's, cut to the range that was asked for."""
    query, cut = plan.call(plan.fuse.anchor).query, list[Span]()
    for row in evidence.rows:
        if recording in (None, row.recording):
            length = evidence.lengths.get(row.recording)
            within = query.span if length is None else query.within(length)
            cut.append(Span(max(row.t0, within.t0), min(row.t1, within.t1)))
    return cut


def _bounded(plan: Plan) -> bool:
    return (plan.fuse.min_value, plan.fuse.max_value) != (None, None)


def _within(plan: Plan, amount: float) -> bool:
    least, most = plan.fuse.min_value, plan.fuse.max_value
    return (least is None or amount >= least) and (most is None or amount <= most)


def _scale(plan: Plan) -> int:
    """Give what a value is divided by to become a number, or seconds."""
    return 1000 if plan.fuse.aggregate in ("total_duration", "average") else 1


def _grouped(plan: Plan, group: str | None) -> bool:
    return group is not None and plan.fuse.group == group and plan.fuse.aggregate != "none"


def _speakers(rows: Sequence[EvidenceRow]) -> list[str | None]:
    return [row.speaker for row in rows]


def _labels(rows: Sequence[EvidenceRow]) -> list[str]:
    return list(dict.fromkeys(row.label for row in rows if row.label is not None))


_COMPUTED: Mapping[str, Callable[[Plan, Evidence], Any]] = {
    "count": _count,
    "duration": _duration,
    "who": _who,
    "when": _when,
    "order": _order,
    "which_events": _which_events,
    "emotion": _emotion,
    "yes_no": _yes_no,
    "share": _share,
    "recordings": _recordings,
    "text": _text,
    "speaker_turns": _turns,
    "quote": _quote,
}
