"""Which known question an unknown wording most likely is: a linear classifier, asked only where no form explains one.

What it finds is a plain wording with the question's own names in it, read like any other question and told to whoever
asked. It is none where it is not sure, where the question names more or less than that wording, or bounds it otherwise.
"""

import json
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp

from agent.brains.rules.language import FOLDER, Language
from agent.brains.rules.masking import PLACE, Masked, masked
from agent.brains.rules.meaning import Scene

WEIGHTS = FOLDER / "weights"
SURE = 0.45  # from 0.4 on, 94 of 99 that no form explains were right, by two writers left out
OUTSIDE = "outside"
LEFT = 0.6  # how much less likely a way to take a question is for each word that names something and has no place in it
PIECES = (3, 4)
LONGEST_PHRASE = 6
IDLE = ("FN",)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question most likely is: a plain wording of its meaning, filled with what it names; "" when outside."""

    meaning: str
    wording: str
    probability: float


def features(words: Sequence[str], language: Language) -> Iterator[str]:
    """Give what a wording is known by: words, pairs and pieces of words, the lexicon's tags, and what it names."""
    yield from words
    yield from _pairs(words, "_")
    for word in filter(str.isalpha, words):
        yield from (f"#{f'<{word}>'[i : i + n]}" for n in PIECES for i in range(len(word) + 3 - n))
    tags = tuple(_tags(words, language))
    yield from (f"tag {tag}" for tag in tags)
    yield from _pairs(tags, " ")
    yield from {f"names {word}" for word in words if PLACE.fullmatch(word)}


def places(found: Iterable[str], size: int) -> list[int]:
    """Give the rows of features in a table of `size` rows."""
    return sorted({zlib.crc32(feature.encode()) % size for feature in found})


@dataclass(frozen=True, eq=False)
class Intents:
    """What was learned of one language: rows of whole numbers of `scale`, a row a feature, one number a meaning."""

    language: Language
    weights: memoryview
    scale: float
    bias: tuple[float, ...]
    meanings: tuple[str, ...]
    known: frozenset[str]
    wordings: Mapping[str, str]

    def likeliest(self, question: str, scene: Scene) -> Intent | None:
        """Give what a question most likely is, or None when nothing is likely enough that names the same things."""
        ways = masked(question, scene, self.language, self.known)
        found = max((self._likeliest(way) for way in ways), default=None, key=lambda one: one.probability)
        return found if found and found.probability >= SURE and found.meaning in (OUTSIDE, *self.wordings) else None

    def _likeliest(self, way: Masked) -> Intent:
        """Give the likeliest meaning of those that name what this way names; the others keep their share."""
        likely, named = self._probabilities(way.words), frozenset(way.slots)
        able = (place for place, names in enumerate(self._named) if names in (None, named))
        at = max(able, key=likely.__getitem__)
        meaning, said = self.meanings[at], sum(map(str.isalpha, way.words))
        wording = PLACE.sub(lambda place: way.slots[place[0]], self.wordings.get(meaning, ""))
        return Intent(meaning, wording, likely[at] * LEFT**way.left if said > (meaning == OUTSIDE) else 0.0)

    def _probabilities(self, words: Sequence[str]) -> list[float]:
        width = len(self.meanings)
        rows = places(features(words, self.language), len(self.weights) // width)
        sums = map(sum, zip(*(self.weights[row * width : (row + 1) * width] for row in rows), strict=True))
        scores = [bias + one * self.scale / len(rows) ** 0.5 for one, bias in zip(sums, self.bias, strict=True)]
        powers = [exp(score - max(scores)) for score in scores]
        return [power / sum(powers) for power in powers]

    @cached_property
    def _named(self) -> list[frozenset[str] | None]:
        """Give the places of each meaning's wording; what has no wording may name anything."""
        found = (self.wordings.get(meaning) for meaning in self.meanings)
        return [None if wording is None else frozenset(PLACE.findall(wording)) for wording in found]


@lru_cache(maxsize=4)
def intents(language: Language) -> Intents | None:
    """Load what was learned of a language; None where nothing was."""
    weights, learned = (WEIGHTS / f"intents.{language.code}.{kind}" for kind in ("int8", "json"))
    if not learned.exists():
        return None
    wordings = tomllib.loads((FOLDER / "intents.toml").read_text(encoding="utf-8"))[language.code]
    table = json.loads(learned.read_text(encoding="utf-8"))
    known = frozenset(table.pop("known").split())
    return Intents(language, memoryview(weights.read_bytes()).cast("b"), known=known, wordings=wordings, **table)


def _pairs(items: Sequence[str], mark: str) -> Iterator[str]:
    """Give the items that stand together, and those with one between them."""
    around = ("^", *items, "$")
    yield from (f"{one}{mark}{two}" for one, two in zip(around, around[1:], strict=False))
    yield from (f"{one}{mark}{mark}{two}" for one, two in zip(around, around[2:], strict=False))


def _tags(words: Sequence[str], language: Language) -> Iterator[str]:
    """Give the tags of the lexicon's longest phrases at each word, without words that mean nothing."""
    at = 0
    while at < len(words):
        sizes = range(min(LONGEST_PHRASE, len(words) - at), 0, -1)
        size = next((n for n in sizes if tuple(words[at : at + n]) in language.lexicon), 0)
        tag = language.lexicon[tuple(words[at : at + size])].tag if size else words[at]
        if tag not in IDLE and (size or PLACE.fullmatch(tag)):
            yield tag
        at += max(size, 1)
