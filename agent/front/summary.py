"""A recording and its voices as `list`, `show` and `speakers` print them: JSON in seconds, rows in clock times."""

from typing import TYPE_CHECKING, Any

from store.clock import clock

if TYPE_CHECKING:
    from store.catalog import RecordingCatalog, Voice
    from tools.voicing.suggestions import Evidence, Suggestion

VOICES = ("speaker", "label", "aliases", "talk", "turns", "doubt")
SHOWN = 3


def summary(entry: "RecordingCatalog") -> dict[str, Any]:
    """Give the facts of one recording."""
    recording = entry.recording
    return {
        "recording": recording.public_id,
        "title": recording.title,
        "duration": recording.duration_ms / 1000,
        "estimated": recording.estimated,
        "heard": recording.heard_ms / 1000,
        "state": recording.state,
        "origin": recording.origin,
        "language": recording.language,
        "roster": "closed" if entry.closed else "open",
        "streams": {
            kind: {
                "model": s.model,
                "version": s.version,
                "rows": s.rows,
                "health": s.health,
                "note": s.note,
                "findings": list(s.findings),
            }
            for kind, s in entry.streams.items()
        },
        "speakers": [voice_json(voice) for voice in entry.voices],
        "emotions": dict(entry.emotions),
        "events": dict(entry.events),
    }


def voice_json(voice: "Voice") -> dict[str, Any]:
    """Give the facts of one voice."""
    return {
        "speaker": voice.display,
        "label": voice.label,
        "named": voice.named,
        "aliases": list(voice.aliases),
        "talk": voice.talk_ms / 1000,
        "turns": voice.turns,
        "doubt": voice.doubt,
    }


def voice_row(voice: "Voice") -> tuple[str | int | None, ...]:
    """Give one voice in the columns of VOICES."""
    aliases = ", ".join(voice.aliases)
    return voice.display, voice.label, aliases, clock(voice.talk_ms), voice.turns, voice.doubt


def suggestion_json(found: "Suggestion") -> dict[str, Any]:
    """Give who a voice may be, or that its name is contradicted, with times in seconds."""
    return {
        "name": found.name,
        "known": found.known,
        "confident": found.confident,
        "evidence": [_evidence_json(one) for one in found.evidence],
        "against": [_evidence_json(one) for one in found.against],
    }


def suggestion_line(found: "Suggestion") -> str:
    """Say in one line who a voice may be and why, or what contradicts its name; with the option that names it."""
    line = likely(found)
    return line if found.known or found.against else f"{line}   (--rename '{found.label}={found.name}')"


def likely(found: "Suggestion") -> str:
    """Say in one line who a voice may be and why, or what contradicts its name."""
    against = "; ".join(map(_evidence, found.against[:SHOWN]))
    if found.known:
        return f"{found.name} ({found.label}) may be somebody else: {against}"
    line = f"{found.label} may be {found.name}: {'; '.join(map(_evidence, found.evidence[:SHOWN]))}"
    return f"{line}; but {against}" if against else line


def _evidence(one: "Evidence") -> str:
    named = "named so by what wrote the words down, " if one.kind == "written" else ""
    return f"{named}[{clock(one.line.t0)} {one.line.voice}] “{one.quote}”"


def _evidence_json(one: "Evidence") -> dict[str, Any]:
    place = {"start": one.line.t0 / 1000, "end": one.line.t1 / 1000}
    return {"label": one.line.voice, "quote": one.quote, "kind": one.kind} | place
