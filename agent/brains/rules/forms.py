"""Other forms of an English word, and words that mean the same: what a search is widened by, each step named."""

import re
from collections.abc import Iterable

from agent.brains.rules.language import Language

_VOWELS = "aeiou"


def inflections(word: str) -> tuple[str, ...]:
    """Give the other forms that a word may take (budget, budgets, budgeted, budgeting), likely ones first."""
    plain = word.casefold()
    if not re.fullmatch(r"[a-z]{3,}", plain):
        return ()
    forms = [form for stem in _stems(plain) for form in (stem, *_endings(stem))]
    return tuple(dict.fromkeys(form for form in forms if form != plain and len(form) > 2))


def synonyms(word: str, language: Language) -> tuple[str, ...]:
    """Give the words that the language's table holds to mean the same."""
    plain = word.casefold()
    groups: Iterable[str] = language.table.get("synonyms", [])
    sets = (group.split("|") for group in groups)
    return tuple(dict.fromkeys(other for words in sets if plain in words for other in words if other != plain))


def _stems(word: str) -> list[str]:
    """Give what a word may be a form of; "-ing" stays, since "parking" is not about a park."""
    stems = [word]
    for ending, kept in (("ies", "y"), ("es", "e"), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            stem = word[: -len(ending)] + kept
            stems.append(stem)
            if ending == "ed" and not kept and stem[-1] == stem[-2] and stem[-1] not in "lsz":
                stems.append(stem[:-1])
    if re.search(r"(?:s|x|z|ch|sh|o)es$", word):
        stems.append(word[:-2])
    return list(dict.fromkeys(stems))


def _endings(stem: str) -> list[str]:
    if stem.endswith("y") and stem[-2] not in _VOWELS:
        return [stem[:-1] + "ies", stem[:-1] + "ied", stem + "ing"]
    if stem.endswith("e"):
        return [stem + "s", stem + "d", stem[:-1] + "ing"]
    if re.search(r"(?:s|x|z|ch|sh)$", stem):
        return [stem + "es", stem + "ed", stem + "ing"]
    doubled = [stem + stem[-1] + "ed", stem + stem[-1] + "ing"] if _doubles(stem) else []
    return [stem + "s", *doubled, stem + "ed", stem + "ing"]


def _doubles(stem: str) -> bool:
    return len(stem) <= 5 and bool(re.fullmatch(r".*[^aeiou][aeiou][bdgklmnprt]", stem))
