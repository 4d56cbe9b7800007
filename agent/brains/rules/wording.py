"""Sentences for what was computed: names, clock times, never more than the rows show.

One small function a family; each gives the text, the value, and the indices of the rows it stands on.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from agent.brains.protocol import Answered
from agent.brains.rules.language import Language
from agent.brains.rules.summary import central
from store.clock import clock, end_ms, start_ms
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.evidence import Evidence, EvidenceRow, excerpt
from tools.plan import Plan
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

CITED = 8
TURNS_SHOWN = 40
LONGEST_QUOTE = 320

_Words = Callable[[Plan, Evidence, Any, Language], Answered]


def worded(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    """Word the answer of a plan by its family."""
    family = plan.fuse.answer_schema
    words = _FAMILIES.get(family if isinstance(family, str) else "text", _quote)
    return words(plan, evidence, value, language)


def listed(items: Sequence[str], last: str = "and", most: int = 8) -> str:
    """Write a list as a sentence has it; what is beyond `most` is counted."""
    shown = list(items[:most]) + ([f"{len(items) - most} more"] if len(items) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}" if shown else ""


def times(rows: Iterable[EvidenceRow], most: int = 6) -> str:
    """Write when rows begin."""
    found = tuple(rows)
    return listed([_at(row, found) for row in found], most=most)


def subject(query: StreamQuery) -> str:
    """Write what a call looks for: a topic, sounds, emotions, a person's turns."""
    match query:
        case TranscriptQuery(keywords=[_, *_]):
            joint = " … ".join(query.keywords) if query.match != "any" else listed(query.keywords, "or")
            return f"“{joint}”"
        case EventsQuery(labels=[_, *_]):
            return listed(query.labels, "or")
        case EmotionQuery(labels=[_, *_]):
            return listed(query.labels, "or")
    return "anything"


def speaker(query: StreamQuery) -> str | None:
    """Give the person a call is limited to."""
    match query:
        case SpeakerQuery(names=[_, *_]):
            return listed(query.names)
        case TranscriptQuery() | EmotionQuery():
            return query.speaker
    return None


def scope(plan: Plan) -> str:
    """Write the stretch and the relation that limit the answer, with a leading blank."""
    query = plan.call(plan.fuse.anchor).query
    parts = []
    if query.start is not None and query.end is not None:
        parts.append(f"between {clock(round(query.start * 1000))} and {clock(round(query.end * 1000))}")
    elif query.start is not None:
        parts.append(f"after {clock(round(query.start * 1000))}")
    elif query.end is not None:
        parts.append(f"before {clock(round(query.end * 1000))}")
    words = {"overlaps": "during", "right_after": "right after", "nearest": "close to"}
    for join in plan.fuse.joins:
        partner = plan.call(join.stream).query
        who = speaker(partner)
        what = subject(partner) if subject(partner) != "anything" else "the turns"
        parts.append(f"{words.get(join.relation, join.relation)} {what}" + (f" of {who}" if who else ""))
    return "".join(f" {part}" for part in parts)


def _did(query: StreamQuery) -> str:
    """Word what was found as the beginning of a sentence: somebody mentions, sounds or speaks, something was heard."""
    who = speaker(query)
    match query:
        case TranscriptQuery():
            return f"{who} mentions {subject(query)}" if who else f"{subject(query)} is mentioned"
        case EmotionQuery():
            return f"{who or 'Somebody'} sounds like {subject(query)}"
        case SpeakerQuery():
            return f"{who or 'Somebody'} speaks"
    return f"{_capital(subject(query))} was heard"


def _count(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    where = scope(plan)
    if plan.fuse.aggregate == "count_distinct":
        return _people(query, rows, value, where)
    often = "once" if value == 1 else "twice" if value == 2 else f"{value} times"
    text = f"{_did(query)} {often}"
    if isinstance(query, SpeakerQuery):
        text = f"{speaker(query) or 'People'} {'takes' if query.names else 'take'} the floor {often}"
    at = f", at {times(rows)}" if rows else ""
    return Answered(f"{text}{where}{at}.", value, _first(rows), "computed")


def _people(query: StreamQuery, rows: Sequence[EvidenceRow], value: Any, where: str) -> Answered:
    """Word how many people did something, and who they are."""
    match query:
        case SpeakerQuery():
            verb, what = "speak", ""
        case EmotionQuery():
            verb, what = "sound", f" like {subject(query)}"
        case _:
            verb, what = "mention", f" {subject(query)}"
    did = f"person {verb}s{what}" if value == 1 else f"people {verb}{what}"
    names = list(dict.fromkeys(row.speaker for row in rows if row.speaker))
    text = f"{value} {did}{where}" + (f": {listed(names)}." if names else ".")
    return Answered(text, value, _one_each(rows, lambda row: row.speaker), "computed")


def _yes_no(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    who, where = speaker(query), scope(plan)
    if not value:
        return Answered(_none(query, where), False, (), "computed")
    match query:
        case TranscriptQuery():
            first = rows[0]
            by = f" by {first.speaker}" if not who and first.speaker else ""
            text = f"Yes, {_did(query)}{where}, first{by} at {clock(first.t0)}: {_quoted(first)}"
        case EmotionQuery():
            text = f"Yes, {who or rows[0].speaker or 'somebody'} sounds like {subject(query)}{where}, at {times(rows)}."
        case SpeakerQuery():
            text = f"Yes, {who or 'somebody'} speaks{where}, first at {clock(rows[0].t0)}."
        case _:
            text = f"Yes, {subject(query)} was heard{where}, at {times(rows)}."
    return Answered(text, True, _first(rows), "computed")


def _none(query: StreamQuery, where: str) -> str:
    who = speaker(query)
    match query:
        case TranscriptQuery():
            return f"No: {subject(query)} is not in the transcript{f' of what {who} says' if who else ''}{where}."
        case EmotionQuery():
            return f"No: {who or 'nobody'} was not heard to sound like {subject(query)}{where}."
        case SpeakerQuery():
            return f"No: no turn of {who or 'anybody'} was heard{where}."
    return f"No: {subject(query)} was not among the sounds heard{where}."


def _duration(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query = plan.call(plan.fuse.anchor).query
    length = _length(float(value or 0))
    match query:
        case SpeakerQuery():
            text = f"{speaker(query) or 'People'} {'speaks' if query.names else 'speak'} for {length}"
        case EventsQuery():
            text = f"{_capital(subject(query))} was heard for {length}"
        case _:
            text = f"{speaker(query) or 'Somebody'} sounds like {subject(query)} for {length}"
    return Answered(f"{text}{scope(plan)}.", value, _first(evidence.rows), "computed")


def _who(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query, rows = plan.call(plan.fuse.anchor).query, evidence.rows
    names = [value] if isinstance(value, str) else list(value or [])
    cited = _one_each(rows, lambda row: row.speaker if row.speaker in names else None)
    first = {row.speaker: row for row in reversed(rows)}
    where = scope(plan)
    if isinstance(query, TranscriptQuery) and names:
        when = [f"{name} (at {clock(first[name].t0)})" if name in first else name for name in names]
        quote = f": {_quoted(rows[cited[0]])}" if len(names) == 1 and cited else "."
        text = f"{listed(when)} {_verb(names, 'mention')} {subject(query)}{where}{quote}"
    elif isinstance(query, EmotionQuery):
        text = f"{listed(names)} {_verb(names, 'sound')} like {subject(query)}{where}."
    else:
        text = f"{listed(names)} {_verb(names, 'speak')}{_superlative(plan, evidence)}{where}."
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
        return f" the {rank}: {_length(amount / 1000)}"
    return f" the {rank} often" + (f": {amount} times" if amount is not None else "")


def _when(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    rows = evidence.rows
    spans = listed([_at(row, rows, end=True) for row in rows], most=12)
    edge = {"time": " first", "-time": " last"}.get(plan.fuse.order, "") if plan.fuse.limit == 1 else ""
    text = f"{_did(plan.call(plan.fuse.anchor).query)}{edge}{scope(plan)} at {spans}."
    return Answered(text, value, _first(rows, 12), "computed")


def _order(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    query = plan.call(plan.fuse.anchor).query
    at = {group.key: clock(group.value[0]) for group in evidence.groups}
    labels = [f"{label} ({at[label]})" if label in at else str(label) for label in value or []]
    missing = [label for label in getattr(query, "labels", []) if label not in (value or [])]
    caveats = (f"not heard: {', '.join(missing)}",) if missing else ()
    text = f"In this order: {', then '.join(labels)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), CITED))), "computed", caveats=caveats)


def _which(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    counts = {group.key: group.value for group in evidence.groups}
    labels = [value] if isinstance(value, str) else list(value or [])
    named = [f"{label} ({counts[label]}×)" if label in counts else str(label) for label in labels]
    text = f"Heard{scope(plan)}: {listed(named, most=16)}." if named else f"No sound event was heard{scope(plan)}."
    cited = _one_each(evidence.rows, lambda row: row.label if row.label in labels else None)
    return Answered(text, value, cited, "computed")


def _emotion(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    who = speaker(plan.call(plan.fuse.anchor).query)
    rows = [(i, row) for i, row in enumerate(evidence.rows) if row.label == value]
    if not rows:
        text = f"No clear emotion of {who or 'anybody'} was heard{scope(plan)}."
        return Answered(text, value, _first(evidence.rows, 3), "computed")
    heard = sum(row.t1 - row.t0 for _, row in rows)
    whole = sum(row.t1 - row.t0 for row in evidence.rows)
    text = f"{who or 'The speakers'} {'sounds' if who else 'sound'} mostly {value}{scope(plan)}"
    text += f" ({heard / whole:.0%} of what was judged)."
    best = sorted(rows, key=lambda pair: (-(pair[1].score or 0), pair[0]))[:3]
    return Answered(text, value, tuple(sorted(i for i, _ in best)), "computed")


def _turns(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    turns = [(clock(start_ms(t0)), clock(end_ms(t1)), speaker) for t0, t1, speaker in value or []]
    shown = [f"{t0}–{t1} {speaker}" for t0, t1, speaker in turns[:TURNS_SHOWN]]
    more = f" … and {len(turns) - len(shown)} more turns" if len(turns) > len(shown) else ""
    text = f"{len(turns)} turns{scope(plan)}: {'; '.join(shown)}{more}." if turns else f"Nobody speaks{scope(plan)}."
    return Answered(text, value, tuple(range(min(len(evidence.rows), TURNS_SHOWN))), "computed")


def _summary(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    picks = central(evidence.rows, language)
    lines = [_line(evidence.rows[i], evidence.rows) for i in picks]
    said = " ".join((evidence.rows[i].text or "").strip() for i in picks)
    return Answered("\n".join(lines), said, picks, "quoted")


def _quote(plan: Plan, evidence: Evidence, value: Any, language: Language) -> Answered:
    rows = evidence.rows[:CITED]
    shown = sorted(range(len(rows)), key=lambda i: (rows[i].recording, rows[i].t0))
    left = evidence.total - len(rows) if plan.fuse.limit is None else 0
    more = f"\n… and {left} more" if left > 0 else ""
    lines = "\n".join(_line(rows[i], rows) for i in shown)
    said = " ".join((rows[i].text or "").strip() for i in shown)
    return Answered(f"{lines}{more}", said, tuple(shown), "quoted")


def _line(row: EvidenceRow, rows: Sequence[EvidenceRow]) -> str:
    return f"{row.speaker or 'Somebody'} at {_at(row, rows)}: {_quoted(row)}"


def _at(row: EvidenceRow, rows: Sequence[EvidenceRow], *, end: bool = False) -> str:
    """Write when a row is, and in which recording where the rows are of several."""
    time = f"{clock(row.t0)}–{clock(row.t1)}" if end else clock(row.t0)
    return time if all(other.recording == row.recording for other in rows) else f"{time} ({row.recording})"


def _quoted(row: EvidenceRow) -> str:
    return f"“{excerpt(row.text or '', LONGEST_QUOTE)}”"


def _length(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{seconds:.1f} s" if seconds < 60 else f"{clock(ms)} ({seconds:.1f} s)"


def _verb(names: Sequence[str], verb: str) -> str:
    return verb if len(names) != 1 else f"{verb}s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first(rows: Sequence[EvidenceRow], most: int = CITED) -> tuple[int, ...]:
    return tuple(range(min(len(rows), most)))


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
