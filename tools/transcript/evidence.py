"""Whether a term was said: decided by what the sound is worth with and without it, never by the hotword alone.

Told a hotword, Whisper writes it also where something only begins like it: 14 of 60 invented names that shared their
first half with the one said were written down. So each text with the term is weighed against the text without it, once
as if nothing had been told and once with the term told. The first must not be much worse, the second must be better.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.transcript.doubts import plain

# Chosen on the 60 names of the tuning part: between the last name that was said (-16.2) and the first that was not
# (-17.8); two of the 37 names that the hotword brings out lie under it. On others: scripts/measure_again.py.
LEAST_UNTOLD = -17.0
LEAST_TOLD = 0.0
_LONGEST = 4
_PLACES = 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """A term, and how well the sound bears it where it fits best.

    untold and told are log-probability ratios in nats: the text with the term against the text without it, before and
    after the recogniser was told the term; both 0 when it is written without being told. written is the text with it,
    by_hotword whether a hotword alone would have brought it there.
    """

    term: str
    untold: float
    told: float
    written: str
    t0: int
    t1: int
    by_hotword: bool = False

    @property
    def heard(self) -> bool:
        """Whether that is enough to say that the term was said."""
        return self.untold >= LEAST_UNTOLD and self.told >= LEAST_TOLD

    @property
    def rank(self) -> tuple[bool, float]:
        """What orders several places of one term."""
        return self.heard, self.untold + self.told


def mentions(text: str, term: str) -> bool:
    """Say whether a text holds a term, whatever the case and punctuation."""
    return f" {plain(term)} " in f" {plain(text)} "


def sound_alikes(words: Sequence[str], term: str) -> list[tuple[int, int]]:
    """Give the stretches of up to four words that sound most like a term, as (first, last + 1), at most two."""
    found = []
    for first in range(len(words)):
        for end in range(first + 1, min(first + _LONGEST, len(words)) + 1):
            found.append((likeness("".join(words[first:end]), term), -first, -end))
    chosen: list[tuple[int, int]] = []
    for _, first, end in sorted(found, reverse=True):
        if len(chosen) < _PLACES and -first not in [other for other, _ in chosen]:
            chosen.append((-first, -end))
    return chosen


def likeness(heard: str, term: str) -> float:
    """Compare spelling and sound, 0 to 1."""
    import jellyfish

    a, b = (plain(text).replace(" ", "") for text in (heard, term))
    spoken, sought = jellyfish.metaphone(a), jellyfish.metaphone(b)
    distance = jellyfish.levenshtein_distance(spoken, sought) / max(len(spoken), len(sought), 1)
    return (jellyfish.jaro_winkler_similarity(a, b) + 1 - float(distance)) / 2
