"""What a reply is worth where abstaining is an answer too: RS(c), abstention, false refusal.

RS(c) is 100 times the mean of: right answer or right abstention +1, abstaining on what can be answered 0, and a wrong
answer, or any answer to what cannot be answered, -c. A reply that failed or cannot be read is a wrong answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

COST = 10.0


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked reply: whether its item can be answered, whether it abstained, and whether it was right to say so.

    `right` is False of an abstention on what can be answered.
    """

    answerable: bool
    abstained: bool
    right: bool
    confidence: float = 0.0

    def points(self, cost: float = COST) -> float:
        """Give what it is worth: 1, 0 or -cost."""
        if self.abstained:
            return 0.0 if self.answerable else 1.0
        return 1.0 if self.right and self.answerable else -cost


def rs(marks: Sequence[Mark], cost: float = COST) -> float:
    """Give RS(cost), at most 100."""
    return 100 * _mean([mark.points(cost) for mark in marks])


def passed(marks: Sequence[Mark]) -> float:
    """Give the share of right replies, answers and abstentions."""
    return _mean([mark.right for mark in marks])


def accuracy(marks: Sequence[Mark]) -> float:
    """Give the share of what can be answered that was answered rightly."""
    return _mean([mark.right for mark in marks if mark.answerable])


def abstention(marks: Sequence[Mark]) -> float:
    """Give the share of what cannot be answered that was not answered."""
    return _mean([mark.abstained for mark in marks if not mark.answerable])


def false_refusal(marks: Sequence[Mark]) -> float:
    """Give the share of what can be answered that was not answered."""
    return _mean([mark.abstained for mark in marks if mark.answerable])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
