"""A language is a table (TOML), not code: how a question is cleaned, and families of patterns with their plans.

Macros are written out once, slots become named groups, and a pattern is compiled when it is first tried.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
MOST_FAMILIES = 20

_SLOTS = {
    "S": r"(?P<S>\S+(?: \S+){0,3}?)",
    "X": r"(?P<X>.+?)",
    "E": r"(?P<E>.+?)",
    "E?": r"(?P<KNOWN>.+?)",
    "L": r"(?P<L>.+?)",
    "O": r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth)",
    "C": r"(?P<T>\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?)",
}
_MACRO = re.compile(r"\{([A-Za-z_]+\??)\}")
_GROUP = re.compile(r"\(\?P<(\w+)>")


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of question: its published answer, the stream asked when no slot says otherwise, and how it is fused.

    `around` is how many seconds before and after a moment ("at 1:22") belong to it; 0 means the moment itself.
    """

    name: str
    answer: str
    stream: str
    fuse: Mapping[str, Any]
    patterns: tuple[str, ...]
    around: float = 0.0


@dataclass(frozen=True)
class Language:
    """One language's table, with its macros written out on demand."""

    table: Mapping[str, Any]

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families in the order in which they are tried."""
        return tuple(Family(**(row | {"patterns": tuple(row["patterns"])})) for row in self.table["family"])

    @cached_property
    def stop(self) -> frozenset[str]:
        """Words that no search is made of."""
        return frozenset(self.table["stop"].split())

    @cached_property
    def emotions(self) -> Mapping[str, str]:
        """Words for emotions, each with its label."""
        return {word: label for label, words in self.table["emotions"].items() for word in words.split("|")}

    @cached_property
    def units(self) -> Mapping[str, float]:
        """Words for units of time, each in seconds."""
        sizes = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0}
        return {word: sizes[unit] for unit, words in self.table["units"].items() for word in words}

    @cached_property
    def _slots(self) -> Mapping[str, str]:
        unit = "|".join(sorted(self.units, key=len, reverse=True))
        number = r"\d+(?:\.\d+)?|" + "|".join(self.table["numbers"])
        length = rf"(?:(?:{number})[ -]?)?(?:{unit})\b(?:(?:,| and|, and)? (?:{number}) ?(?:{unit})\b)*"
        clock = r"\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?"
        place = (
            rf"(?:(?:the )?(?:{clock}|(?:minutes?|seconds?|hours?) (?:{number})\b|{length}|\d+(?:\.\d+)?\b)"
            r"(?: in| into it| mark|[ -](?:minute|second|hour) mark)?)"
        )
        emotion = "|".join(sorted(self.emotions, key=len, reverse=True))
        return _SLOTS | {
            "T": rf"(?P<T>{place})",
            "D": rf"(?P<D>{length})",
            "N": rf"(?P<N>{length})",
            "F": rf"(?:(?:very|so|rather|quite|a bit) )?(?P<F>{emotion})",
        }

    def expand(self, pattern: str) -> str:
        """Write out a pattern's macros and slots; a group that comes again gets a number."""
        while (written := _MACRO.sub(self._macro, pattern)) != pattern:
            pattern = written
        counts: dict[str, int] = {}

        def number(match: re.Match[str]) -> str:
            name = match[1]
            counts[name] = counts.get(name, 0) + 1
            return f"(?P<{name}__{counts[name]}>"

        return _GROUP.sub(number, pattern)

    def _macro(self, match: re.Match[str]) -> str:
        name = match[1]
        return str(self._slots.get(name) or self.table["macros"][name])

    def compiled(self, pattern: str) -> re.Pattern[str]:
        """Compile a pattern, once a process."""
        return _compiled(self, pattern)

    def __hash__(self) -> int:
        return hash(self.table["language"])


def groups(match: re.Match[str]) -> dict[str, str]:
    """Give the slots a match filled, the first of each name."""
    found: dict[str, str] = {}
    for name, text in match.groupdict().items():
        if text is not None:
            found.setdefault(name.partition("__")[0], text)
    return found


def every(match: re.Match[str], name: str) -> Iterator[str]:
    """Give all texts that a match holds for one slot, in order."""
    return (text for key, text in match.groupdict().items() if key.startswith(f"{name}__") and text is not None)


@lru_cache(maxsize=1024)
def _compiled(language: Language, pattern: str) -> re.Pattern[str]:
    return re.compile(language.expand(pattern), re.IGNORECASE)


@lru_cache(maxsize=8)
def language(code: str = "en") -> Language:
    """Load the table of one language."""
    return Language(tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8")))
