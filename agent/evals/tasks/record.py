"""What is kept of one asked item: enough to make every table again, and equal when it is asked again, but for times."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agent.evals.statistics.scoring import Mark
from agent.evals.tasks.item import Task

MOST_WORDS = 600


@dataclass(frozen=True, slots=True)
class Record:
    """One item and its reply; `seconds` is the only thing that may differ when it is asked again.

    `topline` is whether it was right with nothing but the gold evidence to read, where that was tried; `intact` whether
    a sentence that it stands on was heard as it was said, where it stands on any. `stages` is how the conditions of a
    decomposition ended, where it was made, and `blamed` the stream that a point lost to hearing was lost to.
    """

    id: str
    task: Task
    kind: str
    minutes: float
    preset: str
    seed: int
    question: str
    gold: Any
    answerable: bool
    decoys: list[str]
    status: str
    reason: str | None
    value: Any
    answer: str
    parsed: bool
    abstained: bool
    score: float
    right: bool
    confidence: float
    metrics: dict[str, float | None] = field(default_factory=dict)
    plan: bool | None = None
    recall: float | None = None
    precision: float | None = None
    citations: float | None = None
    proven: bool | None = None
    proof: str | None = None
    topline: bool | None = None
    intact: bool | None = None
    stages: dict[str, Any] | None = None
    blamed: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    model_calls: int = 0
    seconds: float = 0.0

    @property
    def mark(self) -> Mark:
        """What it is worth where abstaining is an answer too."""
        return Mark(self.answerable, self.abstained, self.right, self.confidence)


def write(records: Sequence[Record], path: Path) -> None:
    """Write records as JSON, one a line."""
    path.write_text("".join(f"{_line(asdict(one))}\n" for one in records), encoding="utf-8")


def read(path: Path) -> list[Record]:
    """Read records that were written."""
    return [Record(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def digest(records: Sequence[Record]) -> str:
    """Give the SHA-256 of everything but times, to be compared with that of another run."""
    lines = (_line({key: value for key, value in asdict(one).items() if key != "seconds"}) for one in records)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True)
