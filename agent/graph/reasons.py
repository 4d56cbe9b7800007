"""Why there is no answer, in words: each reason of a refusal with the rows it points to and what there is instead.

The wording never says more than was looked at: "not in the transcript", not "never said".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.phrases import nothing, scope, verb
from agent.graph.identify import closest, mentions, people, self_naming, unnamed
from agent.graph.settle import elsewhere, lookalikes
from agent.graph.state import Desk, Objection
from agent.graph.validate import named
from store.catalog import RecordingCatalog
from store.clock import clock
from store.listing import listed
from store.record import StreamKind
from tools.evidence import EvidenceRow
from tools.plan import Fuse, Plan
from tools.speaker.names import near, resolve
from tools.speaker.query import SpeakerQuery

VOICES_SHOWN = 8
SHOWN = 8
UNHEARD = {
    "transcript": "No words were listened for",
    "speaker": "No voices were told apart",
    "emotion": "No emotions were listened for",
    "events": "No sounds were listened for",
}

LACKING: Mapping[StreamKind, tuple[StreamKind, str]] = {
    "speaker": ("transcript", "Words were heard, but no voices were told apart"),
    "transcript": ("speaker", "Voices were heard, but no words"),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A refusal in words: the rows it cites, what there is instead, and the voices that may be meant."""

    text: str
    rows: tuple[EvidenceRow, ...] = ()
    alternatives: tuple[dict[str, Any], ...] = ()
    voices: tuple[dict[str, Any], ...] = ()


def told(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    """Word a refusal by its reason; without one, that nothing was found."""
    return _WORDS.get(str(refusal.get("reason")), _plainly)(refusal, plan, desk)


def name_of(refusal: Objection, plan: Plan | None) -> str:
    """Give the person a refusal is about, the first where it is about several."""
    constraint = refusal.get("constraint") or {}
    given = constraint.get("speaker") or constraint.get("names") or (named(plan) if plan is not None else [])
    names = given if isinstance(given, list) else [given]
    return str(names[0]) if names else "somebody"


def alternative(row: EvidenceRow, kind: str | None = None) -> dict[str, Any]:
    """Give a row as something there is instead."""
    found = {
        "speaker": row.speaker,
        "recording": row.recording,
        "start": row.t0 / 1000,
        "end": row.t1 / 1000,
        "quote": row.text or row.label,
    }
    return found if kind is None else found | {"kind": kind}


def _plainly(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    if refusal.get("reason") is not None or plan is None or refusal.get("said"):
        exists = [str(item) for item in refusal.get("exists", [])][:SHOWN]
        message = str(refusal["message"])
        return Told(message[:1].upper() + message[1:], (), tuple({"exists": item} for item in exists))
    query = plan.call(plan.fuse.anchor).query
    text = _unreached(plan, desk) or f"{nothing(plan)}."
    if not scope(plan) and query.stream in LACKING and not _rows(query.stream, desk):
        other, lacking = LACKING[query.stream]
        said = lacking if _rows(other, desk) else "No speech was heard"
        text = f"{said}{' in this recording' if len(desk.catalog.recordings) == 1 else ''}."
    close = closest(query, desk)
    alike = lookalikes(plan, desk)
    text += f" {alike.text}" if alike.text else ""
    if close:
        shown = "; ".join(f"{row.speaker or 'somebody'} at {clock(row.t0)}: “{row.text}”" for row in close)
        text += f" Closest in meaning, which may be about something else: {shown}"
    return Told(text, (*alike.rows, *close))


def _unreached(plan: Plan, desk: Desk) -> str | None:
    """Say what comes closest to a bound that nothing keeps; None where there is no bound, or nothing at all."""
    fuse = plan.fuse
    if fuse.group is None or (fuse.min_value is None and fuse.max_value is None):
        return None
    most = fuse.min_value is not None
    free = {"min_value": None, "max_value": None, "order": "-value" if most else "value", "limit": 1}
    groups = desk.run(plan.model_copy(update={"fuse": fuse.model_copy(update=free)})).groups
    if not groups or not isinstance(groups[0].value, int | float):
        return None
    seconds = fuse.aggregate in ("total_duration", "average")
    amount = f"{groups[0].value / 1000:.1f} s" if seconds else f"{groups[0].value:g}"
    key = groups[0].key
    where = f"from {clock(int(float(key) * 1000))}" if fuse.group == "time" and key else key or "nobody known"
    return f"Nothing keeps to that bound; the {'most' if most else 'least'} is {amount} ({where})."


def _missing(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    """Say that a stream, or a label of one, was never listened for; only what was really heard is an alternative."""
    constraint = refusal.get("constraint") or {}
    if "label" in constraint:
        kinds = [call.query.stream for call in plan.calls if call.id == refusal.get("call")] if plan else []
        heard = [name for entry in desk.catalog.recordings for name in _labels(entry, kinds)]
        what = "no emotion" if kinds == ["emotion"] else "no sound"
        text = f"“{constraint['label']}” is {what} that was listened for."
        return Told(text, (), tuple({"exists": label} for label in sorted(set(heard))[:SHOWN]))
    if "stream" not in constraint:
        return _plainly(refusal, plan, desk)
    there = list(dict.fromkeys(kind for entry in desk.catalog.recordings for kind in entry.streams))
    where = "this recording (its streams" if len(desk.catalog.recordings) == 1 else "these recordings (their streams"
    text = f"{UNHEARD[constraint['stream']]} in {where}: {', '.join(there) or 'none yet'})."
    return Told(text, (), tuple({"exists": kind} for kind in there))


def _labels(entry: RecordingCatalog, kinds: list[StreamKind]) -> Iterable[str]:
    return entry.emotions if kinds == ["emotion"] else entry.events


def _not_said(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    assert plan is not None
    others = elsewhere(plan, desk)
    said = ", ".join(f"{row.speaker} at {clock(row.t0)}" for row in others[:3] if row.speaker)
    none = nothing(plan)
    they = "they are" if " are not " in none else "it is"
    text = f"{none}; {they} in that of others: {said}."
    return Told(text, others, tuple(alternative(row) for row in others))


def _unknown(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    name = name_of(refusal, plan)
    lines = mentions(name, desk)
    voices = [voice for entry in desk.catalog.recordings for voice in entry.voices if voice.doubt is None]
    alike = [(entry, near(entry, name)) for entry in desk.catalog.recordings]
    close = dict.fromkeys(voice.display for _, found in alike for voice in found)
    text = f"Nobody called {name} speaks{' in any of them' if len(desk.catalog.recordings) > 1 else ''}; who does: "
    text += listed([f"{voice.display} ({clock(voice.talk_ms)})" for voice in voices], VOICES_SHOWN) + "."
    text += f" Did you mean {' or '.join(close)}?" if close else ""
    if lines:
        where = ", ".join(f"by {row.speaker or 'somebody'} at {clock(row.t0)}" for row in lines[:3])
        text += f" {name} is mentioned, which is not speaking: {where}."
    found = [alternative(row, "mentioned") for row in lines]
    meant = people(alike[0][1], alike[0][0], desk, "near") if len(alike) == 1 else []
    exists = ({"speaker": str(item)} for item in refusal.get("exists", []))
    return Told(text, lines, (*found, *exists), tuple(meant))


def _unidentified(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    name = name_of(refusal, plan)
    voices, lines = unnamed(desk), self_naming(name, desk)
    close = dict.fromkeys(voice.display for entry in desk.catalog.recordings for voice in near(entry, name))
    text = f"No voice is known to be {name}"
    shown = ", ".join(f"{voice['speaker']} ({voice['talk_s']:.1f} s)" for voice in voices)
    text += f"; these have no name yet: {shown}." if shown else ", and none that has no name was heard."
    text += f" Did you mean {' or '.join(close)}?" if close else ""
    if lines:
        said = "; ".join(f"“{row.text}” ({clock(row.t0)}, {row.speaker})" for row in lines[:3])
        text += f" This may tell who it is: {said}."
    found = [alternative(row, "evidence") for row in lines]
    return Told(text, lines, (*found, *voices), tuple(voices))


def _ambiguous(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    name = name_of(refusal, plan)
    meant_by = refusal.get("meant")
    found = [(entry, resolve(entry, name)) for entry in desk.catalog.recordings]
    if meant_by:
        name = f"“{name}”"
        found = [(e, tuple(v for v in e.voices if {v.display, v.label} & {*meant_by})) for e in desk.catalog.recordings]
    entry, meant = next((pair for pair in found if len(pair[1]) > 1), found[0])
    voices = people(meant, entry, desk, "ambiguous")
    shown = [voice["speaker"] for voice in voices]
    twins = len(set(shown)) < len(shown)
    ways = [
        f"{_called(voice, twins)} ({clock(round(voice['talk_s'] * 1000))} of talk{_says(voice)})" for voice in voices
    ]
    by = "label" if twins else "whole name"
    text = f"{name} can be {len(voices)} people: {'; '.join(ways)}. Ask for one of them by the {by}."
    return Told(text, (), tuple(voices), tuple(voices))


def _called(voice: dict[str, Any], twins: bool) -> str:
    return f"{voice['speaker']}, {voice['label']}" if twins else str(voice["speaker"])


def _says(voice: dict[str, Any]) -> str:
    return f", who says “{voice['quote']}” at {clock(round(voice['start'] * 1000))}" if voice.get("quote") else ""


def _absent(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    assert plan is not None
    rows = _around(plan, desk)
    heard = " and ".join(f"{clock(row.t0)}–{clock(row.t1)}" for row in rows)
    text = f"{' and '.join(named(plan))} {verb(len(named(plan)), 'was')} not heard{scope(plan)}"
    text += f"; the nearest turn{'s are' if len(rows) > 1 else ' is'} at {heard}." if rows else "."
    return Told(text, rows, tuple(alternative(row) for row in rows))


def _beyond(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    """Say where the recording ends, as people say it."""
    entries = desk.catalog.recordings
    longest = max(entry.recording.duration_ms for entry in entries)
    what = "The recording is" if len(entries) == 1 else "The longest recording is"
    asked = refusal.get("told") or "after that"
    text = f"{what} {clock(longest)} long, so nothing can be heard {asked}."
    return Told(text, (), ({"exists": f"0:00 to {clock(longest)}"},))


def _not_yet(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    """Say how far the recording has been heard, as people say it."""
    entry = max(desk.catalog.recordings, key=lambda entry: entry.recording.heard_ms)
    heard, whole = clock(entry.recording.heard_ms), clock(entry.recording.duration_ms)
    if entry.recording.heard_ms == 0:
        return Told(f"Nothing of the {whole} has been heard yet; ask again in a while.")
    asked = refusal.get("told") or "in that stretch"
    text = f"Of {whole} only the first {heard} has been heard so far; what is {asked} is not known yet."
    return Told(text, (), ({"exists": f"0:00 to {heard}"},))


def _unreliable(refusal: Objection, plan: Plan | None, desk: Desk) -> Told:
    """Say that a stream holds noise, why that is known, and which streams can be asked."""
    exists = tuple({"exists": str(item)} for item in refusal.get("exists", []))
    message = str(refusal["message"])
    return Told(message[:1].upper() + message[1:] + ".", (), exists)


def _around(plan: Plan, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give a person's last turn before and first turn after what was asked for, in the recording of the first."""
    names, (start, end) = named(plan), _stretch(plan, desk)
    before = SpeakerQuery(names=names, end=start) if start else None
    after = SpeakerQuery(names=names, start=end) if end is not None else None
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


_WORDS: dict[str, Callable[[Objection, Plan | None, Desk], Told]] = {
    "stream_missing": _missing,
    "stream_unreliable": _unreliable,
    "not_said_by_speaker": _not_said,
    "unknown_speaker": _unknown,
    "speaker_unidentified": _unidentified,
    "ambiguous_speaker": _ambiguous,
    "speaker_absent_in_range": _absent,
    "out_of_range": _beyond,
    "not_heard_yet": _not_yet,
}
