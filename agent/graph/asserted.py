"""What a row asserts: not what it only asks, unless somebody says yes to it, and not what it denies having said."""

import re
from collections.abc import Sequence
from functools import cache

from agent.graph.stems import denial, words_of

_SENTENCE = re.compile(r"(?<=[.!?。！？])[”’\"')]*\s+")


def asserted(texts: Sequence[str]) -> list[str]:
    """Give what remains of each text, in the order in which they were said, without what it does not assert."""
    parts = [(place, part) for place, text in enumerate(texts) for part in sentences_of(text)]
    kept: list[list[str]] = [[] for _ in texts]
    for (place, part), reply in zip(parts, [*(part for _, part in parts[1:]), ""], strict=False):
        if (not asks(part) or _affirms().match(reply)) and not _unsaid().search(part):
            kept[place].append(part)
    return [" ".join(some) for some in kept]


def sentences_of(text: str) -> list[str]:
    """Cut what was said into its sentences."""
    return _SENTENCE.split(text.strip())


def asks(sentence: str) -> bool:
    """Say whether a sentence asks; one that ends in a tag (", isn't it?") asserts."""
    plain = sentence.strip().rstrip("”’\"')")
    if plain.endswith(("?", "？")):
        return not _tag().search(plain)
    return _opens().match(plain) is not None


def reports_asking(sentence: str) -> bool:
    """Say whether a sentence says no more than that something was asked, put forward or not said."""
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", sentence)}
    return bool(words & words_of("asks")) or sentence.rstrip().endswith("?") or _unsaid().search(sentence) is not None


def _any(name: str) -> str:
    words = sorted(words_of(name), key=len, reverse=True)
    return "|".join(re.escape(word).replace("'", "['’]") for word in words)


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"[,.;-]\s*(?:{_any('tags')})\s*\?$", re.IGNORECASE)


@cache
def _opens() -> re.Pattern[str]:
    lead = r"(?:(?:so|and|but|well|okay|um|uh)[,\s]+)*"
    return re.compile(rf"{lead}(?:{_any('openers')})\s+(?:{_any('subjects')})\b", re.IGNORECASE)


@cache
def _affirms() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{_any('affirms')})\b", re.IGNORECASE)


@cache
def _unsaid() -> re.Pattern[str]:
    return re.compile(rf"{denial()}\s+(?:\w+\s+)?(?:{_any('utters')})\b", re.IGNORECASE)
