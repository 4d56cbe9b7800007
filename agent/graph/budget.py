"""What one question may cost. A spent budget ends the question with what is known; time is monotonic."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, runtime_checkable

from agent.brains.protocol import Brain, Cost
from store.errors import BudgetSpent

_COUNTED = ("rounds", "model_calls", "tool_calls", "input_tokens", "output_tokens", "estimated_tokens")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one question; those of `reading` are for a recording that is read stretch by stretch, beside them."""

    rounds: int = 4
    model_calls: int = 12
    tool_calls: int = 16
    tokens: int = 200_000
    seconds: float = 120.0
    reading_calls: int = 40
    reading_tokens: int = 200_000
    reading_seconds: float = 300.0

    @property
    def reading(self) -> "Budget":
        """The limits of taking notes on all stretches."""
        return Budget(
            rounds=1, model_calls=self.reading_calls, tokens=self.reading_tokens, seconds=self.reading_seconds
        )


@dataclass(slots=True)
class Meter:
    """What one question has cost so far."""

    budget: Budget
    rounds: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_tokens: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the question was asked."""
        return time.monotonic() - self.began

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.budget.seconds - self.seconds)

    @property
    def spent(self) -> dict[str, float]:
        """What was spent so far, as numbers that survive JSON."""
        return {name: getattr(self, name) for name in _COUNTED} | {"seconds": self.seconds}

    @classmethod
    def after(cls, budget: Budget, spent: Mapping[str, float]) -> Self:
        """Go on counting from what was spent; the time in which a person thought is not counted."""
        counts = {name: int(spent.get(name, 0)) for name in _COUNTED}
        return cls(budget, **counts, began=time.monotonic() - spent.get("seconds", 0.0))

    def spend(self, cost: Cost) -> None:
        """Note what a brain's step cost, then check."""
        self.model_calls += cost.model_calls
        self.input_tokens += cost.input_tokens
        self.output_tokens += cost.output_tokens
        self.estimated_tokens += cost.estimated_tokens
        self.check()

    def beside(self, part: "Meter") -> None:
        """Count what a part with a budget of its own has cost, without taking it from this budget."""
        for name in _COUNTED:
            setattr(self, name, getattr(self, name) + getattr(part, name))
        self.budget = replace(
            self.budget,
            model_calls=self.budget.model_calls + part.model_calls,
            tokens=self.budget.tokens + part.input_tokens + part.output_tokens,
            seconds=self.budget.seconds + part.seconds,
        )

    def model_call(self) -> float:
        """Take one model call from the budget before it is made, and give the seconds it may take; BudgetSpent."""
        self.check()
        if self.model_calls + 1 > self.budget.model_calls:
            raise BudgetSpent(f"the question needs more than {self.budget.model_calls} model calls")
        self.model_calls += 1
        return self.left

    def call(self, calls: int = 1) -> None:
        """Take tool calls from the budget before they run; BudgetSpent when there are not enough left."""
        if self.tool_calls + calls > self.budget.tool_calls:
            raise BudgetSpent(f"the question needs more than {self.budget.tool_calls} tool calls")
        self.tool_calls += calls
        self.check()

    def round(self) -> None:
        """Begin another plan; BudgetSpent when it would be one too many."""
        self.rounds += 1
        if self.rounds > self.budget.rounds:
            raise BudgetSpent(f"{self.budget.rounds} plans were tried")

    def check(self) -> None:
        """Raise BudgetSpent when any limit is passed."""
        if self.model_calls > self.budget.model_calls:
            raise BudgetSpent(f"the question needs more than {self.budget.model_calls} model calls")
        if self.input_tokens + self.output_tokens > self.budget.tokens:
            raise BudgetSpent(f"the question needs more than {self.budget.tokens:,} tokens")
        if self.seconds > self.budget.seconds:
            raise BudgetSpent(f"the question takes longer than {self.budget.seconds:g} s")


@runtime_checkable
class Paying(Protocol):
    """A brain that pays for each model call as it makes it."""

    def within(self, meter: Meter) -> Brain:
        """Give the same brain for one question, paying from its meter."""
        ...


def metered(brain: Brain, meter: Meter) -> Brain:
    """Give a brain for one question, whose limits hold inside a step too where the brain makes several calls in one."""
    return brain.within(meter) if isinstance(brain, Paying) else brain
