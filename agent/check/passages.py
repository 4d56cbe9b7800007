"""Which passage of a transcript a sentence is about: the share of its content words, by rarity, in a short stretch.

Words are compared by their first five letters, which inflection mostly leaves alone in any language; names of voices,
numbers and common words do not count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from agent.check.heard import Heard, Ints, stem
from agent.check.numerals import MARK
from agent.check.words import Words

Floats = npt.NDArray[np.float32]
SHORTEST, WIDEST = 24, 90


@dataclass(frozen=True)
class Passages:
    """How well every stretch of a transcript covers a sentence, by the place of the track where the stretch begins."""

    heard: Heard
    coverage: Floats
    width: int
    weights: Mapping[int, float]

    def best(self, voices: frozenset[int] | None = None, places: Ints | None = None) -> tuple[float, int]:
        """Give the best coverage and where: of all, of these voices only, or among these places."""
        if voices is not None:
            places = np.flatnonzero(np.isin(self.heard.voices, list(voices))).astype(np.int32)
            places = places[places >= self.heard.alone]
        if places is not None and not len(places):
            return 0.0, -1
        values = self.coverage if places is None else self.coverage[places]
        at = int(values.argmax()) if len(values) else -1
        return (float(values[at]), at if places is None else int(places[at])) if at >= 0 else (0.0, -1)

    @property
    def words(self) -> int:
        """How many content words the sentence has."""
        return len(self.weights)

    def line(self, place: int) -> list[int]:
        """Give the tokens of the one line in a passage that holds most of the sentence."""
        begin, end = self.near(place)
        of = self.heard.stems[1]
        lines: dict[int, set[int]] = {}
        for at in range(begin, end):
            if (token := int(self.heard.origin[at])) >= 0:
                lines.setdefault(int(self.heard.line_of[token]), set()).add(int(of[at]))
        best = max(lines, key=lambda n: sum(self.weights.get(word, 0.0) for word in lines[n]), default=-1)
        first, last = np.searchsorted(self.heard.line_of, [best, best + 1])
        return list(range(int(first), int(last)))

    def near(self, place: int) -> tuple[int, int]:
        """Give the places [from, to) of a passage, never over a barrier."""
        end = min(len(self.heard.track), place + self.width)
        others = np.flatnonzero(self.heard.begins[place:end] != self.heard.begins[place])
        return place, place + int(others[0]) if len(others) else end


def passages(heard: Heard, sentence: Sequence[str], words: Words, without: frozenset[str]) -> Passages:
    """Hold a sentence's content words against every stretch of a transcript."""
    ids, track = heard.stems
    wanted = {stem(t) for t in sentence if t not in words.common and t not in without and t not in words.verbs}
    wanted = {text for text in wanted if not text.startswith(MARK) and not (len(text) < 3 and text.isascii())}
    width = min(WIDEST, max(SHORTEST, 2 * len(sentence)))
    coverage = np.zeros(len(track), np.float32)
    weights: dict[int, float] = {}
    for n, text in enumerate(sorted(wanted)):
        known = ids.get(text, len(ids) + n)
        places = np.flatnonzero(track == known)
        weights[known] = weight = log(2 + len(heard.line_of) / (1 + len(places)))
        coverage += np.float32(weight) * _covered(heard, places, width)
    return Passages(heard, coverage / np.float32(sum(weights.values()) or 1.0), width, weights)


def _covered(heard: Heard, places: npt.NDArray[np.int64], width: int) -> npt.NDArray[np.bool_]:
    """Say for each place whether the stretch that begins there holds one of these."""
    edges = np.zeros(len(heard.track) + 1, np.int32)
    np.add.at(edges, np.maximum(places - width + 1, heard.begins[places]), 1)
    np.add.at(edges, places + 1, -1)
    return np.cumsum(edges[:-1]) > 0
