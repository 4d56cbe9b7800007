"""A recording and its voices as `list`, `show` and `speakers` print them: JSON in seconds, rows in clock times."""

from typing import TYPE_CHECKING, Any

from store.clock import clock

if TYPE_CHECKING:
    from store.catalog import RecordingCatalog, Voice

VOICES = ("speaker", "label", "aliases", "talk", "turns", "doubt")


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
