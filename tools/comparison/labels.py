"""Two versions of what was heard or how it sounded: labels lost and gained, and the time in which both say the same."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from store.record import Emotion, Event, Span, total, union

Labelled = Event | Emotion


@dataclass(frozen=True, slots=True)
class Labels:
    """Rows of each by label; `lost` are rows of the first that no row of the label overlaps in the second, `gained`
    those of the second; `agreed_ms` is the time in which both have a label, `either_ms` in which one of them has.
    """

    before: Counter[str]
    after: Counter[str]
    lost: tuple[Labelled, ...] = field(repr=False)
    gained: tuple[Labelled, ...] = field(repr=False)
    agreed_ms: int
    either_ms: int

    @property
    def agreement(self) -> float | None:
        """The share of the labelled time in which both say the same; None when nothing is labelled."""
        return self.agreed_ms / self.either_ms if self.either_ms else None


def compare(before: Sequence[Labelled], after: Sequence[Labelled]) -> Labels:
    """Hold two versions of events, or of emotions, against each other."""
    one, two = _by_label(before), _by_label(after)
    agreed = either = 0
    for label in one.keys() | two.keys():
        spans = one.get(label, []), two.get(label, [])
        together = total([*spans[0], *spans[1]])
        either += together
        agreed += total(spans[0]) + total(spans[1]) - together
    return Labels(
        Counter(row.label for row in before), Counter(row.label for row in after),
        _alone(before, two), _alone(after, one), agreed, either,
    )  # fmt: skip


def _by_label(rows: Sequence[Labelled]) -> dict[str, list[Span]]:
    spans: defaultdict[str, list[Span]] = defaultdict(list)
    for row in rows:
        spans[row.label].append(Span(row.t0, row.t1))
    return {label: union(found) for label, found in spans.items()}


def _alone(rows: Sequence[Labelled], others: dict[str, list[Span]]) -> tuple[Labelled, ...]:
    """Give the rows that no span of their label overlaps."""
    return tuple(row for row in rows if not any(Span(row.t0, row.t1).overlaps(o) for o in others.get(row.label, ())))
