"""The trace of one question, in the words of the GenAI conventions: invoke_agent, chat, execute_tool.

A question whose trace cannot be written is still answered; a trace is finished whatever happens.
"""

import time
from collections.abc import Mapping
from typing import Any, Self

from agent.graph.state import Stage
from agent.reply import Reply
from store.catalog import Catalog
from store.database import Database


class Trace:
    """STUB until the store's trace log exists."""

    def __init__(self) -> None:
        self.id = "t"

    @classmethod
    def open(cls, database: Database, question: str, scope: Catalog) -> Self:
        return cls()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def record(self, name: str, args: Mapping[str, Any], seconds: float, rows: int | None, error: str | None) -> None: ...

    def stage(self, stage: Stage) -> None: ...

    def finish(self, reply: Reply) -> None: ...
