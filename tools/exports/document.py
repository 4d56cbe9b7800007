"""JSON with everything: streams with their models, rows, words, distributions, voices with names and aliases.

`segments` has the keys Whisper and WhisperX use, so what reads theirs reads this; `speaker` is the label there.
"""

from typing import Any

from store.catalog import StreamState
from store.record import Emotion, Event, Segment, Turn
from tools.canonical import to_json
from tools.exports.content import Content
from tools.imports.own import FORMAT, VERSION


def write(content: Content) -> str:
    """Give one JSON document, keys sorted."""
    recording = content.recording
    document = {
        "format": FORMAT,
        "version": VERSION,
        "recording": {
            "id": recording.public_id,
            "title": recording.title,
            "sha256": recording.sha256,
            "origin": recording.origin,
            "duration": recording.duration_ms / 1000,
            "estimated": recording.estimated,
            "language": recording.language,
            "roster": recording.roster,
        },
        "streams": {kind: _stream(state) for kind, state in content.streams.items()},
        "speakers": [
            {"label": p.label, "name": p.name, "aliases": list(p.aliases), "doubt": p.doubt} for p in content.profiles
        ],
        "segments": [_segment(row) for row in content.segments],
        "turns": [_turn(row) for row in content.turns],
        "emotions": [_emotion(row) for row in content.emotions],
        "events": [_event(row) for row in content.events],
    }
    return to_json(document, indent=1) + "\n"


def _stream(state: StreamState) -> dict[str, Any]:
    labels = None if state.labels is None else list(state.labels)
    return {
        "model": state.model,
        "version": state.version,
        "labels": labels,
        "health": state.health,
        "note": state.note,
    }


def _span(row: Segment | Turn | Emotion | Event) -> dict[str, Any]:
    return {"start": row.t0 / 1000, "end": row.t1 / 1000, "score": row.score}


def _segment(row: Segment) -> dict[str, Any]:
    words = [{"start": w.t0 / 1000, "end": w.t1 / 1000, "word": w.text, "score": w.score} for w in row.words]
    return _span(row) | {"text": row.text, "speaker": row.speaker, "language": row.language, "words": words}


def _turn(row: Turn) -> dict[str, Any]:
    return _span(row) | {"speaker": row.speaker}


def _emotion(row: Emotion) -> dict[str, Any]:
    return _span(row) | {"label": row.label, "speaker": row.speaker, "scores": dict(row.scores)}


def _event(row: Event) -> dict[str, Any]:
    return _span(row) | {"label": row.label}
