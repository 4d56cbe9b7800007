"""How a partner's rows lie to an anchor's in time, as a value: relation, reach, whose voice, how sure edges are."""

from dataclasses import dataclass
from typing import Literal

Relation = Literal[
    "overlaps", "nearest", "nearest_midpoint", "contains", "within", "before", "after", "right_after", "anywhere"
]
Voices = Literal["any", "same", "other"]
# What these say turns on one edge of a row, so it matters how far an edge may be off.
ORDERING: frozenset[Relation] = frozenset({"before", "after", "right_after"})

TAU_MS = 2500
SPLIT_MS = 120_000
RANKED_MS = (1 << 12) - 1

_NEAR: frozenset[Relation] = frozenset({"nearest", "nearest_midpoint", "right_after"})
_SINGLE: frozenset[Relation] = _NEAR | {"before", "after", "anywhere"}
_LEFT_OPEN: frozenset[Relation] = frozenset(
    {"overlaps", "nearest", "nearest_midpoint", "within", "after", "right_after"}
)


@dataclass(frozen=True, slots=True)
class Link:
    """A partner of the anchor: `rows` is the table of its rows, `longest` its longest row in milliseconds.

    `blur` is how far edges may be off, in milliseconds: an order in time is held against what is sure of a row.
    `streams` gives the partner's stream by recording where there are several, so that each anchor walks only its own.
    """

    rows: str
    relation: Relation
    longest: int
    tolerance: int | None = None
    voice: Voices = "any"
    streams: tuple[tuple[int, int], ...] = ()
    blur: int = 0

    @property
    def blurred(self) -> bool:
        """Whether what is sure of the rows is a table of its own."""
        return self.blur > 0 and self.relation in ORDERING

    @property
    def source(self) -> str:
        """The table whose rows are compared with the anchor."""
        if self.relation == "anywhere":
            return f"{self.rows}_firsts"
        return f"{self.rows}_sure_{self.blur}" if self.blurred else self.rows

    @property
    def slack(self) -> int | None:
        """Milliseconds of slack; None where before and after reach as far as the recording does."""
        if self.tolerance is None and self.relation in ("before", "after"):
            return None
        wanted = self.tolerance if self.tolerance is not None else TAU_MS if self.relation in _NEAR else 0
        return wanted + (self.blur if self.blurred else 0)

    @property
    def split(self) -> bool:
        """Whether long rows are a class of their own."""
        return self.longest > SPLIT_MS and self.slack is not None and self.relation in _LEFT_OPEN

    @property
    def edged(self) -> bool:
        """Whether one edge of the partner's rows decides, because any distance is near enough."""
        return self.slack is None and self.voice != "other"

    @property
    def single(self) -> bool:
        """Whether the relation gives an anchor one partner and not all of them."""
        return self.relation in _SINGLE

    @property
    def ranked(self) -> bool:
        """Whether a partner's gap, start and number fit into one number, whose least is the partner that is chosen."""
        return self.relation == "nearest" and self.slack is not None and self.slack <= RANKED_MS

    @property
    def long_rows(self) -> str:
        """The table of the partner's long rows."""
        return f"{self.source}_long"

    @property
    def edge(self) -> str:
        """The table of the last start (before) or first end (after) of the partner's rows."""
        return f"{self.source}_{'last' if self.relation == 'before' else 'first'}_{self.voice}"
