"""What one part of the evaluation found: tables for people, and checks that a bar or a floor is held against.

A part writes it as JSON, so that the page can be written again without measuring again. No times are in it: equal runs
give equal pages.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

Side = Literal["at least", "at most", "above"]
Row = tuple[str, ...]
SIGNS: dict[Side, str] = {"at least": "≥", "at most": "≤", "above": ">"}


@dataclass(frozen=True, slots=True)
class Check:
    """A figure that may only become better; `bar` is what the specification asks for, where it asks."""

    name: str
    value: float
    side: Side = "at least"
    bar: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the bar is held; nothing where there is none."""
        return "" if self.bar is None else "held" if self.reaches(self.bar) else "missed"

    def reaches(self, bound: float) -> bool:
        """Say whether the figure is on the right side of a bound."""
        match self.side:
            case "at least":
                return self.value >= bound
            case "at most":
                return self.value <= bound
        return self.value > bound

    def better(self, one: float, other: float) -> bool:
        """Say whether one bound asks for more than another."""
        return one < other if self.side == "at most" else one > other


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is shown; `note` says how to read it."""

    title: str
    columns: Row
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Tables and checks of one part; `settings` are the seeds and numbers that it was made with."""

    tables: tuple[Table, ...]
    checks: tuple[Check, ...] = ()
    settings: str = ""


def write(found: Found, path: Path) -> None:
    """Write what was found as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> Found:
    """Read what was found."""
    whole: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    tables = tuple(
        Table(one["title"], tuple(one["columns"]), rows(one["rows"]), one["note"]) for one in whole["tables"]
    )
    return Found(tables, tuple(Check(**one) for one in whole["checks"]), whole["settings"])


def rows(found: Sequence[Sequence[str]]) -> tuple[Row, ...]:
    """Give rows as a table holds them."""
    return tuple(tuple(row) for row in found)


def figure(value: float | bool | None) -> str:
    """Write a figure with three digits after the point; a whole number as it is, nothing as a dash."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else f"{float(value):,.3f}"
