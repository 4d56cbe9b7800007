"""QMSum: real meetings with questions and the turns that answer them, as recordings in a real library.

The turns carry no times: each word gets 0.4 s (jittered: 0.2 to 0.6 s, pauses and overlaps between turns), and a turn
is cut at sentence ends into pieces of at most 30 s, as a recogniser would. Marks such as {disfmarker} are left out.
"""

import json
import random
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from store.database import Database
from store.recordings import Recording
from tools.imports.recording import Given, import_recording

Kind = Literal["Product", "Academic", "Committee"]

KINDS: tuple[Kind, ...] = ("Product", "Academic", "Committee")
SECONDS = 0.4
LONGEST = 75  # words of a piece: 30 s
SHORTEST = 12
_MARK = re.compile(r"\s*\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns that answer it, as (first, last) indices."""

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one turn, at most 30 s."""

    turn: int
    speaker: str
    text: str


@dataclass(frozen=True)
class Meeting:
    """One meeting: its pieces in order, and its questions."""

    name: str
    pieces: tuple[Piece, ...]
    questions: tuple[Question, ...]

    @property
    def kind(self) -> Kind:
        """ICSI's meetings are academic, AMI's about a product, the others committees of two parliaments."""
        if self.name.startswith("B"):
            return "Academic"
        return "Committee" if self.name.startswith(("covid", "education")) else "Product"

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The labels in the order in which they first speak."""
        return tuple(dict.fromkeys(piece.speaker for piece in self.pieces))

    def gold(self, question: Question) -> list[bool]:
        """Say of each piece whether its turn answers the question."""
        return [any(first <= piece.turn <= last for first, last in question.spans) for piece in self.pieces]


def meetings(folder: Path) -> list[Meeting]:
    """Read the meetings of one split, by name."""
    return [_meeting(path) for path in sorted(folder.glob("*.json"))]


def publish(database: Database, meeting: Meeting, folder: Path, jitter: int | None = None) -> Recording:
    """Import a meeting as `folder`/name.json; `jitter` is a seed. Segment ids follow the order of the pieces."""
    path = folder / f"{meeting.name}.json"
    path.write_text(json.dumps({"segments": _timed(meeting, jitter)}), encoding="utf-8")
    return import_recording(database, Given((("transcript", path),), title=meeting.name, roster="closed")).recording


def _meeting(path: Path) -> Meeting:
    found = json.loads(path.read_text(encoding="utf-8"))
    turns = ((i, turn["speaker"], turn["content"]) for i, turn in enumerate(found["meeting_transcripts"]))
    pieces = tuple(Piece(i, speaker, text) for i, speaker, said in turns for text in _cut(said))
    questions = (
        Question(asked["query"], tuple((int(first), int(last)) for first, last in asked["relevant_text_span"]))
        for asked in found["specific_query_list"]
    )
    return Meeting(path.stem, pieces, tuple(questions))


def _cut(said: str) -> list[str]:
    pieces: list[list[str]] = [[]]
    for word in _MARK.sub(" ", said).split():
        pieces[-1].append(word)
        if len(pieces[-1]) >= LONGEST or (len(pieces[-1]) >= SHORTEST and word[-1] in ".?!"):
            pieces.append([])
    return [" ".join(words) for words in pieces if words]


def _timed(meeting: Meeting, jitter: int | None) -> list[dict[str, object]]:
    chance = random.Random(jitter)
    at, segments, turn = 0.0, list[dict[str, object]](), -1
    for piece in meeting.pieces:
        start = at
        if jitter is not None and piece.turn != turn and turn >= 0:
            start = max(at - 0.3 + chance.expovariate(2), float(str(segments[-1]["start"])) + 0.01)
        pace = SECONDS if jitter is None else chance.uniform(0.2, 0.6)
        at, turn = start + pace * len(piece.text.split()), piece.turn
        segments.append({"start": round(start, 3), "end": round(at, 3), "text": piece.text, "speaker": piece.speaker})
    return segments
