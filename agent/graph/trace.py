"""The trace of one question, in the words of the GenAI conventions: invoke_agent, chat, execute_tool.

A step of the brain is `chat`, a call of a stream or of SQL `execute_tool`, the question itself and its other steps
`invoke_agent`. The trace is saved whatever happens; where the library cannot be written, the answer is still given.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

from agent.brains.protocol import Brain, model_of
from agent.reply import Reply
from store.catalog import Catalog
from store.database import Database
from store.errors import StoreError
from store.trace import AGENT, Running, TraceLog

_THINKS = ("plan", "judge", "answer", "note", "join")


class Trace:
    """One question's trace while it is made; also the tracer of its session."""

    def __init__(self, database: Database, question: str, scope: Catalog, brain: Brain) -> None:
        names = [entry.recording.public_id for entry in scope.recordings]
        only = scope.recordings[0].streams if len(names) == 1 else {}
        self._log = TraceLog(question, names, {str(kind): state.version for kind, state in only.items()})
        self._database, self._open = database, ExitStack()
        named = {"brain": brain.name, "model": model_of(brain)}
        self._root = {"agent": AGENT} | {name: value for name, value in named.items() if value is not None}

    @property
    def id(self) -> str:
        """How the trace is found again."""
        return self._log.id

    def __enter__(self) -> Self:
        """Begin the question's own span."""
        self._open.enter_context(self._log.span("invoke_agent", self._root))
        return self

    def __exit__(self, *failure: Any) -> None:
        """End the question's span and save the trace."""
        self._open.__exit__(*failure)
        with suppress(StoreError):
            self._log.save(self._database)

    @contextmanager
    def step(self, node: str) -> Iterator[Running]:
        """Record one node while it runs."""
        with self._log.span("chat" if node in _THINKS else "invoke_agent", {"step": node}) as running:
            yield running

    def record(self, name: str, args: Mapping[str, Any], seconds: float, rows: int | None, error: str | None) -> None:
        """Record one tool call of the session."""
        result = None if rows is None else f"{rows} rows"
        self._log.record("execute_tool", {"tool": name, "arguments": dict(args)}, seconds, result, error)

    def finish(self, reply: Reply) -> None:
        """Keep the reply."""
        self._log.finish(reply.model_dump(mode="json"))
