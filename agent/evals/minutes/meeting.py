"""The meetings that minutes are written of: a made-up world, or a QMSum meeting of which each word lasts 0.4 s."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from store import recordings, streams
from store.database import Database
from store.record import Segment, Turn
from store.recordings import NewRecording
from store.streams import Source

WORD_MS = 400
_NOTED = re.compile(r"\{[^}]*\}|\[[^\]]*\]")
_HESITATIONS = frozenset({"uh", "um", "hmm", "hm", "mm", "er", "erm"})


@dataclass(frozen=True)
class Meeting:
    """A meeting with what its speakers say, in order of time."""

    name: str
    said: Sequence[Segment]

    @property
    def speakers(self) -> list[str]:
        """Who speaks."""
        return sorted({row.speaker for row in self.said if row.speaker})

    def holds(self, text: str, speaker: str | None = None) -> bool:
        """Say whether words are said in a row, by anybody or by one speaker, by plain search of the text."""
        return self.times(text, speaker) > 0

    def times(self, text: str, speaker: str | None = None) -> int:
        """Count how often words are said in a row."""
        return len(re.findall(f"(?= {re.escape(plain(text))} )", self._texts.get(speaker, "")))

    @cached_property
    def _texts(self) -> dict[str | None, str]:
        """Everything that is said, and what each speaker says, in plain form."""
        texts: dict[str | None, list[str]] = {None: [row.text for row in self.said]}
        for row in self.said:
            texts.setdefault(row.speaker, []).append(row.text)
        return {name: f" {plain(' '.join(said))} " for name, said in texts.items()}


def plain(text: str) -> str:
    """Give the words of a text in small letters, without punctuation, hesitations and what is noted in brackets."""
    words = re.findall(r"[^\W_]+", _NOTED.sub(" ", text.replace("’", "'")).casefold())
    return " ".join(word for word in words if word not in _HESITATIONS)


def of_qmsum(path: Path) -> Meeting:
    """Read one meeting of QMSum."""
    now, said = 0, []
    for turn in json.loads(path.read_text(encoding="utf-8"))["meeting_transcripts"]:
        name = re.sub(r"\s*\(.*", "", turn["speaker"]).strip() or "Nobody"
        length = WORD_MS * len(turn["content"].split())
        if length:
            said.append(Segment(now, now + length, turn["content"], name, language="en"))
        now += length
    return Meeting(path.stem, said)


def published(database: Database, meeting: Meeting) -> str:
    """Store a meeting as a recording of its own and give its id."""
    new = NewRecording(
        hashlib.sha256(meeting.name.encode()).hexdigest(), meeting.name, "import", meeting.said[-1].t1, estimated=True
    )
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        source = Source("minutes", {})
        streams.publish(connection, streams.new_version(connection, recording.id, "transcript", source), meeting.said)
        turns = [Turn(row.t0, row.t1, row.speaker or "") for row in meeting.said]
        streams.publish(connection, streams.new_version(connection, recording.id, "speaker", source), turns)
        streams.finish(connection, recording.id, "en")
    return recording.public_id
