"""A question as the patterns see it: contractions written out, politeness gone, quotes and known names untouchable.

What is quoted and the names of the roster are put aside as single private characters, so that no rule can cut into
them ("Will", "O'Brien; --" and "50%" stay what they are); `restore` puts them back.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from agent.brains.rules.language import Language

_QUOTED = re.compile(
    "[\"\u201c\u00ab\u201e]([^\"\u201d\u00bb\u201c]+)[\"\u201d\u00bb\u201c]|(?<!\\w)['\u2018]([^'\u2019]+(?:'\\w[^'\u2019]*)*)['\u2019](?!\\w)"
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_NAME_BASE, _QUOTE_BASE = 0xE000, 0xE800
_MOST = 0x800
_PLACE = re.compile("[\ue000-\uefff]")


@dataclass(frozen=True, slots=True)
class Asked:
    """A cleaned question; `names` and `quotes` are what its private characters stand for."""

    text: str
    names: tuple[str, ...]
    quotes: tuple[str, ...]

    def restore(self, text: str) -> str:
        """Put names and quotes back into a part of the question."""
        return _PLACE.sub(lambda match: self._meant(match[0]), text)

    def quoted(self, text: str) -> list[str]:
        """Give the quotes that a part of the question holds."""
        return [self.quotes[ord(char) - _QUOTE_BASE] for char in text if _QUOTE_BASE <= ord(char) < 0xF000]

    def named(self, text: str) -> list[str]:
        """Give the names of the roster that a part of the question holds."""
        return [self.names[ord(char) - _NAME_BASE] for char in text if _NAME_BASE <= ord(char) < _QUOTE_BASE]

    def without_names(self, text: str) -> str:
        """Give a part of the question without the names of the roster."""
        return "".join(char for char in text if not _NAME_BASE <= ord(char) < _QUOTE_BASE)

    def _meant(self, char: str) -> str:
        place = ord(char)
        return self.quotes[place - _QUOTE_BASE] if place >= _QUOTE_BASE else self.names[place - _NAME_BASE]


def clean(question: str, roster: Iterable[str], language: Language) -> Asked:
    """Clean a question; `roster` are the names, aliases and labels of the voices in scope."""
    text = _PLACE.sub("", unicodedata.normalize("NFC", question).strip())
    quotes: list[str] = []
    text = _QUOTED.sub(lambda match: _aside(quotes, match[1] or match[2], _QUOTE_BASE), text)
    text = text.translate(_APOSTROPHES)
    names: list[str] = []
    for name in sorted({n for n in roster if n}, key=lambda n: (-len(n), n)):
        text = _hide(text, unicodedata.normalize("NFC", name).translate(_APOSTROPHES), names, language)
    text = re.sub(r"\s+", " ", text).strip(" ?!.\u2026")
    return Asked(_plain(text, language), tuple(names), tuple(quotes))


def _plain(text: str, language: Language) -> str:
    rules = language.table["clean"]
    for pattern, written in rules["contractions"]:
        text = re.sub(pattern, written, text, flags=re.IGNORECASE)
    for pattern in rules["fillers"]:
        text = re.sub(pattern, "", text, flags=re.IGNORECASE)
    text = text.strip(" ,")
    openings = [language.compiled(pattern) for pattern in rules["openings"]]
    while (opening := next((m for p in openings if (m := p.match(text)) and m.end() < len(text)), None)) is not None:
        text = text[opening.end() :]
    return re.sub(r" +([,;])", r"\1", re.sub(r" {2,}", " ", text)).strip(" ,?!.")


def _aside(kept: list[str], text: str, base: int) -> str:
    return _placed(kept, text.strip(" ,.?!") or text, base) if text.strip() else text


def _placed(kept: list[str], text: str, base: int) -> str:
    """Give the private character that stands for a text; the text itself when all are taken."""
    if text not in kept:
        if len(kept) == _MOST:
            return text
        kept.append(text)
    return chr(base + kept.index(text))


def _hide(text: str, name: str, names: list[str], language: Language) -> str:
    """Put a name aside; a word such as "Will" or "Order" only where it is written as the name and opens nothing."""
    if not re.search(r"[^\W\d_]", name) and re.search(r"\w", name):
        return text
    plain = re.fullmatch(r"[^\W\d_]+", name) is not None
    common = plain and (name.casefold() in language.stop or name.casefold() in language.table["common"])
    pattern = rf"{'(?<!^)' if common else ''}(?<![^\W_]){re.escape(name)}" + (
        r"(?![^\W_])" if name[-1:].isalnum() else ""
    )
    flags = 0 if common else re.IGNORECASE
    return re.sub(pattern, lambda _: _placed(names, name, _NAME_BASE), text, flags=flags)
