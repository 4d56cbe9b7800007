"""Which scripts are written without blanks between words, so that words join as the language writes them."""

from collections.abc import Sequence

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3000, 0x30FF),  # CJK punctuation, kana
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),  # full-width forms
    (0x20000, 0x3FFFF),
)


def unspaced(character: str) -> bool:
    """Say whether a character belongs to a script that puts no blanks between words."""
    return any(low <= ord(character) <= high for low, high in _UNSPACED)


def join(words: Sequence[str]) -> str:
    """Write words as one text: with blanks, save between two words of a script that has none."""
    text = ""
    for word in filter(None, words):
        together = not text or (unspaced(text[-1]) and unspaced(word[0]))
        text += word if together else f" {word}"
    return text
