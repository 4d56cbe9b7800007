"""Names in what is said: people say who they are, and call each other; both are read from one table of forms.

Only names written as names count, so a transcript without capitals gives none. A name that somebody is called by is
never that of the voice that says it, and only likely that of who speaks next.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Kind = Literal["own", "called", "thanked"]
_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-Ž]"
_QUOTES = "\"“”«'‘"
_STOPS = "(?=[.,;:!?…]|$)"


@dataclass(frozen=True, slots=True)
class Naming:
    """A name in a text: said of oneself, called to somebody, or thanked for; its place in the text."""

    kind: Kind
    name: str
    start: int
    end: int


def namings(text: str) -> list[Naming]:
    """Give the names in a text by which people say who they are or call each other, in order, each place once."""
    plain = text.replace("’", "'")
    found = {naming.start: naming for kind, pattern in _patterns() for naming in _matches(kind, pattern, plain)}
    own = [naming for naming in found.values() if naming.kind == "own"]
    clear = (n for n in found.values() if n.kind == "own" or not any(o.start < n.end and n.start < o.end for o in own))
    return sorted(clear, key=lambda naming: naming.start)


def introductions(name: str) -> list[str]:
    """Give the phrases by which somebody of this name says who they are."""
    return [form.format(name=name) for key in ("own", "perhaps") for form in _table()[key]]


def _matches(kind: Kind, pattern: re.Pattern[str], text: str) -> Iterator[Naming]:
    for match in pattern.finditer(text):
        name = match["name"].strip()
        words = [word.casefold() for word in re.findall(r"[\w'-]+", name)]
        bare = [word for word in words if word not in _folded("titles")]
        if not bare or not set(bare).isdisjoint(_folded("none")) or max(map(len, bare)) < 2 or _shouted(name):
            continue
        if kind == "own" and _unmeant(text[: match.start()]):
            continue
        yield Naming(kind, name.removesuffix("'s"), match.start("name"), match.end("name"))


def _unmeant(before: str) -> bool:
    words = re.findall(r"[\w'-]+", before[-24:])
    quoted = before.rstrip().endswith(tuple(_QUOTES))
    return quoted or bool(words and words[-1].casefold() in _folded("unmeant") and before.rstrip()[-1:] not in ".,;!?")


def _shouted(name: str) -> bool:
    """Say whether a name is an abbreviation: capitals only."""
    letters = [letter for letter in name if letter.isalpha()]
    return len(letters) > 1 and all(letter.isupper() for letter in letters)


@cache
def _patterns() -> Sequence[tuple[Kind, re.Pattern[str]]]:
    """Give what finds names; where two find one place, the later one has it."""
    table = _table()
    word = rf"{_CAPITAL}[\w-]*(?:'{_CAPITAL}[\w-]+)?"
    title = rf"(?:(?:{'|'.join(table['titles'])})\.?\s+)?"
    more = rf"(?:\s+(?:(?:{'|'.join(table['particles'])})\s+)*{word}){{0,2}}"
    name = rf"(?P<name>{title}{word}{more})(?!['\w])"
    opening = r"(?:^|(?<=[.!?…])\s+|(?<=[,;])\s+(?:and|et)\s+)"
    greeting = f"(?:{'|'.join(map(_said, table['greeting']))})"
    own = []
    for form in table["own"]:
        before, after = (_said(part) for part in form.split("{name}"))
        if before and not after:
            own.append(rf"\b{before}\s+{name}")
        else:
            own.append(rf"\b{before or greeting}[,.!]?\s+{name}\s+{after}\b")
    called, thanked = (rf"\b(?:{'|'.join(map(_said, table[key]))}),?\s+{name}" for key in ("called", "thanked"))
    asked = rf"{opening}{name},\s+(?:{'|'.join(map(_said, table['asked']))})\b"
    return (
        ("called", re.compile(asked)),
        ("called", re.compile(called + _STOPS)),
        ("thanked", re.compile(thanked + _STOPS)),
        *(("own", re.compile(form)) for form in own),
    )


def _said(phrase: str) -> str:
    """Give a pattern of a phrase in any capitals, with any blanks, although names are told by theirs."""
    words = phrase.split()
    return r"\s+".join(rf"(?i:{re.escape(word)})" for word in words)


@cache
def _folded(key: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _table()[key])


@cache
def _table() -> Mapping[str, list[str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
