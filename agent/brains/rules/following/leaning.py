"""What a question of a conversation most likely means after the one before it: a log-linear classifier.

A meaning is a plain wording's key, or that the question stands alone. Its score is the sum of those of what it is made
of and of what it keeps of the question before, so that what is seldom asked is learned from what is like it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from agent.brains.rules.intents import WEIGHTS, features, places
from agent.brains.rules.language import Language

ALONE, SAME = "alone", "same"
KEEP, DROP, TURN, SAY = STRETCHES = ("keeps the stretch", "drops the stretch", "turns the stretch", "says a stretch")
_BY_TWO = 2
DOUBT = 2.0  # so much less a question that is not understood as it stands is taken to stand alone


@dataclass(frozen=True, slots=True)
class Leaning:
    """A question as it is weighed: its words, the key of the one before, the kinds that are new, whether it is read as
    it stands and says a stretch of time, how many words that may name something do not.

    What the question before named has the places {S}, {X}, {E}; who or what is new {S2}, {X2}, {E2}.
    """

    words: tuple[str, ...]
    before: str
    new: tuple[str, ...] = ()
    reads: bool = False
    says: bool = False
    left: int = 0

    def features(self, language: Language) -> Iterator[str]:
        """Give what a meaning is known by."""
        asked, manner, slots = pieces(self.before)
        new = self.new or ("-",)
        yield from features(self.words, language)
        yield from (f"new {one}" for one in new)
        yield from (f"new {one} was {was}" for one in new for was in (asked, slots))
        yield from (f"was {one}" for one in (asked, manner, slots, self.before))
        yield from (f"reads {self.reads}", f"reads {self.reads} new {bool(self.new)}", "any")
        yield from (f"says {self.says}", f"was {asked} new {new} says {self.says}")
        yield from (f"left {place}" for place in range(self.left))
        yield f"long {min(len(self.words), 12) // _BY_TWO}"


def pieces(key: str) -> tuple[str, str, str]:
    """Give what a key asks, how it asks, and of which places."""
    asked, *rest = key.split() or [""]
    return asked, " ".join(filter(str.islower, rest)), " ".join(sorted({p[0] for p in rest if p.isupper()}))


def columns(key: str, before: str) -> list[str]:
    """Give what a meaning is made of, and what it keeps and leaves of the question before."""
    if key == ALONE:
        return [key]
    (asked, manner, slots), (asked0, manner0, slots0) = pieces(before if key == SAME else key), pieces(before)
    made = [] if key == SAME else [*dict.fromkeys(key.split()), f"{asked} {manner}", f"all {key}"]
    kept = {"ask": asked == asked0, "manner": manner == manner0, "slots": slots == slots0, SAME: key in (SAME, before)}
    lost = [f"leaves {one}" for one in slots0.split() if one not in slots]
    return [*made, *(f"keeps {name}" for name, is_kept in kept.items() if is_kept), *lost]


@dataclass(frozen=True, eq=False)
class Leanings:
    """What was learned of one language: rows of whole numbers of `scale`, a row a feature, one number a column."""

    language: Language
    weights: memoryview
    scale: float
    columns: Mapping[str, int]
    known: frozenset[str]

    def likeliest(self, able: Sequence[tuple[Leaning, Sequence[str]]]) -> tuple[float, int, str]:
        """Give how likely the likeliest meaning is, the place of its way to take a question, and its key."""
        found = [
            (
                sum(scores[self.columns[c]] for c in columns(key, asked.before) if c in self.columns)
                - DOUBT * (key == ALONE and not asked.reads),
                place,
                key,
            )
            for place, (asked, keys) in enumerate(able)
            for scores in [self._scores(asked)]
            for key in keys
        ]
        best = max(found, default=None)
        if best is None:
            return 0.0, 0, ALONE
        alike = (one for one, _, key in found if key == best[2])
        return sum(map(exp, (one - best[0] for one in alike))) / sum(exp(one - best[0]) for one, *_ in found), *best[1:]

    def becomes(self, asked: Leaning, able: Sequence[str]) -> str:
        """Say what likeliest becomes of the stretch of time that the question before asked about."""
        scores = self._scores(asked)
        return max(able, key=lambda one: scores[self.columns[one]])

    def _scores(self, asked: Leaning) -> list[float]:
        """Give the scores of all columns for a question."""
        width = len(self.columns)
        rows = places(asked.features(self.language), len(self.weights) // width)
        sums = map(sum, zip(*(self.weights[row * width : (row + 1) * width] for row in rows), strict=True))
        return [one * self.scale / len(rows) ** 0.5 for one in sums]


@lru_cache(maxsize=4)
def leanings(language: Language) -> Leanings | None:
    """Load what was learned of a language; None where nothing was."""
    weights, learned = (WEIGHTS / f"followups.{language.code}.{kind}" for kind in ("int8", "json"))
    if not learned.exists():
        return None
    table = json.loads(learned.read_text(encoding="utf-8"))
    numbered = {column: place for place, column in enumerate(table["columns"])}
    known = frozenset(table["known"].split())
    return Leanings(language, memoryview(weights.read_bytes()).cast("b"), table["scale"], numbered, known)
