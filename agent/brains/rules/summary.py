"""An extractive summary: the rows that tell most for their length, in time order, each one that can be played.

A word tells more the fewer rows hold it, and more still where it names something or is a figure. Each pick lowers the
weight of its words; a voice that has not spoken yet, and a part of the stretch that nothing is taken from yet, are
preferred, so that the summary covers topics, people and the whole stretch.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.brains.rules.language import Language
from tools.evidence import EvidenceRow

SHORTEST_WORDS = 3
SHORT = 4  # so many words are added to a row's length, since two rare words are not yet a statement
NAMING = 1.5
NEW_VOICE, NEW_PART = 1.15, 1.15
REPEATED = 0.3
SECONDS_A_ROW, FEWEST, MOST = 25, 4, 10


def central(rows: Sequence[EvidenceRow], language: Language, most: int | None = None) -> tuple[int, ...]:
    """Give the indices of the rows that tell most of the whole, in time order; longer stretches give more rows."""
    held = [_words(row.text or "", language) for row in rows]
    able = [i for i, words in enumerate(held) if len(words) >= SHORTEST_WORDS] or list(range(len(rows)))
    number = min(most or _number(rows), max(1, len(rows) // 2))
    picks = _Picks(rows, held, _weights(rows, held), number)
    while able and len(picks.chosen) < number:
        best = max(able, key=lambda i: (picks.worth(i), -i))
        picks.take(best)
        able.remove(best)
    return tuple(sorted(picks.chosen, key=lambda i: (rows[i].recording, rows[i].t0, i)))


@dataclass
class _Picks:
    """What is chosen so far, and what each row would add to it."""

    rows: Sequence[EvidenceRow]
    held: Sequence[Sequence[str]]
    weight: dict[str, float]
    number: int
    chosen: list[int] = field(default_factory=list)
    voices: set[str | None] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)

    def worth(self, index: int) -> float:
        """Say how much a row tells for its length."""
        # Rounded once, so that no order of the words, which differs by process, breaks a tie.
        told = math.fsum(self.weight[word] for word in set(self.held[index])) / (len(self.held[index]) + SHORT)
        told *= 1 if self.rows[index].speaker in self.voices else NEW_VOICE
        return told * (1 if self._part(index) in self.parts else NEW_PART)

    def take(self, index: int) -> None:
        """Choose a row; its words tell little more from now on."""
        self.chosen.append(index)
        self.voices.add(self.rows[index].speaker)
        self.parts.add(self._part(index))
        for word in set(self.held[index]):
            self.weight[word] *= REPEATED

    def _part(self, index: int) -> int:
        """Give in which of so many equal parts of all rows a row lies."""
        return index * self.number // len(self.rows)


def _weights(rows: Sequence[EvidenceRow], held: Sequence[Sequence[str]]) -> dict[str, float]:
    """Give each word a weight that falls with how many rows hold it."""
    naming = {word for row in rows for word in _naming(row.text or "")}
    frequency = Counter(word for words in held for word in set(words))
    rare = {word: math.log((len(rows) + 1) / (count + 0.5)) for word, count in frequency.items()}
    return {word: value * (NAMING if word in naming else 1) for word, value in rare.items()}


def _number(rows: Sequence[EvidenceRow]) -> int:
    seconds = sum(row.t1 - row.t0 for row in rows) / 1000
    return max(FEWEST, min(MOST, round(seconds / SECONDS_A_ROW)))


def _naming(text: str) -> Iterator[str]:
    """Give the words that name something or are figures: with a capital inside a sentence, or a digit."""
    for found in re.finditer(r"[\w'%]+", text):
        before = text[: found.start()].rstrip(" \"'“”«»()–-")
        begins = not before or before[-1] in ".?!…:"
        if re.search(r"\d", found[0]) or (found[0][0].isupper() and not begins):
            yield found[0].casefold()


def _words(text: str, language: Language) -> list[str]:
    return [word for word in re.findall(r"[\w'%]+", text.casefold()) if word not in language.stop]
