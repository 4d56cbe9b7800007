"""How alike two words are: the same letters without accents, the same sound, or a few letters apart.

Alike is never the same: what only resembles what was asked is proposed, or said to be a widening. Sounds are keys of
English (metaphone), which names of other languages written in Latin letters mostly share.
"""

import re
import unicodedata
from functools import lru_cache

_STRIPPED = ("LATIN", "GREEK", "HEBREW", "ARABIC")
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "œ": "oe", "ё": "е"})
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_GLIDE = re.compile("[ae][iy](?=[aeiou])")  # Meyer, Maier, Mayer
_WRITTEN = tuple(
    (re.compile(written), heard)
    for written, heard in (("ph", "f"), ("ck", "k"), ("th", "t"), ("[ae][iy]", "ay"), ("ie?$", "y"), ("y", "i"))
)
SHORTEST = 4


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Give casefolded text without accents; marks that make another letter (が, й, हु) stay."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold()).translate(_LETTERS)
    kept: list[str] = []
    for letter in unicodedata.normalize("NFKD", folded):
        base = kept[-1] if kept else ""
        if unicodedata.category(letter) == "Mn" and base and unicodedata.name(base, "").startswith(_STRIPPED):
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept))


def spellings(text: str) -> frozenset[str]:
    """Give the ways a text may be typed without accents: Müller as muller and as mueller."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return frozenset({plain(folded), plain(folded.translate(_SPELT))})


@lru_cache(maxsize=4096)
def sound(word: str) -> str:
    """Give the key under which words that sound alike are equal; empty where a word has no Latin letters."""
    letters = plain(word)
    if not letters.isascii() or not letters.isalpha():
        return ""
    import jellyfish

    return jellyfish.metaphone(_GLIDE.sub("ay", letters))


def distance(word: str, other: str) -> int:
    """Count the letters to change, add, drop or swap between two words, accents aside."""
    import jellyfish

    return jellyfish.damerau_levenshtein_distance(plain(word), plain(other))


def sounds_like(word: str, other: str) -> bool:
    """Say whether one word may be what a listener wrote down for the other: the same sound, at most two letters off."""
    one, two = plain(word), plain(other)
    short = min(len(one), len(two))
    if short < SHORTEST or abs(len(one) - len(two)) > 2 or one == two or not sound(one) or sound(one) != sound(two):
        return False
    import jellyfish

    return jellyfish.levenshtein_distance(_simple(one), _simple(two)) <= (1 if short < 6 else 2)


def _simple(word: str) -> str:
    """Write what sounds the same with the same letters, so that only other letters count as changed."""
    for written, heard in _WRITTEN:
        word = written.sub(heard, word)
    return word


def resembles(name: str, other: str) -> float:
    """Rate how likely a name was meant as another, 0 where it hardly was: accents, sound, then letters."""
    if spellings(name) & spellings(other):
        return 1.0
    one, two = plain(name), plain(other)
    apart, longest = distance(one, two), max(len(one), len(two))
    close = 1 - apart / longest if longest else 0.0
    if sound(one) and sound(one) == sound(two) and apart <= 3 and min(len(one), len(two)) > 2:
        return max(close, 0.8)
    return close if apart <= max(1, longest // 3) and min(len(one), len(two)) > 2 else 0.0
