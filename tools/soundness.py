"""What the rows of a labelled stream say about the stream itself: pure figures from which its health is made.

A stream can be computed and still be noise: one label everywhere, scores without spread, or words where nobody speaks.
None of these is a verdict; each is a number with the rows it was counted on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from store.record import Emotion, Event, Span, total, union

ENOUGH_ROWS = 20  # fewer say nothing about a stream


@dataclass(frozen=True, slots=True)
class Spread:
    """How the scores of rows lie: their number and their quartiles; zeros without rows."""

    rows: int
    low: float
    middle: float
    high: float


def spread(rows: Sequence[Emotion | Event]) -> Spread:
    """Give the spread of the rows' scores."""
    scores = [row.score for row in rows]
    if len(scores) < 2:
        one = scores[0] if scores else 0.0
        return Spread(len(scores), one, one, one)
    low, middle, high = quantiles(scores, n=4, method="inclusive")
    return Spread(len(scores), low, middle, high)


def constant(rows: Sequence[Emotion | Event], unclear: str | None = None) -> str | None:
    """Give the label that all rows carry, without those that are `unclear`; None when they differ or are too few."""
    labels = Counter(row.label for row in rows if row.label != unclear)
    return next(iter(labels)) if len(labels) == 1 and labels.total() >= ENOUGH_ROWS else None


def unsupported(said: Iterable[Span], speech: Iterable[Span]) -> float:
    """Give the share of the time with words in which no speech is heard: 1 contradicts wholly; 0 without words."""
    words, spoken = union(said), union(speech)
    return (total([*words, *spoken]) - total(spoken)) / total(words) if words else 0.0


def unworded(said: Iterable[Span], speech: Iterable[Span]) -> float:
    """Give the share of the speech that is heard in which no words were found; 0 without speech."""
    return unsupported(speech, said)
