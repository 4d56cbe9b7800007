"""Words that change what is asked (only, all of them, neither, but, at the same time, exactly): no form may skip them.

They are found in the question as it was asked, before any rule can lose one; what else of a reading says the same
(NEVER says "not") stands for them, and each that is left is a tag like another: a form fits only when it names it.
"""

from collections.abc import Iterable

from agent.brains.rules.language import Language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.tokens import apart

_SHOWN = {"QUOTE": "Q", "NAME": "N"}


def marks(question: str, scene: Scene, language: Language) -> frozenset[str]:
    """Give the marks of a question: its quotes are Q and the names of the roster N, phrases that say nothing go."""
    parts = apart(question, scene.roster, language, True)
    text = "".join(part if isinstance(part, str) else _SHOWN[part.tag] for part in parts)
    for pattern in language.idle:
        text = pattern.sub(" ", text)
    text = " ".join(text.split())
    return frozenset(tag for tag, pattern in language.marks.items() if pattern.search(text))


def unexplained(marked: Iterable[str], features: frozenset[str], language: Language) -> frozenset[str]:
    """Give the marks that nothing else in a reading stands for."""
    said = language.families["said"]
    return frozenset(mark for mark in marked if not features & set(said.get(mark, "").split()))
