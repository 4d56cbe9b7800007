"""Whether a word is one of the language, by a list of words (pyspellchecker's) that is loaded when it is asked for."""

import re
from functools import lru_cache, reduce

from agent.brains.rules.language import Language


def real(word: str, language: Language) -> bool:
    """Say whether all parts of a word are words of the language, in one of its spellings; slips of it are none."""
    table, listed = language.table["spelling"], _listed(language.code)
    other = reduce(lambda text, rule: re.sub(rule[0], rule[1], text), table["variants"], word)
    return word not in table["slips"] and any(listed.issuperset(one.split("-")) for one in (word, other))


@lru_cache(maxsize=4)
def _listed(code: str) -> frozenset[str]:
    from spellchecker import SpellChecker

    return frozenset(SpellChecker(language=code).word_frequency.dictionary)
