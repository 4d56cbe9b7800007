"""Other forms of an English word, and words that mean the same: what a search is widened by, each step named.

Endings are rules; what no ending tells (children, went, decision, colour, website) is a table. A word with a capital
may be a name and takes no form of the table.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from agent.brains.rules.language import Language

TABLE = Path(__file__).with_name("forms.en.toml")
_VOWELS = "aeiou"
_ISE = re.compile(r"(\w{3,}?)(?:is|iz)(?:e|es|ed|ing|er|ers|ation|ations)")
_ISE_ENDINGS = ("e", "es", "ed", "ing", "ation", "ations")


@lru_cache(maxsize=4096)
def inflections(word: str) -> tuple[str, ...]:
    """Give the other forms that a word may take (budget, budgets, budgeted, budgeting), likely ones first."""
    plain = word.casefold()
    if not re.fullmatch(r"[a-z]{3,}", plain) and plain not in _groups():
        return () if word[:1].isupper() else _apart(plain)
    stems = _stems(plain)
    forms = [form for stem in stems for form in (stem, *_endings(stem))]
    if not word[:1].isupper():
        listed = [form for stem in (*stems, *_verbs(plain)) for form in _listed(stem)]
        forms = [*listed, *forms, *_respelt(plain), *_apart(plain)]
    return tuple(dict.fromkeys(form for form in forms if form != plain and (len(form) > 2 or form in _groups())))


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


@cache
def _table() -> Mapping[str, str]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def _groups() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Give by word the groups of words that are forms of one, the plain word first."""
    table = _table()
    groups = [line.split() for name in ("irregular", "derived", "spelt") for line in table[name].split("\n") if line]
    groups += [[verb, f"{verb.removesuffix('e')}ion"] for verb in table["ion"].split()]
    groups += [[verb, f"{verb}ment"] for verb in table["ment"].split()]
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for group in map(tuple, groups):
        found |= {word: (*found.get(word, ()), group) for word in group}
    return found


def _listed(word: str) -> list[str]:
    """Give the words of the table's groups that hold a word, each with its endings but for irregular ones."""
    irregular = set(_table()["irregular"].split())
    groups = _groups().get(word, ())
    forms = [form for group in groups for form in group]
    return [*forms, *(end for form in forms if form not in irregular and len(form) > 2 for end in _endings(form))]


def _verbs(word: str) -> list[str]:
    """Give the verbs with a noun of the table that a word in "-ing" may be of; a meeting is not whoever met."""
    stem = word.removesuffix("ing")
    irregular = _table()["irregular"].split()
    found = [] if stem == word else [verb for verb in (stem, f"{stem}e", stem[:-1]) if verb in _groups()]
    return [verb for verb in found if verb not in irregular]


def _respelt(word: str) -> list[str]:
    """Give a word in "-ise" or "-ize" in both spellings, and the noun of it."""
    match = _ISE.fullmatch(word)
    fixed = _table()["fixed"].split()
    if match is None or any(f"{match[1]}{part}e" in fixed for part in ("is", "iz")):
        return []
    return [f"{match[1]}{part}{ending}" for ending in _ISE_ENDINGS for part in ("is", "iz")]


def _apart(word: str) -> tuple[str, ...]:
    """Give a compound as it may be written: together, with a hyphen, or apart."""
    parts = re.split("[- ]", word)
    if len(parts) == 2 and all(re.fullmatch("[a-z]+", part) for part in parts):
        another = parts[0] == "re" and parts[1][0] not in _VOWELS  # to re-sign is not to resign
        ways = ("-".join(parts), " ".join(parts)) if another else ("".join(parts), "-".join(parts), " ".join(parts))
        return tuple(way for way in ways if way != word)
    compounds = {compound.replace("-", ""): compound for compound in _table()["compounds"].split()}
    stem = next((stem for stem in (word, word.removesuffix("s")) if stem in compounds), None)
    if stem is not None:
        written = compounds[stem] + word.removeprefix(stem)
        return written, written.replace("-", " ")
    return tuple(
        f"{prefix}-{word.removeprefix(prefix)}"
        for prefix in _table()["prefixes"].split()
        if word.startswith(prefix) and len(word) - len(prefix) > 3 and (len(prefix) > 2 or word[len(prefix)] in _VOWELS)
    )
