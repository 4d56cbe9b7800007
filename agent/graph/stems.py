"""Words as they are compared: stems of what carries content, clauses, and whether a clause says no.

Stems are cut, not looked up: they serve to see whether a sentence and a row speak of the same, in any language.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path

from agent.brains.rules.language import language
from store.keywords import normalise

TABLE = Path(__file__).with_name("stems.toml")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_QUOTE = re.compile("“[^”]*”")
_ENDINGS = ("ingly", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "e", "s", "y")
_CLOSE = 0.5


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """Give the stems of a text's content words: no stop words, no words of reporting; CJK characters one by one."""
    return frozenset(_ordered(text))


def share(words: frozenset[str], texts: Sequence[str]) -> float:
    """Give the share of these stems that any of the texts holds; 0 for none."""
    held = frozenset[str]().union(*map(stems, texts))
    return len(words & held) / len(words) if words else 0.0


def enough(words: frozenset[str], texts: Sequence[str]) -> bool:
    """Say whether texts hold enough of these stems: one of two, two of seven, one more for each further five."""
    held = share(words, texts) * len(words)
    return round(held) >= min(len(words), (len(words) + 7) // 5)


def differs(sentence: str, texts: Sequence[str], names: frozenset[str] = frozenset()) -> bool:
    """Say whether a clause that is nearly a text's own has another polarity, or one other word; names do not count."""
    theirs = [clause for text in texts for clause in clauses(text)]
    return any(_other(clause, theirs, names) for clause in clauses(sentence))


@cache
def denial() -> str:
    """Give the pattern of a word that denies."""
    return rf"(?:\b(?:{'|'.join(sorted(words_of('denials')))})\b|\b\w+n['’]t\b)"


@cache
def words_of(name: str) -> frozenset[str]:
    """Give a list of the table, such as `reporting` or `denials`."""
    written: str = tomllib.loads(TABLE.read_text(encoding="utf-8"))[name]
    return frozenset(word.replace("_", " ") for word in written.split())


def _ordered(text: str) -> list[str]:
    stop = language().stop | words_of("reporting") | words_of("denials")
    words = (re.sub(r"['’]s$", "", word) for word in WORD.findall(normalise(text)))
    return [_stem(word) for word in words if word not in stop and (len(word) > 1 or word > "\u2e80")]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return (word[:-1] if len(word) > 3 and word[-1] == word[-2] else word)[:7]


def _other(clause: str, theirs: Sequence[str], names: frozenset[str]) -> bool:
    mine = [stem for stem in _ordered(clause) if stem not in names]
    if len(mine) < 2:
        return False
    common = {other: len(set(mine) & stems(other)) for other in theirs}
    least = max(_CLOSE * len(set(mine)), max(common.values(), default=0))
    near = [other for other, words in common.items() if words >= least]
    return bool(near) and all(_denies(clause) != _denies(o) or _replaced(mine, o, names) for o in near)


def _denies(clause: str) -> bool:
    words = [word.casefold() for word in WORD.findall(clause)]
    return len([word for word in words if word in words_of("denials") or word.endswith(("n't", "n’t"))]) % 2 == 1


def _replaced(mine: list[str], text: str, names: frozenset[str]) -> bool:
    theirs = [stem for stem in _ordered(text) if stem not in names]
    other = [(a, b) for a, b in zip(mine, theirs, strict=False) if a != b]
    return len(mine) == len(theirs) and len(other) == 1 and not _same(*other[0])


def _same(word: str, other: str) -> bool:
    """Say whether two stems are of words that the language's table holds to mean the same."""
    groups: Iterable[str] = language().table.get("synonyms", [])
    return any({word, other} <= stems(group.replace("|", " ")) for group in groups)


@lru_cache(maxsize=8192)
def clauses(text: str) -> tuple[str, ...]:
    """Give the clauses of a text, without what it quotes."""
    return tuple(part.strip() for part in _clause().split(_QUOTE.sub(" ", text)) if part.strip())


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(rf"[,;:.!?]+|\b(?:{'|'.join(sorted(words_of('joints')))})\b", re.IGNORECASE)
