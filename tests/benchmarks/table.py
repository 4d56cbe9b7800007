"""The ratios as a table, each line as soon as it is measured, and what becomes of them at the end."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.ratio import Ratio

_COLUMNS = "{:<58} {:>12} {:>14} {:>14}  {}\n"


def heading() -> None:
    """Print the machine's load and the columns."""
    say(f"{os.cpu_count()} cores, load before: {load()}\n\n")
    say(_COLUMNS.format("ratio", "value", "floor", "goal", "").rstrip() + "\n")


def line(ratio: Ratio) -> None:
    """Print one ratio, and under it how it came."""
    floor, goal = ratio.bound(ratio.floor), ratio.bound(ratio.goal)
    say(_COLUMNS.format(ratio.name, ratio.figure(ratio.value), floor, goal, ratio.verdict).rstrip() + "\n")
    if ratio.note:
        say(f"    {ratio.note}\n")


def verdict(ratios: Sequence[Ratio]) -> int:
    """Print which floors were missed and which goals; 1 when a floor was."""
    missed = [ratio for ratio in ratios if ratio.missed]
    short = [ratio for ratio in ratios if ratio.verdict == "goal missed"]
    say(f"\nload after: {load()}\n")
    for ratio in short:
        say(f"goal missed: {ratio.name}: {ratio.figure(ratio.value)}, goal {ratio.bound(ratio.goal)}\n")
    for ratio in missed:
        say(f"FLOOR MISSED: {ratio.name}: {ratio.figure(ratio.value)}, floor {ratio.bound(ratio.floor)}\n")
    say(f"{len(ratios) - len(missed)} of {len(ratios)} hold\n")
    return 1 if missed else 0


def keep(ratios: Sequence[Ratio], path: Path) -> None:
    """Write the ratios as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [asdict(ratio) | {"missed": ratio.missed} for ratio in ratios]
    path.write_text(json.dumps({"load": load(), "ratios": told}, indent=1), encoding="utf-8")


def load() -> str:
    """Give the load of the last one, five and fifteen minutes."""
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def say(text: str) -> None:
    """Print at once, since some ratios take minutes."""
    sys.stdout.write(text)
    sys.stdout.flush()
