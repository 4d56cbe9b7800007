"""A question's words for a search, where no family fits: without politeness and times."""

from functools import reduce

from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.ranges import Stretch, stretch
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import UNKNOWN, tokens

LONGEST_QUESTION = 600
MOST_WORDS = 64


def plain(text: str, scene: Scene, language: Language) -> tuple[tuple[Token, ...], Stretch]:
    """Give what is left of a text without politeness and times, as tokens, and the stretch that it names."""
    asked = tokens(text, scene.roster, scene.sounds, language)
    short = len(text) <= LONGEST_QUESTION and len(asked) <= MOST_WORDS
    ruled = rewritten(asked, language.rules, language) if short else asked
    spans = (stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE")
    return tuple(t for t in ruled if t.tag != "RANGE"), reduce(Stretch.within, filter(None, spans), Stretch())


def unknown(text: str, scene: Scene, language: Language) -> int:
    """Count the words of a question that a language does not know."""
    return sum(token.tag in UNKNOWN for token in tokens(text, scene.roster, scene.sounds, language))
