"""What a language adds, from a table; a language that has no table of its own is read with the English one."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from store.keywords import normalise

TABLE = Path(__file__).with_name("words.toml")
DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """One language: how speech is attributed, how numbers are said, what is no word; all normalised."""

    verbs: frozenset[str]
    according: tuple[str, ...]
    by: frozenset[str]
    possessed: frozenset[str]
    headings: frozenset[str]
    assents: frozenset[str]
    passives: frozenset[str]
    modals: frozenset[str]
    denials: frozenset[str]
    hedges: frozenset[str]
    hesitations: frozenset[str]
    same: Mapping[str, str]
    full: Mapping[str, tuple[str, ...]]
    spellings: tuple[tuple[re.Pattern[str], str], ...]
    articles: frozenset[str]
    half: frozenset[str]
    ranges: frozenset[str]
    units: Mapping[str, str]
    pairs: Mapping[tuple[str, ...], str]
    numerals: Mapping[str, int]
    closing: Mapping[str, int]
    hundred: frozenset[str]
    scales: Mapping[str, int]
    joins: frozenset[str]
    point: frozenset[str]
    common: frozenset[str]


@cache
def words(language: str | None) -> Words:
    """Give the words of a language (a code such as `en` or `pt-BR`)."""
    code = (language or DEFAULT).casefold()[:2]
    table = _tables()
    row = table[code if code in table else DEFAULT]
    return Words(
        verbs=_set(row["verbs"]),
        according=tuple(row["according"]),
        by=frozenset(row["by"]),
        possessed=frozenset(row["possessed"]),
        headings=_set(row["headings"]),
        assents=_set(row["assents"]),
        passives=_set(row["passives"]),
        modals=_set(row["modals"]),
        denials=_set(row["denials"]),
        hedges=_set(row["hedges"]),
        hesitations=_set(row["hesitations"]),
        same=row["same"],
        full=_written_out(row.get("full", "")),
        spellings=tuple((re.compile(pattern), instead) for pattern, instead in row.get("spellings", ())),
        articles=_set(row["articles"]),
        half=_set(row.get("half", "")),
        ranges=_set(row["ranges"]),
        units=row["units"],
        pairs={tuple(pair.split()): unit for pair, unit in row["pairs"].items()},
        numerals=_fused(_values(row["numerals"]), row.get("fused")),
        closing=_values(row["closing"]),
        hundred=_set(row["hundred"]),
        scales=_values(row["scales"]),
        joins=_set(row["joins"]),
        point=_set(row["point"]),
        common=_set(row["common"]),
    )


@cache
def all_words() -> tuple[Words, ...]:
    """Give the words of every language that has a table: a document need not be in the recording's own."""
    return tuple(words(code) for code in _tables())


def language_of(tokens: list[str]) -> str | None:
    """Give the language whose common words fill a text, None when there are too few of them to say."""
    counts = {code: sum(token in words(code).common for token in tokens) for code in _tables()}
    best = max(counts, key=lambda code: counts[code])
    second = max(count for code, count in counts.items() if code != best)
    return best if counts[best] >= 3 and counts[best] >= 2 * second + 1 else None


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _fused(numerals: Mapping[str, int], join: str | None) -> Mapping[str, int]:
    """Add the numerals that a language writes as one word, units first: dreiundzwanzig."""
    if join is None:
        return numerals
    units = {name: value for name, value in numerals.items() if 0 < value < 10}
    tens = {name: value for name, value in numerals.items() if value >= 20}
    return {**numerals, **{f"{u}{join}{t}": units[u] + tens[t] for u in units for t in tens}}


def _written_out(text: str) -> Mapping[str, tuple[str, ...]]:
    """Read contractions: one word, or two that an apostrophe parted, and the words that they stand for."""
    pairs = (entry.split("=") for entry in text.split())
    return {short.replace("_", " "): tuple(long.split("_")) for short, long in pairs}


def _set(text: str) -> frozenset[str]:
    return frozenset(normalise(text).split())


def _values(text: str) -> Mapping[str, int]:
    pairs = (entry.split("=") for entry in normalise(text).split())
    return {name: int(value) for name, value in pairs}
