"""A question that can be asked back ("which John?", "which voice is Anna?") and then goes on as the same question.

What stands between lies with a LangGraph checkpointer under a thread's name, JSON-safe: in memory unless another one
is given, and then another process can go on. Nothing of this is made or imported where nobody can answer.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from agent.graph.loading import lean
from agent.threads.turns import Turn, closed

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver


@dataclass(frozen=True, slots=True)
class Choice:
    """One voice that may be meant: `key` answers the question; talk time and the excerpt's place in seconds."""

    key: str
    speaker: str
    recording: str
    talk_s: float
    start: float | None = None
    end: float | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What is asked back, why (a refusal's reason), and which answers there are."""

    reason: str
    name: str
    message: str
    choices: tuple[Choice, ...]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Read an inquiry from the graph's state."""
        choices: Sequence[Mapping[str, Any]] = stored["choices"]
        return cls(stored["reason"], stored["name"], stored["message"], tuple(Choice(**choice) for choice in choices))


@dataclass
class Dialogue:
    """Questions one after the other, and what is asked back; `thread` is their name with the checkpointer `saver`.

    `recording` is the one they are about, None the library.
    """

    saver: "BaseCheckpointSaver[str] | None" = None
    thread: str = field(default_factory=lambda: uuid.uuid4().hex)
    before: list[Turn] = field(default_factory=list)
    recording: str | None = None

    @contextmanager
    def turn(self, question: str, scope: Sequence[str]) -> Iterator[None]:
        """Take one turn; one in memory is nobody else's."""
        yield

    @property
    def config(self) -> "RunnableConfig":
        """How LangGraph finds the thread."""
        return {"configurable": {"thread_id": self.thread}}

    @property
    def checkpointer(self) -> "BaseCheckpointSaver[str]":
        """The checkpointer; one in memory is made when none was given."""
        if self.saver is None:
            with lean():
                from langgraph.checkpoint.memory import InMemorySaver

            self.saver = InMemorySaver()
        return self.saver

    @property
    def state(self) -> Mapping[str, Any]:
        """The graph's state where the question stopped; empty before it was asked."""
        from agent.graph.graph import graph

        values: Mapping[str, Any] = graph(self.checkpointer).get_state(self.config).values
        return values

    @property
    def turns(self) -> list[Turn]:
        """The turns so far, the last one last; `before` are those that lie elsewhere."""
        return closed(self.state) or self.before

    @property
    def inquiry(self) -> Inquiry | None:
        """What is asked back and not answered yet."""
        from agent.graph.graph import graph

        stopped = graph(self.checkpointer).get_state(self.config)
        waits = [interrupt.value for task in stopped.tasks for interrupt in task.interrupts]
        return Inquiry.of(waits[0]) if waits else None
