"""Floors under figures that were reached: they are raised when a figure becomes better, and never lowered.

A bar that is held has the bar as its floor; where none is asked for, or it is missed, the floor is what was reached.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.evals.report.found import SIGNS, Check, figure
from tools.canonical import to_json

DIGITS, STEP = 3, 0.001
Floors = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Fallen:
    """A figure below its floor."""

    check: Check
    floor: float

    def __str__(self) -> str:
        """Say what fell, and where it stood."""
        told = f"{self.check.name}: {figure(self.check.value)}, floor {SIGNS[self.check.side]} {figure(self.floor)}"
        return f"{told} ({self.check.note})" if self.check.note else told


def read(path: Path) -> dict[str, dict[str, float]]:
    """Read the floors of each tier; none where there is no file."""
    if not path.is_file():
        return {}
    tiers = tomllib.loads(path.read_text(encoding="utf-8"))
    return {tier: {name: float(value) for name, value in found.items()} for tier, found in tiers.items()}


def write(tiers: Mapping[str, Floors], path: Path) -> None:
    """Write the floors, by tier and name."""
    lines = ["# What was reached, by tier; raised by `--raise`, never lowered."]
    for tier, found in sorted(tiers.items()):
        lines += ["", f"[{tier}]", *(f"{to_json(name)} = {value}" for name, value in sorted(found.items()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fallen(checks: Sequence[Check], floors: Floors) -> Iterator[Fallen]:
    """Give the figures below their floors; what was not measured cannot fall."""
    for check in checks:
        floor = floors.get(check.name)
        if floor is not None and not check.reaches(floor):
            yield Fallen(check, floor)


def raised(checks: Sequence[Check], floors: Floors) -> dict[str, float]:
    """Give the floors with those raised that a figure now reaches."""
    found = dict(floors)
    for check in checks:
        reached = _floor(check)
        if check.name not in found or check.better(reached, found[check.name]):
            found[check.name] = reached
    return found


def _floor(check: Check) -> float:
    if check.bar is not None and check.verdict == "held":
        return check.bar
    near = round(check.value, DIGITS)
    if check.reaches(near):
        return near
    return round(near + STEP if check.side == "at most" else near - STEP, DIGITS)
