"""How much a stretch of written words sounds like a term, by its letters alone, so that any alphabet will do.

Letters that are easily misheard for one another cost less than others, vowels and breaths less than consonants, and a
doubled letter next to nothing. A term may have been written as several words: blanks do not count.
"""

from collections.abc import Sequence
from functools import lru_cache

from tools.transcript.doubts import plain

_VOWELS = frozenset("aeiouy")
_SOFT = _VOWELS | frozenset("hw")
_MISHEARD = ("bp", "dt", "gkcqx", "vf", "szcx", "mn", "lr", "jgz", "wv", "fp", "bv", "dn", "sh", "hk")
_NEAR = frozenset((a, b) for group in _MISHEARD for a in group for b in group)
_SPELT = (("tch", "ch"), ("sch", "sh"), ("ck", "k"), ("ph", "f"), ("qu", "kw"), ("gh", "g"), ("wh", "w"))
_DROPPED, _DROPPED_SOFT, _DOUBLED = 0.8, 0.45, 0.1


def likeness(heard: str, term: str) -> float:
    """Compare two texts without their blanks, 1 when they are spelt alike, about 0 when nothing of them is."""
    a, b = _spelt(heard), _spelt(term)
    return 1 - _distance(a, b) / (_DROPPED * max(len(a), len(b), 1))


@lru_cache(maxsize=16_384)
def _spelt(text: str) -> str:
    letters = plain(text).replace(" ", "")
    for written, sounds in _SPELT:
        letters = letters.replace(written, sounds)
    return letters


def _distance(a: str, b: str) -> float:
    dropped = _costs(b)
    row = [0.0]
    for cost in dropped:
        row.append(row[-1] + cost)
    for x, cost in zip(a, _costs(a), strict=True):
        above, row = row, [row[0] + cost]
        for j, y in enumerate(b):
            row.append(min(above[j] + _instead(x, y), above[j + 1] + cost, row[j] + dropped[j]))
    return row[-1]


def _costs(letters: Sequence[str]) -> list[float]:
    """Give what it costs to drop each letter."""
    before = [None, *letters]
    return [
        _DOUBLED if x == last else _DROPPED_SOFT if x in _SOFT else _DROPPED
        for x, last in zip(letters, before, strict=False)
    ]


def _instead(x: str, y: str) -> float:
    """Give what it costs that one letter was written for another."""
    if x == y:
        return 0.0
    if x in _VOWELS or y in _VOWELS:
        return 0.35 if x in _VOWELS and y in _VOWELS else 1.0
    return 0.5 if (x, y) in _NEAR else 0.9
