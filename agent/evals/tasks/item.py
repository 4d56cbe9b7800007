"""One item of a task: the question, its right answer by construction, and what it asks in plain values.

`asked` is all that the independent check is told, so that it can come to the answer by a way of its own.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from agent.evals.worlds.truth import World
from store.record import StreamKind

WorldTask = Literal["qa", "mcqa", "summary", "emotion", "diarization", "events", "count", "order", "constrained"]
MeetingTask = Literal["heard", "beside"]
"""What only made meetings ask: whether a sound was heard, and who spoke while it was."""
Task = WorldTask | MeetingTask
TASKS: tuple[WorldTask, ...] = get_args(WorldTask)
EVERY: tuple[Task, ...] = (*TASKS, *get_args(MeetingTask))
Form = Literal["text", "letter", "label", "stretches", "turns", "number", "names", "labels", "truth"]
Place = tuple[StreamKind, int, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks: whose, of what, where; `over_s` is the least talk of who is counted."""

    speaker: str | None = None
    span: tuple[int, int] | None = None
    entity: str | None = None
    attribute: str | None = None
    value: str | None = None
    labels: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    over_s: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a task; an unanswerable one has no gold. Times in milliseconds, gold stretches in seconds.

    `kind` is the variant, or why nothing can be answered; `facts` must come up in a text; `evidence` are the rows that
    a right answer stands on, where there are few; `plan` is the gold plan, where there is one; `decoys` says what
    misleads.
    """

    id: str
    task: Task
    form: Form
    kind: str
    question: str
    gold: Any
    asked: Asked
    answerable: bool = True
    reference: str = ""
    facts: tuple[str, ...] = ()
    evidence: tuple[Place, ...] = ()
    plan: tuple[Any, ...] = ()
    decoys: tuple[str, ...] = ()


@dataclass
class Draft:
    """A task's items in the making: the world, the draws, and how many were left out for a tie or the like."""

    world: World
    task: Task
    left_out: Counter[str] = field(default_factory=Counter)
    made: int = 0

    def __post_init__(self) -> None:
        spec = self.world.spec
        self.rng = random.Random(f"{spec.seed}:{spec.minutes:g}:{self.task}")

    def item(self, form: Form, kind: str, question: str, gold: Any, asked: Asked, **more: Any) -> Item:
        """Make the next item."""
        self.made += 1
        spec = self.world.spec
        name = f"{spec.seed}-{spec.minutes:g}-{self.task}-{self.made:02}"
        return Item(name, self.task, form, kind, question, gold, asked, **more)

    def stretch(self, least_s: int, most_s: int) -> tuple[int, int]:
        """Give a stretch of whole seconds inside the recording."""
        whole = self.world.duration_ms // 1000
        length = self.rng.randint(least_s, max(least_s, min(most_s, whole // 3)))
        start = self.rng.randint(0, max(0, whole - length - 1))
        return start * 1000, (start + length) * 1000
