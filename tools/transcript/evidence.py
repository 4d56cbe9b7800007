"""Whether a term was said: decided by what the sound is worth with it, without it, and with words that nobody said.

A hotword proves nothing: told a name, Whisper writes it also where something only begins like it. And a threshold on
the sound alone proves little, because where speech was heard poorly any text is as good as the one written down. So
decoys are put into the very place, and what speaks for a term must speak for it more than for any of them.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tools.transcript.decoys import decoys
from tools.transcript.doubts import plain
from tools.transcript.likeness import likeness

LENGTHS = (0.5, 1.6)
"""How short and how long, in lengths of a term, what was written down for it may be."""
LONGEST = 4
"""In how many words at most."""
CLIPPED = {
    "gain": (-30.0, 10.0),
    "worth": (-20.0, 30.0),
    "borne": (-10.0, 10.0),
    "alike": (0.0, 1.0),
    "told": (0.0, 1.0),
}
"""Beyond what no more of a kind of evidence counts."""
GLANCE = 0.015
"""What a nat of gain or worth counts beside how much what was written sounds like a term, before anything is weighed:
of 37 names of the tuning part that lie in what is heard, 24 promise most by it, 32 are among the first six.
"""
BASE = -6.55
WEIGHTS = {"borne": 0.31, "alike": 6.38, "told": 2.35}
"""Chosen by scripts/choose_evidence.py on 160 made-up names in noise of the tuning parts and 95 that nobody says: where
a name is said it scores above 0 for 80, of the 95 one does, whose beginning is said; of 12 ordinary words none came
nearer than -1.7. Gain, worth and spelt add nothing to these three, nor does telling the term and its decoys again.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A term, the words written where it may have been said, and the places among them (first, last + 1).

    vocabulary are the recording's words, of which decoys are made.
    """

    term: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    vocabulary: Collection[str] = ()
    language: str | None = None

    @property
    def text(self) -> str:
        """The words as one text."""
        return " ".join(self.words)

    def written(self, place: tuple[int, int]) -> str:
        """Give what was written in a place, without blanks."""
        return "".join(self.words[slice(*place)])

    def decoys(self, place: tuple[int, int]) -> tuple[str, ...]:
        """Give what the term must beat in a place."""
        return decoys(self.term, self.written(place), self.vocabulary)

    def instead(self, other: str, place: tuple[int, int]) -> str:
        """Give the text with another word in a place."""
        return " ".join((*self.words[: place[0]], other, *self.words[place[1] :]))

    def told(self, texts: Sequence[str], place: tuple[int, int]) -> float:
        """Give the share of texts that hold the term, and beside it a word that was written around a place."""
        around = {plain(word) for word in (*self.words[: place[0]], *self.words[place[1] :])}
        kept = [text for text in texts if mentions(text, self.term) and around & {plain(w) for w in text.split()}]
        return len(kept) / max(1, len(texts))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A term, the place where it fits best, and what speaks for it there.

    In nats of log-probability: gain is what the text with the term has more than the text as it was written, worth the
    same less what both are worth in silence, borne by how much the sound makes the term likelier than it makes the best
    decoy. In likeness to the term, 0 to 1: spelt of what was written, alike of the likest of what else may be heard
    there. told is the share of what is written, once the term and all decoys were told, that holds the term. What was
    but glanced at has no more than gain, worth and spelt.
    """

    term: str
    place: tuple[int, int]
    gain: float = -math.inf
    worth: float = -math.inf
    spelt: float = 0.0
    borne: float = -math.inf
    alike: float = 0.0
    told: float = 0.0

    @property
    def promise(self) -> float:
        """How likely it is worth weighing, from a glance alone."""
        return self.spelt + GLANCE * (self._clipped("gain") + self._clipped("worth"))

    @property
    def score(self) -> float:
        """The log-odds that it was said, 0 where it is as much as is asked for."""
        if self.borne == -math.inf:
            return -math.inf
        return BASE + sum(weight * self._clipped(name) for name, weight in WEIGHTS.items())

    @property
    def heard(self) -> bool:
        """Whether that is enough to say that the term was said."""
        return self.score >= 0

    def _clipped(self, name: str) -> float:
        low, high = CLIPPED[name]
        return min(max(float(getattr(self, name)), low), high)


def alike(texts: Iterable[str], term: str) -> float:
    """Give how much the likest stretch of a few words of any text sounds like a term, 0 to 1."""
    least, most = (share * len(plain(term).replace(" ", "")) for share in LENGTHS)
    stretches = {stretch for text in texts for stretch in _stretches(text) if least <= len(stretch) <= most}
    return max((likeness(stretch, term) for stretch in stretches), default=0.0)


def _stretches(text: str) -> Iterator[str]:
    words = re.findall(r"[^\W_]+", plain(text))
    for first in range(len(words)):
        for end in range(first + 1, min(first + LONGEST, len(words)) + 1):
            yield "".join(words[first:end])


def mentions(text: str, term: str) -> bool:
    """Say whether a text holds a term, whatever the case and punctuation."""
    return f" {plain(term)} " in f" {plain(text)} "
