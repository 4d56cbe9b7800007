"""Praat's TextGrid, long and short text alike, read as Praat reads it: free-standing numbers and quoted texts count.

Own reading: the library for it refuses a whole file for one wrong interval, turns negative times positive and drops
the rest of a tier that breaks off, without a word; it stands in our tests instead. A binary TextGrid is refused.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from store.errors import DataError

_TOKEN = re.compile(
    r'"(?P<text>[^"]*(?:""[^"]*)*)"|(?<!\S)![^\n]*|\n'
    r"|(?<!\S)(?P<number>[-+]?(?:[0-9]{1,15}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,2})?)(?!\S)"
)
_EDGES = {"IntervalTier": 2, "TextTier": 1}
_HEADER = 3  # the edges of a whole and the number of its parts
_MOST = Decimal(10**9)

Group = tuple[int, list[Decimal], str | None]


@dataclass(frozen=True, slots=True)
class Mark:
    """One interval or point: the line of its text, its edges in seconds (a point's are equal), its text."""

    line: int
    start: Decimal
    end: Decimal
    text: str


@dataclass(slots=True)
class Tier:
    """One tier: its name, its kind in Praat's words, its marks, and the lines of entries without proper edges.

    `size` is how many entries it says it has: other programs say fewer than there are, a file that breaks off more.
    """

    name: str
    kind: str
    size: int = 0
    marks: list[Mark] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)

    @property
    def points(self) -> bool:
        """Whether its marks are points in time."""
        return self.kind == "TextTier"

    @property
    def missing(self) -> int:
        """How many entries it says it has and has not."""
        return max(0, self.size - len(self.marks) - len(self.lost))


def tiers(text: str) -> tuple[list[Tier], Decimal | None]:
    """Give the tiers, and where the whole ends when it says so; DataError when the text is no TextGrid."""
    groups = list(_groups(text))
    heads = [label or "" for _, _, label in groups[:2]]
    if len(heads) < 2 or not heads[0].startswith("ooTextFile") or heads[1] != "TextGrid":
        binary = text.startswith("ooBinaryFile")
        raise DataError("a binary TextGrid: save it as text in Praat" if binary else "no TextGrid in it")
    found: list[Tier] = []
    end: Decimal | None = None
    kind = ""
    for line, numbers, label in groups[2:]:
        if kind:
            found.append(Tier(label or "", kind))
            kind = ""
        elif label in _EDGES and len(numbers) in (0, _HEADER):
            kind = label
            end = numbers[1] if numbers and not found else end
        elif found:
            _add(found[-1], line, numbers, label)
    if not found:
        raise DataError("a TextGrid without tiers")
    return found, end


def _groups(text: str) -> Iterator[Group]:
    """Give each quoted text with its line and the numbers before it; None when a file breaks off after numbers."""
    line = 1
    numbers: list[Decimal] = []
    for match in _TOKEN.finditer(text):
        if match["text"] is not None:
            yield line, numbers, match["text"].replace('""', '"')
            numbers = []
        elif match["number"] is not None:
            numbers.append(Decimal(match["number"]))
        line += match[0].count("\n")
    if numbers:
        yield line, numbers, None


def _add(tier: Tier, line: int, numbers: Sequence[Decimal], label: str | None) -> None:
    edges = _EDGES[tier.kind]
    header = 0
    if not tier.marks and not tier.lost and len(numbers) >= _HEADER:
        tier.size, header = int(min(numbers[2], _MOST)), _HEADER
    if label is not None and len(numbers) == edges + header:
        tier.marks.append(Mark(line, numbers[-edges], numbers[-1], label))
    elif label is not None or len(numbers) > header:
        tier.lost.append(line)
