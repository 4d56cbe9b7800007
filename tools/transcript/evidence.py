"""Whether a term was said: decided by what the sound is worth with it, without it, and with words that nobody said.

A hotword proves nothing: told a name, Whisper writes it also where something only begins like it. And a threshold on
the sound alone proves little, because where speech was heard poorly any text is as good as the one written down. So
decoys are put into the very place, and a term was said when it is borne better than all of them, by a margin.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

from tools.transcript.decoys import decoys
from tools.transcript.doubts import plain

# Chosen on the first 18 planted names, 17 absent and 5 ordinary words of the tuning part: what nobody said came to 7.0,
# of the 18 names that the first listen lost 9 lie above 8; then of 27 11, of 36 that nobody said none. The report's
# voices are harder: 5 of 50, none of 51 (scripts/measure_denials.py weigh, ask).
LEAST_GAIN = -22.0
LEAST_BORNE = 2.0
LEAST = 8.0
TOLD = 0.5
"""What it weighs that a term beats decoys once all of them were told, beside that the sound bears it better."""


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

    def decoys(self, place: tuple[int, int]) -> tuple[str, ...]:
        """Give what the term must beat in a place."""
        return decoys(self.term, "".join(self.words[slice(*place)]), self.vocabulary)

    def instead(self, other: str, place: tuple[int, int]) -> str:
        """Give the text with another word in a place."""
        return " ".join((*self.words[: place[0]], other, *self.words[place[1] :]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A term, the place where it fits best, and how well the sound bears it.

    All in nats of log-probability: gain is what the text with the term has more than the text as it was written; borne
    is by how much the sound makes the term likelier than it makes the best decoy, told the same with all of them told
    beforehand. Both are minus infinity when the numbers before them decide, or no decoy could be made.
    """

    term: str
    place: tuple[int, int]
    gain: float
    borne: float = -math.inf
    told: float = -math.inf

    @property
    def likely(self) -> bool:
        """Whether it is worth asking what the term is worth when told."""
        return self.gain >= LEAST_GAIN and self.borne >= LEAST_BORNE

    @property
    def heard(self) -> bool:
        """Whether that is enough to say that the term was said."""
        return self.likely and self.borne + TOLD * self.told >= LEAST


def mentions(text: str, term: str) -> bool:
    """Say whether a text holds a term, whatever the case and punctuation."""
    return f" {plain(term)} " in f" {plain(text)} "
