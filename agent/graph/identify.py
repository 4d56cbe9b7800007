"""What a refusal can point to: mentions of a name, "I'm Anna", voices without a name, what is close in meaning."""

from typing import Any

from agent.graph.state import Desk
from tools.evidence import EvidenceRow
from tools.plan import Fuse
from tools.stream import StreamQuery
from tools.transcript.query import LONGEST, TranscriptQuery

INTRODUCTIONS = (
    "I'm {name}", "I am {name}", "my name is {name}", "my name's {name}", "this is {name}", "{name} here",
    "{name} speaking", "it's {name}", "call me {name}",
)  # fmt: skip
SHOWN = 5
CLOSE = 2


def mentions(name: str, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the first segments in which a name is said."""
    return _lines([name], None, desk)[:SHOWN] if _has_words(desk) else ()


def self_naming(name: str, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the first segments in which somebody introduces themselves by a name."""
    phrases = [phrase.format(name=name) for phrase in INTRODUCTIONS]
    return _lines(phrases, None, desk)[:SHOWN] if _has_words(desk) else ()


def closest(query: StreamQuery, desk: Desk) -> tuple[EvidenceRow, ...]:
    """Give the few segments that are closest in meaning to keywords that were not found, within the same limits."""
    if not desk.semantic or not isinstance(query, TranscriptQuery) or not query.keywords:
        return ()
    meant = query.model_copy(update={"keywords": [], "match": "any", "semantic": " ".join(query.keywords)})
    return desk.find(meant, Fuse(anchor="transcript_1", order="rank", limit=CLOSE, answer_schema="quote")).rows


def unnamed(desk: Desk, most: int = 8) -> list[dict[str, Any]]:
    """Give the voices without a name, longest talk first, each with one excerpt: its longest of the first ones."""
    found = []
    for entry in desk.catalog.recordings:
        for voice in entry.voices:
            if not voice.named and voice.doubt is None:
                known: dict[str, Any] = {"speaker": voice.display, "recording": entry.recording.public_id}
                known |= {"kind": "unnamed", "talk_s": voice.talk_ms / 1000, "turns": voice.turns}
                found.append(known | _excerpt(voice.label, entry.recording.public_id, desk))
    return sorted(found, key=lambda voice: -float(voice["talk_s"]))[:most]


def _excerpt(label: str, recording: str, desk: Desk) -> dict[str, Any]:
    if not _has_words(desk):
        return {}
    rows = [row for row in _lines([], label, desk, most=20) if row.recording == recording]
    if not rows:
        return {}
    best = max(rows, key=lambda row: (len(row.text or ""), -row.t0))
    return {"start": best.t0 / 1000, "end": best.t1 / 1000, "quote": best.text}


def _lines(keywords: list[str], speaker: str | None, desk: Desk, most: int = SHOWN) -> tuple[EvidenceRow, ...]:
    if any(len(keyword) > LONGEST for keyword in keywords):
        return ()
    query = TranscriptQuery(keywords=keywords, speaker=speaker)
    return desk.find(query, Fuse(anchor="transcript_1", limit=most, answer_schema="quote")).rows


def _has_words(desk: Desk) -> bool:
    return all("transcript" in entry.streams for entry in desk.catalog.recordings)
