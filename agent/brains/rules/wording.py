"""Sentences for what was computed: names, clock times, never more than the rows show.

One small function a family; each gives the text, the value, and the indices of the rows it stands on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from agent.brains.protocol import Answered
from agent.brains.rules.choice import Supported
from agent.brains.rules.figures import figured, length
from agent.brains.rules.language import Language
from agent.brains.rules.phrases import (
    adjective,
    at_least,
    did,
    listed,
    nothing,
    people,
    scope,
    small,
    speaker,
    subject,
    verb,
)
from agent.brains.rules.summary import central
from store.clock import clock, end_ms, start_ms
from tools.emotion.labels import UNCLEAR
from tools.emotion.query import EmotionQuery
from tools.evidence import Evidence, EvidenceRow, excerpt
from tools.plan import Plan
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

CITED = 8
TURNS_SHOWN = 40
LONGEST_QUOTE = 320
ROWS_OF_OPTION = 3

_Words = Callable[[Plan, Evidence, Any, Language], Answered]


def worded(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    """Word the answer of a plan by its family."""
    if (answered := figured(plan, evidence, value)) is not None:
        return answered
    family = plan.fuse.answer_schema
    words = _FAMILIES.get(family if isinstance(family, str) else "text", _quote)
    return words(plan, evidence, value, language)


def opted(options: Mapping[str, str], rows: Sequence[EvidenceRow], found: Supported | None) -> Answered:
    """Word the option that rows support, or the several that they support alike: then none is the answer."""
    if found is None:
        return Answered("No option is supported by the transcript.", None, (), "computed")
    cited = [places[:ROWS_OF_OPTION] for places in found.rows.values()]
    if len(cited) == 1:
        (letter,) = found.rows
        text = f"({letter}) {options[letter]}: {_quoted(rows[cited[0][0]])}"
        return Answered(text, letter, cited[0], "quoted")
    told = [
        f"({letter}) {options[letter]}, {_line(rows[of[0]], rows)}"
        for letter, of in zip(found.rows, cited, strict=True)
    ]
    text = "\n".join(["Several options are supported:", *told])
    return Answered(text, None, tuple(place for places in cited for place in places), "quoted")


def times(rows: Iterable[EvidenceRow], most: int = 6) -> str:
    """Write when rows begin."""
    found = tuple(rows)
    return listed([_at(row, found) for row in found], most=most)


def _count(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    where = scope(plan)
    if not value:
        return Answered(f"None: {small(nothing(plan))}.", value, (), "computed")
    if plan.fuse.aggregate == "count_distinct":
        return _people(query, rows, value, where)
    often = "once" if value == 1 else "twice" if value == 2 else f"{value} times"
    text = f"{did(query)} {often}"
    if isinstance(query, SpeakerQuery):
        text = f"{speaker(query) or 'People'} {verb(len(query.names), 'takes')} the floor {often}"
    at = f", at {times(rows)}" if rows else ""
    return Answered(f"{text}{where}{at}.", value, _first(rows), "computed")


def _people(query: StreamQuery, rows: Sequence[EvidenceRow], value: Any, where: str) -> Answered:
    """Word how many people did something, and who they are."""
    match query:
        case SpeakerQuery():
            done = f"{verb(value, 'speaks')}{at_least(query)}"
        case EmotionQuery():
            done = f"{verb(value, 'sounds')} {subject(query)}"
        case _:
            done = f"{verb(value, 'mentions')} {subject(query)}" if subject(query) else verb(value, "speaks")
    names = list(dict.fromkeys(row.speaker for row in rows if row.speaker))
    text = f"{value} {'person' if value == 1 else 'people'} {done}{where}" + (f": {listed(names)}." if names else ".")
    return Answered(text, value, _one_each(rows, lambda row: row.speaker), "computed")


def _yes_no(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    who, where = speaker(query), scope(plan)
    if not value:
        return Answered(f"No: {small(nothing(plan))}.", False, (), "computed")
    match query:
        case TranscriptQuery():
            first = rows[0]
            by = f" by {first.speaker}" if not who and first.speaker else ""
            text = f"Yes, {did(query)}{where}, first{by} at {clock(first.t0)}: {_quoted(first)}"
        case EmotionQuery():
            felt = did(query, [rows[0].speaker] if rows[0].speaker else [])
            text = f"Yes, {small(felt)}{where}, at {times(rows)}."
        case SpeakerQuery():
            text = f"Yes, {small(did(query))}{where}, first at {clock(rows[0].t0)}."
        case _:
            text = f"Yes, {small(did(query))}{where}, at {times(rows)}."
    return Answered(text, True, _first(rows), "computed")


def _duration(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query = plan.call(plan.fuse.anchor).query
    if not value:
        return Answered(f"For 0 s: {small(nothing(plan))}.", value, (), "computed")
    lasting = length(float(value))
    people_speak = isinstance(query, SpeakerQuery) and not query.names
    text = f"{'People speak' if people_speak else did(query)} for {lasting}"
    return Answered(f"{text}{scope(plan)}.", value, _first(evidence.rows), "computed")


def _who(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    names = [value] if isinstance(value, str) else list(value or [])
    cited = _one_each(rows, lambda row: row.speaker if row.speaker in names else None)
    if plan.fuse.aggregate == "total_duration":
        cited = _longest(rows, names)
    first = {row.speaker: row for row in reversed(rows)}
    where = scope(plan)
    if not names:
        unknown = f"{did(query)}{where} at {times(rows)}; who speaks there is not known."
        text = unknown if rows else f"{nothing(plan)}."
        return Answered(text, value, _first(rows), "computed")
    if isinstance(query, TranscriptQuery) and subject(query):
        when = [f"{name} (at {clock(first[name].t0)})" if name in first else name for name in names]
        quote = f": {_quoted(rows[cited[0]])}" if len(names) == 1 and cited else "."
        text = f"{listed(when)} {verb(len(names), 'mentions')} {subject(query)}{where}{quote}"
    elif isinstance(query, EmotionQuery):
        text = f"{did(query, names)}{where}."
    else:
        sums = {group.key: group.value for group in evidence.groups if plan.fuse.aggregate == "total_duration"}
        each = [f"{name} ({length(sums[name] / 1000)})" if name in sums else name for name in names]
        who = names if plan.fuse.limit == 1 else each
        text = f"{listed(who)} {verb(len(names), 'speaks')}{at_least(query)}{_superlative(plan, evidence)}{where}."
    return Answered(text, value, cited, "computed")


def _superlative(plan: Plan, evidence: Evidence) -> str:
    fuse = plan.fuse
    if fuse.limit != 1:
        return ""
    if fuse.order in ("time", "-time"):
        edge = "first" if fuse.order == "time" else "last"
        return f" {edge}, at {clock(evidence.rows[0].t0)}" if evidence.rows else f" {edge}"
    rank = "most" if fuse.order == "-value" else "least"
    amount = evidence.groups[0].value if evidence.groups else None
    if fuse.aggregate == "total_duration" and isinstance(amount, int):
        return f" the {rank}: {length(amount / 1000)}"
    return f" the {rank} often" + (f": {amount} times" if amount is not None else "")


def _when(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    rows = evidence.rows
    spans = listed([_at(row, rows, end=True) for row in rows], most=12)
    edge = {"time": " first", "-time": " last"}.get(plan.fuse.order, "") if plan.fuse.limit == 1 else ""
    text = f"{did(plan.call(plan.fuse.anchor).query)}{edge}{scope(plan)} at {spans}."
    return Answered(text, value, _first(rows, 12), "computed")


def _order(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    at = {group.key: clock(group.value[0]) for group in evidence.groups}
    labels = [f"{label} ({at[label]})" if label in at else str(label) for label in value or []]
    text = f"In this order: {', then '.join(labels)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), CITED))), "computed")


def _which(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    counts = {group.key: group.value for group in evidence.groups}
    labels = [value] if isinstance(value, str) else list(value or [])
    named = [f"{label} ({counts[label]}×)" if label in counts else str(label) for label in labels]
    text = f"Heard{scope(plan)}: {listed(named, most=16)}." if named else f"{nothing(plan)}."
    cited = _one_each(evidence.rows, lambda row: row.label if row.label in labels else None)
    return Answered(text, value, cited, "computed")


def _emotion(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query = plan.call(plan.fuse.anchor).query
    who = speaker(query)
    rows = [(i, row) for i, row in enumerate(evidence.rows) if row.label == value]
    if not rows or value == UNCLEAR:
        text = f"No clear emotion of {who or 'anybody'} was heard{scope(plan)}."
        return Answered(text, value, _first(evidence.rows, 3), "computed")
    heard = sum(row.t1 - row.t0 for _, row in rows)
    share = heard / sum(row.t1 - row.t0 for row in evidence.rows if row.label != UNCLEAR)
    most = "mostly" if share > 0.5 else "most often"
    text = f"{who or 'The speakers'} {verb(len(people(query)), 'sounds')} {most} {adjective(value)}{scope(plan)}"
    text += f" ({share:.0%} of the time that could be judged)."
    best = sorted(rows, key=lambda pair: (-(pair[1].score or 0), pair[0]))[:3]
    return Answered(text, value, tuple(sorted(i for i, _ in best)), "computed")


def _turns(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    turns = [(clock(start_ms(t0)), clock(end_ms(t1)), speaker) for t0, t1, speaker in value or []]
    shown = [f"{t0}–{t1} {speaker}" for t0, t1, speaker in turns[:TURNS_SHOWN]]
    more = f" … and {len(turns) - len(shown)} more turns" if len(turns) > len(shown) else ""
    number = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
    text = f"{number}{scope(plan)}: {'; '.join(shown)}{more}." if turns else f"{nothing(plan)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), TURNS_SHOWN))), "computed")


def _summary(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    picks = central(evidence.rows, language)
    lines = [_line(evidence.rows[i], evidence.rows) for i in picks]
    said = " ".join(evidence.rows[i].said.strip() for i in picks)
    return Answered("\n".join(lines), said, picks, "quoted")


def _quote(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    rows = evidence.rows[:CITED]
    shown = sorted(range(len(rows)), key=lambda i: (rows[i].recording, rows[i].t0))
    asked = plan.fuse.limit is not None and plan.fuse.limit < CITED
    left = 0 if asked else evidence.total - len(rows)
    more = f"\n… and {left} more" if left > 0 else ""
    lines = "\n".join(_line(rows[i], rows) for i in shown)
    said = " ".join(rows[i].said.strip() for i in shown)
    return Answered(f"{lines}{more}", said, tuple(shown), "quoted")


def _line(row: EvidenceRow, rows: Sequence[EvidenceRow]) -> str:
    return f"{row.speaker or 'Somebody'} at {_at(row, rows)}: {_quoted(row)}"


def _at(row: EvidenceRow, rows: Sequence[EvidenceRow], *, end: bool = False) -> str:
    """Write when a row is, and in which recording where the rows are of several."""
    time = f"{clock(row.t0)}–{clock(row.t1)}" if end else clock(row.t0)
    return time if all(other.recording == row.recording for other in rows) else f"{time} ({row.recording})"


def _quoted(row: EvidenceRow) -> str:
    return f"“{excerpt(row.said, LONGEST_QUOTE)}”"


def _first(rows: Sequence[EvidenceRow], most: int = CITED) -> tuple[int, ...]:
    return tuple(range(min(len(rows), most)))


def _longest(rows: Sequence[EvidenceRow], names: Sequence[str], each: int = 3) -> tuple[int, ...]:
    """Give each person's longest rows: a total stands on all of them, and one would look like all there is."""
    best: list[int] = []
    for name in names[:CITED]:
        own = [index for index, row in enumerate(rows) if row.speaker == name]
        best += sorted(own, key=lambda index: (rows[index].t0 - rows[index].t1, index))[:each]
    return tuple(sorted(best))


def _one_each(rows: Sequence[EvidenceRow], key: Callable[[EvidenceRow], str | None], most: int = 12) -> tuple[int, ...]:
    first: dict[str, int] = {}
    for index, row in enumerate(rows):
        name = key(row)
        if name is not None:
            first.setdefault(name, index)
    return tuple(sorted(first.values()))[:most]


_FAMILIES: dict[str, _Words] = {
    "count": _count,
    "yes_no": _yes_no,
    "duration": _duration,
    "who": _who,
    "when": _when,
    "order": _order,
    "which_events": _which,
    "emotion": _emotion,
    "speaker_turns": _turns,
    "summary": _summary,
    "quote": _quote,
    "text": _quote,
}
