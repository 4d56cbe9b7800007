"""Slips of spelling: an unknown longer word may be one of the lexicon that differs by one letter.

A name or any other word of the language is never one, however like it is ("market", "marked").
"""

import re
from collections.abc import Iterator
from functools import lru_cache, reduce

from agent.brains.rules.language import Language, cuts
from agent.brains.rules.meaning import Scene
from agent.brains.rules.tokens import tokens


def spelt(question: str, scene: Scene, language: Language) -> Iterator[str]:
    """Give a question with its slips as the lexicon has them, then as it is written."""
    asked = tokens(question, scene.roster, scene.sounds, language)
    named = {part for name in (*scene.roster, *map(" ".join, scene.sounds)) for part in name.casefold().split()}
    words = dict.fromkeys(t.text for i, t in enumerate(asked) if t.tag == "WD" or (t.tag, i) == ("CAP", 0))
    near = {word: better for word in words if word.casefold() not in named and (better := nearest(word, language))}
    if near:
        yield re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, near))})(?!\w)", lambda slip: near[slip[0]], question)
    yield question


def nearest(word: str, language: Language) -> str | None:
    """Give the word of the lexicon that an unknown one is misspelt from; None for short ones and where none is."""
    plain = word.casefold()
    near = {known for cut in cuts(plain) for known in language.cuts.get(cut, ()) if _slip(known, plain)}
    if len(plain) < 4 or not near or plain in near or _real(plain, language):
        return None
    return min(near, key=lambda known: (len(known) != len(plain), known[0] != plain[0], -len(known), known))


def _real(word: str, language: Language) -> bool:
    """Say whether all parts of a word are words of the language, in one of its spellings; slips of it are none."""
    table, listed = language.table["spelling"], _listed(language.code)
    other = reduce(lambda text, rule: re.sub(rule[0], rule[1], text), table["variants"], word)
    return word not in table["slips"] and any(listed.issuperset(one.split("-")) for one in (word, other))


def _slip(known: str, written: str) -> bool:
    """Say whether one letter is missing, doubled, changed (in longer words) or has changed places."""
    changed = sum(a != b for a, b in zip(known, written, strict=False))
    if known[0] != written[0] and sorted(known[:2]) != sorted(written[:2]):
        return False
    return len(known) != len(written) or sorted(known) == sorted(written) or (changed == 1 and len(known) > 4)


@lru_cache(maxsize=4)
def _listed(code: str) -> frozenset[str]:
    """List the words of a language (pyspellchecker's), loaded when first asked for."""
    from spellchecker import SpellChecker

    return frozenset(SpellChecker(language=code).word_frequency.dictionary)
