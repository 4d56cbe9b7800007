"""Slips of spelling: an unknown longer word may be one of the lexicon that differs by one letter, never a name's.

A topic is never changed where it is the only unknown word: then the question is first read as it is written.
"""

import re
from collections.abc import Iterator
from itertools import combinations

from agent.brains.rules.language import Language, cuts
from agent.brains.rules.meaning import Scene
from agent.brains.rules.tokens import tokens

MOST_MISSPELT = 4
LONG = 6


def spelt(question: str, scene: Scene, language: Language) -> Iterator[str]:
    """Give a question with its unknown words as the lexicon has them: most of them, then fewer; one stays as it is."""
    asked = tokens(question, scene.roster, scene.sounds, language)
    named = {part for name in scene.roster for part in name.casefold().split()}
    words = (t.text for i, t in enumerate(asked) if t.tag == "WD" or (t.tag, i) == ("CAP", 0))
    unknown = dict.fromkeys(word for word in words if word.casefold() not in named)
    near = {word: better for word in unknown if (better := nearest(word, language))}
    if len(unknown) == 1 and any(_doubtful(word.casefold(), better) for word, better in near.items()):
        yield question
    for size in range(len(near), 0, -1) if len(near) <= MOST_MISSPELT else ():
        for slips in combinations(near, size):
            yield re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, slips))})(?!\w)", lambda slip: near[slip[0]], question)
    yield question


def nearest(word: str, language: Language) -> str | None:
    """Give the word of the lexicon that an unknown one is misspelt from; None for short ones and where none is."""
    plain = word.casefold()
    found = {known for cut in cuts(plain) for known in language.cuts.get(cut, ())}
    if len(plain) < 4 or plain in found or plain in language.table["spelt"].split():
        return None
    ranked = sorted((_unlike(known, plain), -len(known), known) for known in found)
    return next((known for *_, known in ranked if _slip(known, plain)), None)


def _unlike(known: str, written: str) -> tuple[bool, ...]:
    """Rank slips: letters that should be doubled, letters that changed places, the first of them last."""
    one, other = (re.sub(r"(.)\1", r"\1", word) for word in (known, written))
    return one != other, len(known) != len(written), sorted(known) != sorted(written), known[0] != written[0]


def _doubtful(written: str, known: str) -> bool:
    """Say whether a word may well be meant as it is written: no letters that changed places, short or as long."""
    return sorted(written) != sorted(known) and (len(written) < LONG or len(written) == len(known))


def _slip(known: str, written: str) -> bool:
    """Say whether one letter is missing, doubled, changed (in longer words) or has changed places."""
    changed = sum(a != b for a, b in zip(known, written, strict=False))
    if known[0] != written[0] and sorted(known[:2]) != sorted(written[:2]):
        return False
    return len(known) != len(written) or sorted(known) == sorted(written) or (changed == 1 and len(known) > 4)
