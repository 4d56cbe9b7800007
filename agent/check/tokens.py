"""One form of words for document and transcript: what punctuation, case, spelling of numbers and hesitation leave.

Hesitations ("uh") are no words: a quote without them is still verbatim. Apostrophes part a word, so that "I 'll" of an
older transcript is "I'll"; and as a contraction says the very words it stands for, "isn't" is "is not". British and
American spelling are one: nobody speaks either.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.check.numerals import MARK, Raw, combined
from agent.check.words import Words
from store.keywords import normalise

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_PIECE = re.compile(f"[{_UNSPACED}]|(?:[^\\s{_UNSPACED}]|[\u00a0\u202f])+")
_RAW = re.compile(r"\d+(?:[.,' ]\d+)*|(?:[^\W\d_]|[\u0300-\u036f])+|[%$€£¥¢₹]|^&$")
_ANNOTATION = re.compile(r"\{[^{}]{0,80}\}|\[[^\[\]]{0,80}\]|<[^<>]{0,80}>|[♪♫]")
_LONG = 6
_ENDS = tuple('.,;:!?)]}"”»…。，！？、')


@dataclass(frozen=True, slots=True)
class Token:
    """A word in its normal form, with the place of the text it was written in."""

    text: str
    start: int
    end: int


def tokens(text: str, words: Words) -> list[Token]:
    """Give the tokens of a text in order."""
    found = combined(list(_paired(_expanded(_raw(text, words.hesitations), words), words)), words)
    return [Token(_spelling(raw.text, words), raw.start, raw.end) for raw in found]


def spoken(text: str, words: Words) -> list[Token]:
    """Give the tokens of a transcript's text: what it notes in brackets ({pause}, [laughter]) nobody said."""
    if any(mark in text for mark in "{[<♪♫"):
        text = _ANNOTATION.sub(lambda note: " " * len(note[0]), text)
    return tokens(text, words)


def literal(text: str, words: Words) -> str:
    """Give a text's words in a row, numbers as they are written."""
    return " ".join(raw.text for raw in _raw(text, words.hesitations))


def _raw(text: str, hesitations: frozenset[str]) -> Iterator[Raw]:
    """Read words; punctuation ends a number, also where a blank stands before it."""
    last: Raw | None = None
    for piece in _PIECE.finditer(text):
        parts = _parts(piece[0])
        if len(parts) == 1 and parts[0] in hesitations:
            continue
        ends = piece[0].endswith(_ENDS)
        if not parts and last is not None and ends:
            last = replace(last, ends=True)
        for place, part in enumerate(parts):
            if last is not None:
                yield last
            last = Raw(part, piece.start(), piece.end(), ends and place == len(parts) - 1)
    if last is not None:
        yield last


@lru_cache(maxsize=1 << 16)
def _parts(piece: str) -> tuple[str, ...]:
    if not piece.isascii():
        piece = "".join(letter for letter in piece if unicodedata.category(letter) != "Cf")
    return tuple(_RAW.findall(normalise(piece)))


def _expanded(raw: Iterator[Raw], words: Words) -> Iterator[Raw]:
    """Write out contractions: each word of one has the place of the whole."""
    last: Raw | None = None
    for token in raw:
        if last is not None and (long := words.full.get(f"{last.text} {token.text}")):
            *before, final = (Raw(word, last.start, token.end) for word in long)
            yield from before
            last = replace(final, ends=token.ends)
            continue
        if last is not None:
            yield from _long(last, words)
        last = token
    if last is not None:
        yield from _long(last, words)


def _long(token: Raw, words: Words) -> Iterator[Raw]:
    long = words.full.get(token.text)
    yield from (Raw(word, token.start, token.end, token.ends) for word in long) if long else (token,)


def _spelling(text: str, words: Words) -> str:
    """Give one of the ways in which a word is spelt: without accents, which keyboards lack, and as Americans do."""
    if not text.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        text = bare if bare.isascii() else text
    if len(text) >= _LONG and text[0] != MARK:
        for pattern, instead in words.spellings:
            text = pattern.sub(instead, text)
    return words.same.get(text, text)


def _paired(raw: Iterator[Raw], words: Words) -> Iterator[Raw]:
    """Write two words that are one sign ("per cent") as that sign."""
    last: Raw | None = None
    for token in raw:
        if last is not None and (sign := words.pairs.get((last.text, token.text))):
            last = Raw(sign, last.start, token.end, token.ends)
            continue
        if last is not None:
            yield last
        last = token
    if last is not None:
        yield last
