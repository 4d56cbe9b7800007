"""Records made for tests: right answers unless said otherwise."""

from dataclasses import replace
from typing import Any

from agent.evals.report.part import Measured, Part
from agent.evals.tasks.item import Task
from agent.evals.tasks.record import Record

RIGHT = Record(
    "1-10-count-01", "count", "file", 10, "clean", 1, "How many?", 3, True, [], "answered", None, 3, "3", True, False,
    1.0, True, 0.9,
)  # fmt: skip


def record(number: int, task: Task = "count", **more: Any) -> Record:
    return replace(RIGHT, id=f"{more.get('seed', 1)}-{more.get('minutes', 10)}-{task}-{number:02}", task=task, **more)


def wrong(number: int, task: Task = "count", **more: Any) -> Record:
    return record(number, task, **{"score": 0.0, "right": False, **more})


def abstained(number: int, **more: Any) -> Record:
    right = not more.get("answerable", True)
    return record(number, "constrained", abstained=True, score=float(right), right=right, proven=True, **more)


def tasks(*records: Record) -> Measured:
    return Measured(Part("tasks", "rows given", "The nine tasks", ("measure",), "tasks"), records=records)
