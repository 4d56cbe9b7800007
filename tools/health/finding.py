"""One thing that is wrong with a stream, in words, and how much of the stream it spoils."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from store.record import Span, union

Check = Literal[
    "repeated",
    "doubled",
    "constant",
    "uncovered",
    "contradicted",
    "stops",
    "invented",
    "beyond",
    "dropped",
    "malformed",
    "drift",
    "swapped",
    "set_aside",
    "flickers",
    "unheard",
    "translated",
]  # fmt: skip


GIVEN = "written"
"""Where a version's checks keep what its recogniser found out itself."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, in one line for people; `spoilt` is the share of the stream that says nothing true, 0 to 1."""

    check: Check
    text: str
    spoilt: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """A row of any stream as checks see it: when, what it says (text, label or nothing), whose it is, how sure."""

    t0: int
    t1: int
    said: str = ""
    speaker: int | None = None
    score: float | None = None

    @property
    def span(self) -> Span:
        """When it is."""
        return Span(self.t0, self.t1)


def spans(rows: Sequence[Told], pad_ms: int = 0, least_ms: int = 0) -> list[Span]:
    """Give the union of the rows of at least `least_ms`, each widened by `pad_ms` on both sides."""
    return union(Span(row.t0 - pad_ms, row.t1 + pad_ms) for row in rows if row.t1 - row.t0 >= least_ms)


def shared_ms(one: Sequence[Span], other: Sequence[Span]) -> int:
    """Give the milliseconds that lie in both of two unions (disjoint spans in order)."""
    found = place = 0
    for span in one:
        while place < len(other) and other[place].t1 <= span.t0:
            place += 1
        after = place
        while after < len(other) and other[after].t0 < span.t1:
            found += min(span.t1, other[after].t1) - max(span.t0, other[after].t0)
            after += 1
    return found


def runs(rows: Sequence[Told]) -> list[int]:
    """Give the lengths of the runs of rows that say the same, in order; rows that say nothing are runs of one."""
    lengths = [1] if rows else []
    for before, row in pairwise(rows):
        if row.said and row.said == before.said:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths
