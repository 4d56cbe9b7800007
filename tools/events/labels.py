"""What a question's words mean among the labels: names, parts of names, what people say, and all that lies below.

"An alarm" is no telephone to a listener, though AudioSet puts it there; such things are said in words.tsv. Nothing is
guessed: words that name no sound give the empty set.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, reduce
from pathlib import Path

from tools.events.hierarchy import descendants, family, labels
from tools.events.windows import NO_EVENTS

WORDS = Path(__file__).parent / "words.tsv"
_FILLERS = """
    a an the any some somebody someone something people person man woman of from in on at sound noise loud soft
    distant faint playing sounding audible heard going off background human kind
"""
Key = tuple[str, ...]


def resolve(words: str) -> frozenset[str]:
    """Give every label that a person means by these words, with all labels below; empty when they name no sound."""
    return _resolve(_key(words))


def emits() -> frozenset[str]:
    """Give the labels that the default recogniser can report."""
    return frozenset(node.name for node in labels().values() if node.place is not None and node.family not in NO_EVENTS)


def wider(asked: Iterable[str]) -> frozenset[str]:
    """Give what to try when none of these labels was heard: their parents and families, without what was asked."""
    given = frozenset(asked)
    near = frozenset(parent for label in given if label in labels() for parent in labels()[label].parents)
    kin = {node.name for node in labels().values() if node.family in {family(label) for label in given}}
    return (near | kin) & emits() - given


@cache
def _resolve(key: Key) -> frozenset[str]:
    rest = tuple(word for word in key if word not in _fillers())
    if not rest:
        return frozenset()
    for tried in (key, rest):
        if found := _said().get(tried) or _named().get(tried):
            return found | _exactly().get(tried, frozenset())
    each = [_said().get((word,)) or _named().get((word,)) or frozenset() for word in rest]
    return reduce(frozenset.__and__, each) if len(each) > 1 else frozenset()


@cache
def _named() -> dict[Key, frozenset[str]]:
    """Give labels with all below by their names and the parts of them: "Violin, fiddle" is found as either."""
    parts: dict[Key, frozenset[str]] = defaultdict(frozenset)
    for name in labels():
        plain = re.sub(r"\(.*?\)", " ", name)
        for part in {plain, *plain.split(",")} - {" etc."}:
            parts[_key(part)] |= {name}
    return {
        key: frozenset().union(*({name, *descendants(name)} for name in found))
        for key, found in (dict(parts) | _exactly()).items()
    }


@cache
def _exactly() -> dict[Key, frozenset[str]]:
    found: dict[Key, frozenset[str]] = defaultdict(frozenset)
    for name in labels():
        found[_key(name)] |= {name}
    return dict(found)


@cache
def _said() -> dict[Key, frozenset[str]]:
    """Give the labels by the phrases of words.tsv."""
    found: dict[Key, frozenset[str]] = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines()[1:]:
        named, phrases = line.split("\t")
        meant: frozenset[str] = frozenset()
        for label in named.split("; "):
            name = label.lstrip("=-")
            below = frozenset({name}) if label.startswith("=") else descendants(name) | {name}
            meant = meant - below if label.startswith("-") else meant | below
        found |= {_key(phrase): meant for phrase in phrases.split(", ")}
    return found


def _key(words: str) -> Key:
    return tuple(map(_stem, re.findall(r"[^\W_]+", re.sub(r"['’]s?\b", "", words.casefold()))))


@cache
def _fillers() -> frozenset[str]:
    return frozenset(map(_stem, _FILLERS.split()))


def _stem(word: str) -> str:
    """Cut a word's inflection; crude, but both sides of a comparison are cut alike."""
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        word = word[:-1] if word.endswith(("she", "che", "xe", "sse")) else word
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for suffix in ("ing", "ed"):
        bare = word.removesuffix(suffix)
        if bare != word and len(bare) > 2 and re.search("[aeiouy]", bare):
            word = bare[:-1] if bare[-1] == bare[-2] and bare[-1] not in "lsz" else bare
            break
    return word.removesuffix("e") if len(word) > 3 else word
