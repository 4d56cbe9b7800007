"""What is no question of a recording: what people say around one, of themselves and to us; and what asks for another.

A part is left out only where the question is else not read, when it speaks of whoever asks or is asked, names nobody or
no time, and says no before or after; and only there words that somebody said are taken for a quote without its marks.
"""

import re

from agent.brains.rules.language import Language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.tokens import LONGEST_QUESTION, tokens

_PARTS = re.compile(r"(?<=[.!?;:,])\s+|\s+[-–—]\s+")
_KEPT = {"NAME", "CLOCK", "QUOTE", "NUM"}


def without_chatter(question: str, scene: Scene, language: Language) -> str:
    """Give a question without the parts of it that are no question; the question itself where all would go."""
    text = re.sub(language.table["chatter"]["lead"], "", question, flags=re.IGNORECASE)
    kept = [part for part in _PARTS.split(text) if not _idle(part, scene, language)]
    return " ".join(kept) if kept else text


def quoting(question: str, language: Language) -> str:
    """Give a question with the words it asks who said in quotes: who said drop it."""
    return re.sub(language.table["chatter"]["quoted"], r"\1 “\2”?", question, flags=re.IGNORECASE)


def outside(question: str, language: Language) -> bool:
    """Say whether a question, without its polite opening, is whole one that asks for something else."""
    if len(question) > LONGEST_QUESTION:
        return False
    plain = re.sub(r"\s+", " ", question.replace("\u2019", "'")).strip(" ?!.,")
    for pattern, written in language.contractions:
        plain = pattern.sub(written, plain)
    scope = language.table["scope"]
    forms = {plain, re.sub(rf"^(?:(?:{scope['opening']})[, ]+)+", "", plain, flags=re.IGNORECASE)}
    return any(re.fullmatch(pattern, form, re.IGNORECASE) for pattern in scope["outside"] for form in forms)


def _idle(part: str, scene: Scene, language: Language) -> bool:
    tags = {token.tag for token in tokens(part, scene.roster, scene.sounds, language)}
    named = tags & (_KEPT | language.families["relation"].keys() - {"WITH", "WHEN"})
    return not named and re.search(language.table["chatter"]["part"], part, re.IGNORECASE) is not None
