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


def value(plan: Plan, evidence: Evidence) -> Any:
    """Give the value of a plan's family as SQL computed it; None where nothing was found or a brain must word it."""
    family = plan.fuse.answer_schema
    computed = _COMPUTED.get(family) if isinstance(family, str) else None
    return None if computed is None else computed(plan, evidence)


def _count(plan: Plan, evidence: Evidence) -> int:
    if plan.fuse.aggregate in ("count", "count_distinct"):
        return sum(int(group.value) for group in evidence.groups)
    return evidence.total


def _duration(plan: Plan, evidence: Evidence) -> float:
    match plan.fuse.aggregate:
        case "total_duration":
            return clock.seconds(sum(int(group.value) for group in evidence.groups))
        case "longest_gap" | "first_occurrence":
            return clock.seconds(max((group.value[1] - group.value[0] for group in evidence.groups), default=0))
        case _:
            recordings = {row.recording for row in evidence.rows}
            lengths = (total(_spans(plan, [r for r in evidence.rows if r.recording == one])) for one in recordings)
            return clock.seconds(sum(lengths))


def _who(plan: Plan, evidence: Evidence) -> str | list[str] | None:
    named = [group.key for group in evidence.groups] if _grouped(plan, "speaker") else _speakers(evidence.rows)
    names = list(dict.fromkeys(name for name in named if name is not None))
    return names[0] if len(names) == 1 else names or None


def _when(plan: Plan, evidence: Evidence) -> list[list[float]]:
    stretches: Sequence[Any] = [[row.t0, row.t1] for row in evidence.rows]
    if plan.fuse.aggregate in ("first_occurrence", "longest_gap"):
        stretches = [group.value for group in evidence.groups]
    return [[clock.seconds(start), clock.seconds(end)] for start, end in stretches]


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
    for span, row in zip(_spans(plan, evidence.rows), evidence.rows, strict=True):
        before, last = turns[-1] if turns else (None, None)
        same = last is not None and (last.recording, last.speaker) == (row.recording, row.speaker)
        if before is not None and same and span.t0 - before.t1 < BREATH_MS:
            turns[-1] = (Span(before.t0, max(before.t1, span.t1)), row)
        else:
            turns.append((span, row))
    return [[clock.seconds(span.t0), clock.seconds(span.t1), row.speaker] for span, row in turns]


def _quote(plan: Plan, evidence: Evidence) -> str | None:
    return next((row.text for row in evidence.rows if row.text), None)


def _spans(plan: Plan, rows: Sequence[EvidenceRow]) -> list[Span]:
    """Give the rows' stretches, cut to the range that was asked for."""
    query = plan.call(plan.fuse.anchor).query
    start = 0 if query.start is None else clock.start_ms(query.start)
    end = None if query.end is None else clock.end_ms(query.end)
    return [Span(max(row.t0, start), row.t1 if end is None else min(row.t1, end)) for row in rows]


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
    "yes_no": lambda plan, evidence: evidence.total > 0,
    "speaker_turns": _turns,
    "quote": _quote,
}
