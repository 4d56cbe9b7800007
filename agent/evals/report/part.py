"""One source of figures: its name, the column it stands in, the command that measures it, and what it needs.

Columns are never mixed: rows that were given test everything after hearing, made audio tests hearing too, and only real
recordings say what becomes of real speech.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from agent.evals.report.found import Found
from agent.evals.tasks.record import Record

Column = Literal["rows given", "made audio", "real audio or real diarization"]
COLUMNS: tuple[Column, ...] = get_args(Column)
Role = Literal["found", "tasks", "broken", "again", "context", "tokens", "baselines", "wordings", "audio"]
"""What a part's file is: what was found, or records of the nine tasks, and what they are used for."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part; `command` is a module and its options.

    `data` and `weights` are what it needs and may not be there; `never` says why it is not measured at all.
    """

    name: str
    column: Column
    title: str
    command: tuple[str, ...]
    role: Role = "found"
    data: str = ""
    weights: tuple[str, ...] = ()
    note: str = ""
    never: str = ""

    @property
    def line(self) -> str:
        """The command as one types it."""
        return " ".join(("python -m", *self.command))

    @property
    def file(self) -> str:
        """The name of the file that the command writes."""
        return f"{self.name}.{'json' if self.role == 'found' else 'jsonl'}"


@dataclass(frozen=True, slots=True)
class Measured:
    """A part with what came of it, of baselines by name; `left_out` says why there is nothing."""

    part: Part
    found: Found | None = None
    records: tuple[Record, ...] = ()
    others: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    left_out: str = ""
