"""What reading a recording stretch by stretch will cost, known before it begins.

The pace is that of a model of eight billion weights on a good machine; an endpoint may be faster or slower.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.brains.citing import sizes
from agent.graph.budget import Budget
from agent.routes.spans import Span

NOTES = 120  # tokens that the notes of one stretch take
AROUND = 400  # tokens of a prompt and its question
ANSWER = 250
READS, WRITES = 1_000, 40  # tokens a second


@dataclass(frozen=True, slots=True)
class Estimate:
    """Model calls, and tokens read and written."""

    calls: int
    read: int
    written: int

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.read + self.written

    @property
    def seconds(self) -> float:
        """The time it takes at the usual pace."""
        return self.read / READS + self.written / WRITES

    def within(self, budget: Budget) -> bool:
        """Say whether a budget allows it."""
        return self.calls <= budget.model_calls and self.tokens <= budget.tokens and self.seconds <= budget.seconds

    def __str__(self) -> str:
        """Give it for a person."""
        return f"about {self.calls} model calls, {self.tokens:,} tokens, {self.seconds:.0f} s"


def estimate(found: Sequence[Span], room: int) -> Estimate:
    """Estimate what notes on each stretch and one answer from all of them cost; many notes are joined in groups."""
    return of_tokens(sum(sum(sizes(span)) for span in found), len(found), room)


def of_tokens(said: int, stretches: int, room: int) -> Estimate:
    """Estimate it from how much was said and in how many stretches it is read."""
    notes = stretches * NOTES
    joins = 1 + (-(-notes // room) if notes > room else 0)
    calls = stretches + joins
    return Estimate(calls, said + notes + calls * AROUND, notes + joins * ANSWER)
