"""What a question is taken for where no form explains it: the known question that it most likely is.

Words that change what is asked, numbers, lengths and stretches of time must be the known question's as well; else the
question is not understood.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.intents import OUTSIDE, intents
from agent.brains.rules.language import Language
from agent.brains.rules.marks import marks, unexplained
from agent.brains.rules.meaning import Reading, Scene
from agent.brains.rules.ranges import stretch
from agent.brains.rules.reading import read
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import LONGEST_QUESTION, tokens

BOUNDS = ("ORD", "SECOND", "MANYTIMES", "MANYPEOPLE", "MANYSECONDS")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a question is taken for: the reading of a plain wording of it; no reading when it is about no recording."""

    wording: str
    reading: Reading | None


def taken(question: str, scene: Scene, language: Language) -> Taken | None:
    """Take a question that no form explains for the one that it most likely is, or give None."""
    known = intents(language) if len(question) <= LONGEST_QUESTION else None
    likely = known.likeliest(question, scene) if known else None
    if likely is None:
        return None
    asked = tokens(question, scene.roster, scene.sounds, language)
    tags = {token.tag for token in asked}
    if likely.meaning == OUTSIDE:
        return None if tags & {"NAME", "CLOCK", "SOUND"} else Taken("", None)
    reading = read(likely.wording, scene, language)
    if reading is None or ("PRON" in tags and not tags & {"NAME", "WHO"}):
        return None
    if not _bounded_alike(question, likely.wording, scene, language):
        return None
    return None if _more(question, likely.wording, reading, scene, language) else Taken(likely.wording, reading)


def _more(question: str, wording: str, reading: Reading, scene: Scene, language: Language) -> frozenset[str]:
    """Give the marks of a question that neither a plain wording nor its reading has."""
    asked, plain = (marks(text, scene, language) for text in (question, wording))
    return unexplained(asked - plain, reading.fact.features, language)


def _bounded_alike(question: str, wording: str, scene: Scene, language: Language) -> bool:
    """Say whether a question has no other bound, number or stretch of time than a plain wording."""
    ours, theirs = (dict(_bounds(text, scene, language)) for text in (question, wording))
    return all(theirs.get(bound) == value for bound, value in ours.items())


def _bounds(text: str, scene: Scene, language: Language) -> Iterator[tuple[str, Any]]:
    """Give what bounds a question: which one, how many, for how long, in what stretch, and any number in digits."""
    ruled = rewritten(tokens(text, scene.roster, scene.sounds, language), language.rules, language)
    spans = (stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE")
    yield from ((f"RANGE {place}", span) for place, span in enumerate(spans))
    yield from ((token.tag, token.value) for token in ruled if token.tag in BOUNDS)
    yield from ((f"NUM {token.value:g}", True) for token in ruled if token.tag == "NUM" and token.text[0].isdigit())
