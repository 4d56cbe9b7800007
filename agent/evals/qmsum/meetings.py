"""QMSum: real meetings with questions and the turns that answer them, as recordings in a real library.

The turns carry no times: each word gets 0.4 s (jittered: 0.2 to 0.6 s, pauses and overlaps between turns), and a turn
is cut at sentence ends into pieces of at most 30 s, as a recogniser would. Marks such as {disfmarker} are left out.
Budgets count MiniLM's WordPiece: the words of a piece one by one, and a speaker's label and a colon once where a turn
or a passage begins. Baseline, oracle and Overheard are filled into a budget by the same function.
"""

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from store.database import Database
from store.keywords import akin, normalise
from store.recordings import Recording
from tools.imports.recording import Given, import_recording

Kind = Literal["Product", "Academic", "Committee"]
Counted = Callable[[str], int]

KINDS: tuple[Kind, ...] = ("Product", "Academic", "Committee")
BUDGETS = (1000, 2000)
SECONDS = 0.4
LONGEST = 75  # words of a piece: 30 s
SHORTEST = 12
WINDOW = 200
_MARK = re.compile(r"\s*\{[^}]*\}")
_WORD = re.compile(r"[a-z0-9']+")
_AUXILIARY = "did|does|do|was|were|is|are|has|have|had|would|could|should"
_BEFORE = rf"\b(?:(?:{_AUXILIARY})(?:n't| not)?|summarize|according to) (?:the )?"
_AFTER = r"(?= \w|'s )"
_STOP = """
a about above all also am an and any are as at be because been being between both but by can could did do does doing for
from get go going got had has have he her hers him his how i if in into is it its just me more most my no nor not of on
one or other our out over own same she should so some such than that the their them then there these they this those to
too under until up very was we were what when where which while who whom why will with would you your
"""


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


class Filled:
    """What fits into a budget of tokens; `tokens` counts a text."""

    def __init__(self, meeting: Meeting, tokens: Counted) -> None:
        self._pieces = meeting.pieces
        self._said = [tokens(piece.text) for piece in meeting.pieces]
        labels = {speaker: tokens(f"{speaker}:") for speaker in meeting.speakers}
        self._label = [labels[piece.speaker] for piece in meeting.pieces]

    def recall(self, order: Sequence[int], gold: Sequence[bool], budget: int) -> float:
        """Give the share of the gold pieces' tokens among those that fit, best first; the last one is cut."""
        kept: dict[int, float] = {}
        left = budget
        for i in order:
            cost = self._said[i] + self._labelled(i, kept)
            if cost > left:
                kept[i] = max(0, left - self._label[i]) / self._said[i]
                break
            kept[i] = 1.0
            left -= cost
        whole = sum(said for said, right in zip(self._said, gold, strict=True) if right)
        return sum(share * self._said[i] for i, share in kept.items() if gold[i]) / whole

    def _labelled(self, i: int, kept: Mapping[int, float]) -> int:
        """Give what the labels cost more with a piece: one where its turn begins here, none where it joins another."""
        before = i - 1 in kept and self._pieces[i - 1].turn == self._pieces[i].turn
        after = i + 1 in kept and self._pieces[i + 1].turn == self._pieces[i].turn
        return self._label[i] * (1 - before - after)


def oracle(gold: Sequence[bool]) -> list[int]:
    """Give the gold pieces in order."""
    return [i for i, right in enumerate(gold) if right]


class Baseline:
    """Plain BM25 (k1 1.5, b 0.75) over windows of whole turns that reach 200 words, each turn with its label."""

    def __init__(self, meeting: Meeting) -> None:
        self._windows = _windows(meeting)
        self._words = [_bag(meeting, window) for window in self._windows]
        self._holding = Counter(word for bag in self._words for word in bag)
        self._mean = sum(map(Counter.total, self._words)) / len(self._words)

    def order(self, question: str) -> list[int]:
        """Give the pieces of the windows, best first."""
        asked = [word for word in _WORD.findall(question.casefold()) if word not in _STOP.split()]
        scores = [self._score(bag, asked) for bag in self._words]
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return [i for window in best for i in self._windows[window]]

    def first(self, question: str) -> list[int]:
        """Give the pieces of the best window."""
        order = self.order(question)
        return next(window for window in self._windows if window[0] == order[0])

    def _score(self, bag: Counter[str], asked: Sequence[str]) -> float:
        norm = 1.5 * (0.25 + 0.75 * bag.total() / self._mean)
        return sum(self._rarity(word) * bag[word] * 2.5 / (bag[word] + norm) for word in asked if bag[word])

    def _rarity(self, word: str) -> float:
        return math.log(1 + (len(self._words) - self._holding[word] + 0.5) / (self._holding[word] + 0.5))


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


def _windows(meeting: Meeting) -> list[list[int]]:
    windows: list[list[int]] = [[]]
    length, turn = 0, -1
    for i, piece in enumerate(meeting.pieces):
        if piece.turn != turn:
            if length >= WINDOW:
                windows.append([])
                length = 0
            length += len(piece.speaker.split())
        windows[-1].append(i)
        length, turn = length + len(piece.text.split()), piece.turn
    return windows


def _bag(meeting: Meeting, window: Sequence[int]) -> Counter[str]:
    bag: Counter[str] = Counter()
    for i in window:
        piece = meeting.pieces[i]
        if i == window[0] or meeting.pieces[i - 1].turn != piece.turn:
            bag.update(_WORD.findall(piece.speaker.casefold()))
        bag.update(_WORD.findall(piece.text.casefold()))
    return bag


@dataclass(frozen=True, slots=True)
class Swap:
    """A question that names one speaker, and the same about another; `hard` when that one uses no word of it."""

    question: str
    speaker: str
    swapped: str
    other: str
    hard: bool


def asked_about(meeting: Meeting, question: str) -> str | None:
    """Give the one label of the meeting that a question names as the person asked about; None when it names others."""
    found = [label for label in meeting.speakers if re.search(_name(label), question, re.IGNORECASE)]
    longest = [label for label in found if not any(label != other and label in other for other in found)]
    if len(longest) != 1 or not re.search(_BEFORE + _name(longest[0]) + _AFTER, question, re.IGNORECASE):
        return None
    return longest[0]


def swaps(meeting: Meeting, content: Callable[[str, str], Sequence[str]], seed: int = 7, most: int = 5) -> list[Swap]:
    """Ask about others what was asked about one: at most five hard swaps and five of the rest a question.

    `content` gives the content words of a question about a person; a word in any form counts as used.
    """
    chance = random.Random(f"{seed} {meeting.name}")
    used = {label: _used(meeting, label) for label in meeting.speakers}
    found: list[Swap] = []
    for question in dict.fromkeys(question.text for question in meeting.questions):
        label = asked_about(meeting, question)
        words = [normalise(word) for word in content(question, label)] if label else []
        if label is None or not words:
            continue
        made = [
            Swap(question, label, re.sub(_name(label), other, question, flags=re.IGNORECASE), other, hard)
            for other in meeting.speakers
            if label not in other and other not in label
            for hard in [not any(akin(word, spoken) for word in words for spoken in used[other])]
        ]
        for hard in (True, False):
            group = [swap for swap in made if swap.hard is hard]
            found += chance.sample(group, min(most, len(group)))
    return found


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    share, z = hits / of, 1.959964
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


def _name(label: str) -> str:
    return rf"(?<!\w){re.escape(label)}(?!\w)"


def _used(meeting: Meeting, label: str) -> frozenset[str]:
    said = " ".join(piece.text for piece in meeting.pieces if piece.speaker == label)
    return frozenset(re.findall(r"\w+", normalise(said)))
