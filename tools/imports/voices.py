"""Voices inside a cue's text: WebVTT's `<v Name>`, and the `Name: text` that Zoom and many others write.

`Name:` is only read where the whole file writes so, because sentences begin with a word and a colon too.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence

from tools.sanitize import one_line

SHARE = 0.25  # of a file's cues that must begin with a name, before any is taken for one
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?(?:[ \t]+([^>]*))?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:c|i|b|u|s|v|ruby|rt|lang|font)(?:[.\s][^>]*)?>|<\d[\d:.]*>|\{\\[^}]*\}", re.IGNORECASE)
_PREFIX = re.compile(r"([^\W\d_](?:[^:<>\n]{0,59}?))\s*(?::\s+|\uff1a\s*)(?=\S)")
_SMALL = ("von", "van", "de", "der", "den", "da", "di", "del", "la", "le", "bin", "al", "el", "y", "of", "the", "und")


def spoken(lines: Sequence[str]) -> list[tuple[str | None, str]]:
    """Give (voice, text) for each voice of a cue, without tags, entities read; a cue without text gives none."""
    raw = " ".join(lines)
    parts = _VOICE.split(raw)
    pairs = [(None, parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]
    found = [(one_line(html.unescape(voice or "")) or None, plain(text)) for voice, text in pairs]
    return [(voice, text) for voice, text in found if text]


def plain(text: str) -> str:
    """Give a text without subtitle tags, entities read, on one line."""
    return one_line(html.unescape(_TAG.sub("", text)))


def prefixed(texts: Sequence[str]) -> list[tuple[str | None, str]]:
    """Split `Name: text` in all texts of a file, or in none when too few begin with a name."""
    found = [_PREFIX.match(text) for text in texts]
    named = [match if match and _is_name(match[1]) else None for match in found]
    if sum(match is not None for match in named) < SHARE * len(texts):
        return [(None, text) for text in texts]
    return [
        (one_line(match[1]), text[match.end() :]) if match else (None, text)
        for match, text in zip(named, texts, strict=True)
    ]


def unified(voices: Sequence[str | None]) -> list[str | None]:
    """Give names that differ only in case or width in the spelling that is used most."""
    counts = Counter(voice for voice in voices if voice is not None)
    best: dict[str, str] = {}
    for voice, _ in counts.most_common():
        best.setdefault(_folded(voice), voice)
    return [None if voice is None else best[_folded(voice)] for voice in voices]


def _folded(name: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", name).casefold()


def _is_name(prefix: str) -> bool:
    words = prefix.split()
    if not 0 < len(words) <= 5 or re.search(r"[.?!,;]$", prefix):
        return False
    return all(_name_word(word) for word in words) and words[0] not in _SMALL


def _name_word(word: str) -> bool:
    first = next((letter for letter in word if letter.isalpha()), "")
    return first.isupper() or word in _SMALL or (not first.islower()) or not first
