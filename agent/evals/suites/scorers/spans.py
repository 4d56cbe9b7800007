"""Scorers of times in seconds: spans and turns as the value gives them, and where a reply's citations point."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agent.evals.suites.scorers.scorer import RIGHT, Mark, Name, Scorer, Seen, instead
from agent.evals.suites.scorers.values import Tolerance, number

Span = tuple[float, float]


def _forwards(span: list[float | None]) -> list[float | None]:
    start, end = span
    if start is None or start < 0 or (end is not None and end <= start):
        raise ValueError(f"{span} is no span: seconds from a start to a later end")
    return span


Second = Annotated[float, Field(allow_inf_nan=False)]
Open = Annotated[list[Second | None], Field(min_length=2, max_length=2), AfterValidator(_forwards)]
Closed = Annotated[list[Second], Field(min_length=2, max_length=2), AfterValidator(_forwards)]


class Spans(Scorer):
    """The value is these spans; starts and ends may be off by the tolerance, an end that is null may be any."""

    target: Annotated[list[Open], Field(min_length=1)]
    tolerance: Tolerance = 0.0

    def mark(self, seen: Seen) -> Mark:
        """Compare in the order of time."""
        given, wanted = spans(seen.reply.value), sorted(self.target, key=lambda span: span[0] or 0)
        fits = given is not None and len(given) == len(wanted) and all(
            close(a, b, self.tolerance) for mine, right in zip(sorted(given), wanted, strict=True)
            for a, b in zip(mine, right, strict=True)
        )  # fmt: skip
        return RIGHT if fits else instead(seen.reply.value, self.target)


class Turns(Scorer):
    """The value is these turns (start, end, speaker); times may be off by the tolerance."""

    target: Annotated[list[Annotated[list[Any], Field(min_length=3, max_length=3)]], Field(min_length=1)]
    tolerance: Tolerance = 0.0

    def mark(self, seen: Seen) -> Mark:
        """Compare in the order of time."""
        given = seen.reply.value if isinstance(seen.reply.value, list) else []
        if len(given) != len(self.target):
            return Mark(0.0, f"{len(given)} turns instead of {len(self.target)}")
        for mine, right in zip(given, self.target, strict=True):
            same = isinstance(mine, list) and len(mine) == 3 and mine[2] == right[2]
            if not same or not all(number(mine[at]) and close(mine[at], right[at], self.tolerance) for at in (0, 1)):
                return instead(mine, right)
        return RIGHT


class Cites(Scorer):
    """A citation touches each of these spans."""

    target: Annotated[list[Closed], Field(min_length=1)]

    def mark(self, seen: Seen) -> Mark:
        """Look for a citation at each."""
        cited = [(one.start, one.end) for one in seen.reply.citations]
        missing = [span for span in self.target if not any(a < span[1] and span[0] < b for a, b in cited)]
        why = "; ".join(f"no citation touches {start:g}-{end:g}" for start, end in missing)
        return Mark(1 - len(missing) / len(self.target), why)


class SpanIoU(Scorer):
    """The time that the value's spans (or the citations') share with the target's, over the time of both."""

    target: Annotated[list[Closed], Field(min_length=1)]
    of: Literal["value", "citations"] = "value"
    speaker: Name | None = None

    def mark(self, seen: Seen) -> Mark:
        """Measure the overlap."""
        cited = [c for c in seen.reply.citations if self.speaker in (None, c.speaker)]
        given = spans(seen.reply.value) if self.of == "value" else [(c.start, c.end) for c in cited]
        if not given:
            return Mark(0.0, f"no spans in {self.of}")
        iou = span_iou(given, [(a, b) for a, b in self.target])
        return Mark(iou, f"IoU {iou:.3f} is below {self.at_least:g}")


def spans(value: Any) -> list[Span] | None:
    """Give a value as spans; None when it is no list of them."""
    if not isinstance(value, list):
        return None
    pairs = [one for one in value if isinstance(one, list) and len(one) == 2 and all(map(number, one))]
    return [(a, b) for a, b in pairs] if len(pairs) == len(value) else None


def close(mine: float, right: float | None, tolerance: float) -> bool:
    """Say whether a time is near enough; null is any."""
    return right is None or abs(mine - right) <= tolerance + 1e-9


def span_iou(one: Sequence[Span], other: Sequence[Span]) -> float:
    """Give the intersection of two unions of spans over their union; 0 where neither lasts."""
    mine, right = _union(one), _union(other)
    both = sum(max(0.0, min(b, d) - max(a, c)) for a, b in mine for c, d in right)
    whole = sum(b - a for a, b in mine) + sum(b - a for a, b in right) - both
    return both / whole if whole > 0 else 0.0


def _union(given: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(span for span in given if span[1] > span[0]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
