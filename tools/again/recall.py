"""How much a denial after a second listen is worth: the measured share of planted names that are found at last.

Measured by how well the segment was heard at first, the mean score of its words, because a denial about mumbling is
worth less than one about clear speech. `scripts/measure_denials.py recall` makes the table from made-up names planted
in noise that were asked for end to end (its report part of seed 16: 100 names, 90 of them where words were written), so
what the choice of passages misses is in it. Where fewer than LEAST were planted nothing is claimed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.again.likely import Likely

TABLE = Path(__file__).with_name("recall.json")
LEAST = 10


@dataclass(frozen=True, slots=True)
class Recall:
    """Of `planted` names in segments with a mean word score in [low, high), `found` were found by either listen."""

    low: float
    high: float
    planted: int
    found: int

    @property
    def share(self) -> float:
        """The share found, 0 to 1."""
        return self.found / self.planted


def recall_of(heard: Sequence[Likely], table: Sequence[Recall] | None = None) -> Recall | None:
    """Give what was measured at the mean score of segments, weighed by their length; None where nothing was."""
    scored = [(each.score, each.span.duration) for each in heard if each.score is not None]
    seconds = sum(duration for _, duration in scored)
    if not seconds:
        return None
    mean = sum(score * duration for score, duration in scored) / seconds
    rows = _table() if table is None else table
    return next((row for row in rows if row.low <= mean < row.high and row.planted >= LEAST), None)


@cache
def _table() -> tuple[Recall, ...]:
    return tuple(Recall(**row) for row in json.loads(TABLE.read_text(encoding="utf-8")))
