"""The words of rows, each with the time it takes of its row by its length."""

from collections.abc import Sequence
from dataclasses import dataclass

from store.record import Word
from tools.transcript.doubts import plain
from tools.transcript.interview.table import Said
from tools.transcript.scripts import join, unspaced


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it is written and as it is compared (`key`), in the row of this place."""

    key: str
    text: str
    row: int
    t0: int
    t1: int

    @property
    def middle(self) -> int:
        """Half-way through it."""
        return (self.t0 + self.t1) // 2


def pieces(text: str) -> list[str]:
    """Give the words of a text, and the characters of scripts that put no blanks between words."""
    return [piece for word in text.split() for piece in _letters(word)]


def _letters(word: str) -> list[str]:
    found: list[str] = []
    for letter in word:
        if found and not unspaced(letter) and not unspaced(found[-1][0]):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def timed_words(row: Said) -> tuple[Word, ...]:
    """Give the words of a row within its time, by their lengths."""
    texts = pieces(row.text)
    whole = sum(map(len, texts))
    words: list[Word] = []
    done = 0
    for text in texts:
        t0 = row.t0 + (row.t1 - row.t0) * done // whole
        done += len(text)
        t1 = row.t0 + (row.t1 - row.t0) * done // whole
        words.append(Word(t0, max(t0 + 1, t1), text))
    return tuple(words)


def tokens(rows: Sequence[Said]) -> list[Token]:
    """Give the words of rows in order."""
    return [
        Token(plain(word.text) or word.text, word.text, place, word.t0, word.t1)
        for place, row in enumerate(rows)
        for word in timed_words(row)
    ]


def text_of(found: Sequence[Token]) -> str:
    """Write words as one text."""
    return join([token.text for token in found])
