"""What a refusal can point to: mentions of a name, "I'm Anna", voices without a name, what is close in meaning."""

from collections.abc import Sequence
from typing import Any

from agent.graph.state import Desk
from store.catalog import RecordingCatalog, Voice
from store.clock import clock
from store.listing import listed
from store.rows import first_said
from tools.evidence import EvidenceRow
from tools.plan import Fuse
from tools.speaker.names import resolve
from tools.stream import StreamQuery
from tools.transcript.query import LONGEST, TranscriptQuery
from tools.voicing.introductions import introductions
from tools.voicing.suggestions import contradictions

SHOWN = 5
IN_DOUBT = "this voice may not be "
CLOSE = 2
FIRST = 20


def mentions(name: str, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the first segments in which a name is said."""
    return _lines([name], None, desk)[:SHOWN] if _has_words(desk) else ()


def self_naming(name: str, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the first segments in which somebody introduces themselves by a name."""
    return _lines(introductions(name), None, desk)[:SHOWN] if _has_words(desk) else ()


def closest(query: StreamQuery, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the few segments that are closest in meaning to keywords that were not found, within the same limits."""
    if not desk.semantic or not isinstance(query, TranscriptQuery) or not query.keywords:
        return ()
    meant = query.model_copy(update={"keywords": [], "match": "any", "semantic": " ".join(query.keywords)})
    return desk.find(meant, Fuse(anchor="transcript_1", order="rank", limit=CLOSE, answer_schema="quote")).rows


def unnamed(desk: Desk, most: int = 8) -> list[dict[str, Any]]:
    """Give the voices without a name, longest talk first, each with one excerpt: its longest of the first ones."""
    found: list[dict[str, Any]] = []
    for entry in desk.catalog.recordings:
        voices = [voice for voice in entry.voices if not voice.named and voice.doubt is None]
        found += people(voices[:most], entry, desk, "unnamed")
    return sorted(found, key=lambda voice: -float(voice["talk_s"]))[:most]


def nameless(name: str, desk: Desk) -> list[str]:
    """Give, as a caveat, the voices that may be this person too: those without a name where nobody bears it."""
    strange = [entry for entry in desk.catalog.recordings if not entry.closed and not resolve(entry, name)]
    voices = [f"{v.display} of {e.recording.public_id}" for e in strange for v in e.voices if not (v.named or v.doubt)]
    return [f"voices without a name were not taken for {name}: {listed(voices, SHOWN)}"] if voices else []


def contradicted(names: Sequence[str], desk: Desk) -> list[str]:
    """Give, as a caveat for each, the people of a question whose voice calls somebody else by their name."""
    shown = {row.recording for row in desk.cited}
    entries = [entry for entry in desk.catalog.recordings if entry.recording.public_id in shown]
    meant = [(entry, voice) for entry in entries for name in names for voice in resolve(entry, name) if voice.named]
    if not meant:
        return []
    with desk.database.reader() as connection:
        found = [one for entry, voice in meant for one in contradictions(connection, entry, voice)]
    told = (f"{IN_DOUBT}{one.name}: “{one.against[0].quote}” ({clock(one.against[0].line.t0)})" for one in found)
    return list(dict.fromkeys(told))


def people(voices: Sequence[Voice], entry: RecordingCatalog, desk: Desk, kind: str) -> list[dict[str, Any]]:
    """Give voices of a recording with talk time in seconds, turns, and an excerpt each."""
    where = entry.recording.public_id
    return [
        {"speaker": voice.display, "label": voice.label, "recording": where, "kind": kind}
        | {"talk_s": voice.talk_ms / 1000, "turns": voice.turns}
        | _excerpt(voice, entry, desk)
        for voice in voices
    ]


def _excerpt(voice: Voice, entry: RecordingCatalog, desk: Desk) -> dict[str, Any]:
    if "transcript" not in entry.streams:
        return {}
    with desk.database.reader() as connection:
        said = first_said(connection, entry.streams["transcript"].id, voice.id, FIRST)
    if not said:
        return {}
    best = max(said, key=lambda row: (len(row.text), -row.t0))
    return {"start": best.t0 / 1000, "end": best.t1 / 1000, "quote": best.text}


def _lines(keywords: list[str], speaker: str | None, desk: Desk, most: int = SHOWN) -> tuple[EvidenceRow, ...]:
    if any(len(keyword) > LONGEST for keyword in keywords):
        return ()
    query = TranscriptQuery(keywords=keywords, speaker=speaker)
    return desk.find(query, Fuse(anchor="transcript_1", limit=most, answer_schema="quote")).rows


def _has_words(desk: Desk) -> bool:
    return any("transcript" in entry.streams for entry in desk.catalog.recordings)
