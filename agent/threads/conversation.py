"""A conversation on disk: LangGraph's checkpoints in SQLite, each step written before the next one begins.

Only plain values are read back (LangGraph's strict serializer), so a file that somebody planted cannot run code; and
what looks like a secret is not written.
"""

import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent import privacy
from agent.dialogue import Dialogue
from agent.graph.loading import lean
from store.errors import UsageError
from store.redact import redact, secret_values
from store.threads import Thread, Threads

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

_NAME = re.compile(r"[\w][\w.-]{0,63}")


@dataclass
class Conversation(Dialogue):
    """A dialogue of many turns that lies in a library's folder, opened when it is first looked at."""

    threads: Threads = field(default_factory=lambda: Threads(Path()))

    @property
    def checkpointer(self) -> "BaseCheckpointSaver[str]":
        """The checkpointer of the library's folder."""
        if self.saver is None:
            self.saver = _saver(self.threads)
        return self.saver

    @property
    def new(self) -> bool:
        """Whether no turn was taken yet."""
        return self._known is None

    @property
    def about(self) -> str | None:
        """The recording that it was about so far."""
        return self._known.recording if self._known else None

    @property
    def _known(self) -> Thread | None:
        return next((one for one in self.threads.every() if one.id == self.thread), None)

    @contextmanager
    def turn(self, question: str, scope: Sequence[str]) -> Iterator[None]:
        """Hold the conversation for one turn; StoreError when another process goes on with it."""
        with self.threads.held(self.thread):
            self.threads.note(self.thread, scope, self.recording, redact(question))
            yield
            self.threads.prune(self.thread)


def conversation(folder: Path, name: str | None = None, recording: str | None = None) -> Conversation:
    """Begin a conversation in a library's folder, or go on with the one of this name."""
    if name is not None and not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' cannot name a conversation: up to 64 letters, digits, '.', '_' and '-' can")
    return Conversation(thread=name or secrets.token_hex(4), threads=Threads(folder), recording=recording)


def _saver(threads: Threads) -> "BaseCheckpointSaver[str]":
    privacy.protect()
    with lean():
        from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
        from langgraph.checkpoint.sqlite import SqliteSaver

    class Redacting(JsonPlusSerializer):
        """Writes no secret."""

        def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
            return super().dumps_typed(_without_secrets(obj, secret_values()))

    saver = SqliteSaver(threads.connect(), serde=Redacting())
    saver.setup()
    return saver


def _without_secrets(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        return redact(value, secrets)
    if isinstance(value, dict):
        # Earlier turns were read from the file, into which no secret came.
        return {key: one if key == "turns" else _without_secrets(one, secrets) for key, one in value.items()}
    return [_without_secrets(inner, secrets) for inner in value] if isinstance(value, list) else value
