"""refuse: why there is no answer, proven by counts, with what was heard and what there is instead.

The wording never says more than was looked at: "not in the transcript", not "never said".
"""

from collections.abc import Callable, Iterable
from typing import Any

from agent.brains.rules.phrases import nothing, scope, verb
from agent.graph.identify import closest, mentions, self_naming, unnamed
from agent.graph.settle import elsewhere, turns_of
from agent.graph.state import Desk, State
from agent.graph.validate import named
from agent.graph.verify import citation
from store.catalog import RecordingCatalog
from store.clock import clock
from store.errors import BudgetSpent, ToolError
from store.listing import listed
from store.record import StreamKind
from tools.citations import confirmed
from tools.evidence import EvidenceRow
from tools.plan import Fuse, Plan
from tools.relax import prove
from tools.speaker.names import near
from tools.speaker.query import SpeakerQuery

VOICES_SHOWN = 8
SHOWN = 8
UNHEARD = {
    "transcript": "No words were listened for",
    "speaker": "No voices were told apart",
    "emotion": "No emotions were listened for",
    "events": "No sounds were listened for",
}

_Found = tuple[str, tuple[EvidenceRow, ...], list[dict[str, Any]]]


def refuse(state: State, desk: Desk) -> dict[str, Any]:
    """Say why not, with the proof; without a reason nothing was found, which is no refusal."""
    refusal = state["refusal"]
    reason, plan = refusal.get("reason"), desk.asked or desk.plan
    text, rows, alternatives = _WORDS.get(str(reason), _plainly)(refusal, plan, desk)
    caveats = list(state.get("caveats", []))
    if not state.get("understood", True):
        caveats.append("not_understood")
    with desk.database.reader() as connection:
        real = confirmed(connection, desk.catalog, rows)
    cited = [citation(n, row) for n, row in enumerate((row for i, row in enumerate(rows) if i in real), 1)]
    reply: dict[str, Any] = {"answer": text, "value": None, "citations": cited, "caveats": caveats, "confidence": 0.0}
    if reason is None:
        reply |= {"status": "not_found", "caveats": [*caveats, *_looked(plan, desk)]}
        return {"reply": reply, "said": "not found"}
    reply |= {
        "status": "refused",
        "confidence": 0.95,
        "refusal": {
            "reason": reason,
            "constraint": refusal.get("constraint") or _constraint(plan),
            "searched": _searched(plan, desk),
            "counts": _counts(plan, desk, str(reason)),
            "coverage": _coverage(plan, desk, str(reason)),
            "alternatives": alternatives,
        },
    }
    return {"reply": reply, "said": str(reason)}


def _plainly(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    if refusal.get("reason") is not None or plan is None:
        exists = [str(item) for item in refusal.get("exists", [])][:SHOWN]
        message = str(refusal["message"])
        return message[:1].upper() + message[1:], (), [{"exists": item} for item in exists]
    query = plan.call(plan.fuse.anchor).query
    text = f"{nothing(plan)}."
    if not scope(plan) and query.stream in ("transcript", "speaker") and not _rows(query.stream, desk):
        text = "No speech was heard in this recording." if len(desk.catalog.recordings) == 1 else "No speech was heard."
    near = closest(query, desk)
    if near:
        shown = "; ".join(f"{row.speaker or 'somebody'} at {clock(row.t0)}: “{row.text}”" for row in near)
        text += f" Closest in meaning, which may be about something else: {shown}"
    return text, near, []


def _missing(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    """Say that a stream, or a label of one, was never listened for; only what was really heard is an alternative."""
    constraint = refusal.get("constraint") or {}
    if "label" in constraint:
        kinds = [call.query.stream for call in plan.calls if call.id == refusal.get("call")] if plan else []
        heard = [name for entry in desk.catalog.recordings for name in _labels(entry, kinds)]
        what = "no emotion" if kinds == ["emotion"] else "no sound"
        text = f"“{constraint['label']}” is {what} that was listened for."
        return text, (), [{"exists": label} for label in sorted(set(heard))[:SHOWN]]
    if "stream" not in constraint:
        return _plainly(refusal, plan, desk)
    there = list(dict.fromkeys(kind for entry in desk.catalog.recordings for kind in entry.streams))
    where = "this recording (its streams" if len(desk.catalog.recordings) == 1 else "these recordings (their streams"
    text = f"{UNHEARD[constraint['stream']]} in {where}: {', '.join(there) or 'none yet'})."
    return text, (), [{"exists": kind} for kind in there]


def _labels(entry: RecordingCatalog, kinds: list[StreamKind]) -> Iterable[str]:
    return entry.emotions if kinds == ["emotion"] else entry.events


def _not_said(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    assert plan is not None
    others = elsewhere(plan, desk)
    said = ", ".join(f"{row.speaker} at {clock(row.t0)}" for row in others[:3] if row.speaker)
    text = f"{nothing(plan)}; it is in that of others: {said}."
    return text, others, [_alternative(row) for row in others]


def _unknown(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    name = _name(refusal, plan)
    lines = mentions(name, desk)
    voices = [voice for entry in desk.catalog.recordings for voice in entry.voices if voice.doubt is None]
    close = dict.fromkeys(voice.display for entry in desk.catalog.recordings for voice in near(entry, name))
    text = f"Nobody called {name} speaks{' in any of them' if len(desk.catalog.recordings) > 1 else ''}; who does: "
    text += listed([f"{voice.display} ({clock(voice.talk_ms)})" for voice in voices], VOICES_SHOWN) + "."
    text += f" Did you mean {' or '.join(close)}?" if close else ""
    if lines:
        where = ", ".join(f"by {row.speaker or 'somebody'} at {clock(row.t0)}" for row in lines[:3])
        text += f" {name} is mentioned, which is not speaking: {where}."
    found = [_alternative(row) | {"kind": "mentioned"} for row in lines]
    return text, tuple(lines), [*found, *({"speaker": str(item)} for item in refusal.get("exists", []))]


def _unidentified(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    name = _name(refusal, plan)
    voices, lines = unnamed(desk), self_naming(name, desk)
    text = f"No voice is known to be {name}"
    told = ", ".join(f"{voice['speaker']} ({voice['talk_s']:.1f} s)" for voice in voices)
    text += f"; these have no name yet: {told}." if told else ", and none that has no name was heard."
    if lines:
        said = "; ".join(f"“{row.text}” ({clock(row.t0)}, {row.speaker})" for row in lines[:3])
        text += f" This may tell who it is: {said}."
    found = [_alternative(row) | {"kind": "evidence"} for row in lines]
    return text, tuple(lines), [*found, *voices]


def _absent(refusal: dict[str, Any], plan: Plan | None, desk: Desk) -> _Found:
    assert plan is not None
    rows = _around(plan, desk)
    heard = " and ".join(f"{clock(row.t0)}–{clock(row.t1)}" for row in rows)
    text = f"{' and '.join(named(plan))} {verb(len(named(plan)), 'was')} not heard{scope(plan)}"
    text += f"; the nearest turn{'s are' if len(rows) > 1 else ' is'} at {heard}." if rows else "."
    return text, rows, [_alternative(row) for row in rows]


def _around(plan: Plan, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give a person's last turn before and first turn after what was asked for, in the recording of the first."""
    people, (start, end) = named(plan), _stretch(plan, desk)
    before = SpeakerQuery(names=people, end=start) if start else None
    after = SpeakerQuery(names=people, start=end) if end is not None else None
    last = desk.find(before, Fuse(anchor="speaker_1", order="-time", limit=1)).rows if before else ()
    return (*last, *(desk.find(after, Fuse(anchor="speaker_1", limit=1)).rows if after else ()))


def _stretch(plan: Plan, desk: Desk) -> tuple[float | None, float | None]:
    """Give the seconds that were asked for: the range, or else where the first partner is."""
    query = plan.call(plan.fuse.anchor).query
    if query.start is not None or query.end is not None or not plan.fuse.joins:
        return query.start, query.end
    partner = plan.call(plan.fuse.joins[0].stream).query
    rows = desk.find(partner, Fuse(anchor=f"{partner.stream}_1", limit=1)).rows
    return (rows[0].t0 / 1000, rows[0].t1 / 1000) if rows else (None, None)


def _rows(kind: StreamKind, desk: Desk) -> int:
    return sum(state.rows for state in desk.catalog.of(kind).values())


_WORDS: dict[str, Callable[[dict[str, Any], Plan | None, Desk], _Found]] = {
    "stream_missing": _missing,
    "not_said_by_speaker": _not_said,
    "unknown_speaker": _unknown,
    "speaker_unidentified": _unidentified,
    "speaker_absent_in_range": _absent,
}


def _name(refusal: dict[str, Any], plan: Plan | None) -> str:
    constraint = refusal.get("constraint") or {}
    given = constraint.get("speaker") or constraint.get("names") or (named(plan) if plan is not None else [])
    return str(given[0] if isinstance(given, list) and given else given)


def _constraint(plan: Plan | None) -> dict[str, Any]:
    if plan is None:
        return {}
    return dict(plan.call(plan.fuse.anchor).query.model_dump(exclude_defaults=True))


def _searched(plan: Plan | None, desk: Desk) -> dict[str, Any]:
    kinds = list(dict.fromkeys(call.query.stream for call in plan.calls)) if plan is not None else []
    return {
        "recordings": [entry.recording.public_id for entry in desk.catalog.recordings],
        "streams": {kind: sum(state.rows for state in desk.catalog.of(kind).values()) for kind in kinds},
        "seconds": sum(entry.recording.heard_ms for entry in desk.catalog.recordings) / 1000,
    }


def _counts(plan: Plan | None, desk: Desk, reason: str) -> dict[str, int]:
    """Count with all constraints and with each dropped; what cannot be counted within the budget is left out."""
    if plan is None or reason in ("out_of_scope", "stream_missing", "ambiguous_speaker"):
        return {}
    try:
        return dict(prove(desk.session, plan).counts)
    except (ToolError, BudgetSpent):
        return {}


def _coverage(plan: Plan | None, desk: Desk, reason: str) -> dict[str, Any]:
    if plan is None or reason in ("out_of_scope", "ambiguous_speaker") or not named(plan):
        return {}
    if any("speaker" not in entry.streams for entry in desk.catalog.recordings):
        return {}
    heard = turns_of(named(plan), plan.call(plan.fuse.anchor).query, desk)
    poor = [row for row in heard.rows if row.score is not None and row.score < 0.5]
    seconds = sum(group.value or 0 for group in heard.groups) / 1000
    return {
        "speaker": " and ".join(named(plan)),
        "seconds": seconds,
        "turns": heard.total,
        "poorly_heard_seconds": sum(row.t1 - row.t0 for row in poor) / 1000,
    }


def _looked(plan: Plan | None, desk: Desk) -> list[str]:
    found = _searched(plan, desk)
    rows = ", ".join(f"{count:,} rows of {kind}" for kind, count in found["streams"].items())
    return [f"searched: {rows} over {clock(round(found['seconds'] * 1000))}"] if rows else []


def _alternative(row: EvidenceRow) -> dict[str, Any]:
    return {
        "speaker": row.speaker,
        "recording": row.recording,
        "start": row.t0 / 1000,
        "end": row.t1 / 1000,
        "quote": row.text or row.label,
    }
