"""Quotation marks of many languages, paired in one pass; a mark that is never closed is said, not guessed.

Straight and single marks open only at a word's beginning and close only at a word's end, so apostrophes and inches
are none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 4_000
_CLOSERS = {
    '"': '"',
    "“": "”",
    "„": "“”",
    "”": "”",
    "«": "»",
    "»": "«",
    "‹": "›",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "＂": "＂",
    "‘": "’",
    "'": "'",
    "‚": "‘’",
}
_OPENERS = re.compile("[" + "".join(_CLOSERS) + "]")
_SINGLE = "'‘‚"
_BEFORE = " \t\n([{:;,—–-/|…\u00a0\u202f"
_CLEAR = "“„«‹「『〝"


@dataclass(frozen=True, slots=True)
class Quote:
    """Quoted words: [start, end) with the marks, [first, last) without; not `closed` when the end was never marked."""

    start: int
    end: int
    first: int
    last: int
    closed: bool = True


def quotes(text: str) -> list[Quote]:
    """Give the outermost quotes of a paragraph in order."""
    return list(_scan(text))


def _scan(text: str) -> Iterator[Quote]:
    place = 0
    while match := _OPENERS.search(text, place):
        start = match.start()
        place = start + 1
        if not _opens(text, start):
            continue
        end = _end(text, start)
        if end is not None:
            inner = text[start + 1 : end]
            if text[start] not in _SINGLE or len(inner.split()) > 1:
                yield Quote(start, end + 1, start + 1, end)
                place = end + 1
        elif text[start] not in _SINGLE:
            rest = _OPENERS.search(text, place)
            while rest and not (text[rest.start()] == text[start] and _opens(text, rest.start())):
                rest = _OPENERS.search(text, rest.end())
            place = min(rest.start() if rest else len(text), start + LONGEST)
            yield Quote(start, place, start + 1, place, closed=False)


def _opens(text: str, place: int) -> bool:
    mark = text[place]
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if not after or (after.isspace() and mark not in "«‹"):
        return False
    if mark in _CLEAR:
        return mark != "“" or not before or not before.isalnum() or ord(before) > 0x2E80
    return not before or before in _BEFORE or (ord(before) > 0x2E80 and mark not in _SINGLE)


def _end(text: str, start: int) -> int | None:
    """Give the place of the mark that closes, None when another opens first or none comes."""
    closers, opener = _CLOSERS[text[start]], text[start]
    limit = min(len(text), start + 2 + LONGEST)
    for place in range(start + 1, limit):
        letter = text[place]
        if letter in closers and (letter not in "\"'’”" or letter not in _CLOSERS or _closes(text, place)):
            return place
        if letter in closers and letter == "’" and _closes(text, place):
            return place
        if letter == opener and _opens(text, place):
            return None
    return None


def _closes(text: str, place: int) -> bool:
    after = text[place + 1 : place + 2]
    if text[place] in "'’" and text[place - 1].isspace():
        return False
    return not after or not after.isalnum() or (ord(after) > 0x2E80 and text[place] != "'")
