"""Questions about one speaker asked about another, who may have said nothing of it: what must be refused."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.evals.qmsum.meetings import Meeting
from store.keywords import akin, normalise

_AUXILIARY = "did|does|do|was|were|is|are|has|have|had|would|could|should"
_BEFORE = rf"\b(?:(?:{_AUXILIARY})(?:n't| not)?|summarize|according to) (?:the )?"
_AFTER = r"(?= \w|'s )"


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


def _name(label: str) -> str:
    return rf"(?<!\w){re.escape(label)}(?!\w)"


def _used(meeting: Meeting, label: str) -> frozenset[str]:
    said = " ".join(piece.text for piece in meeting.pieces if piece.speaker == label)
    return frozenset(re.findall(r"\w+", normalise(said)))
