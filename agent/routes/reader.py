"""What a brain can do that reads a recording stretch by stretch."""

from typing import Any, Protocol, runtime_checkable

from agent.brains.protocol import Answered, Question
from tools.evidence import Evidence
from tools.plan import Plan


@runtime_checkable
class Reader(Protocol):
    """Takes notes on stretches, and answers from notes."""

    def room(self, question: Question) -> int:
        """Give how many tokens of rows one look may hold; 0 when it reads no stretches."""
        ...

    def note(self, question: Question, plan: Plan, evidence: Evidence) -> Answered:
        """Note what one stretch says about a question, each sentence with the numbers of its rows."""
        ...

    def join(self, question: Question, plan: Plan, notes: Evidence, value: Any) -> Answered:
        """Word the answer from notes, which are cited like rows."""
        ...
