"""How long a question takes: in process, of nine hours against ten minutes, and from the shell.

Every family's questions are asked, refused ones too; a question includes its trace and its verified citations.
"""

import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agent.ask import ask
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import World
from agent.library import Library
from store.trace import show
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import percentile
from tests.benchmarks.setting import Setting
from tests.benchmarks.spending import run
from tests.benchmarks.talk import talk

FLOOR, GOAL_MS, SHELL_S = 2.0, 60.0, 1.8


@dataclass(frozen=True, slots=True)
class Figures:
    """What each question took: milliseconds of wall and of CPU time, and of SQL with the fence's check."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    sql: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        """Tell it in a line."""
        taken = {"wall": self.wall, "CPU": self.cpu, "SQL": self.sql}
        told = (f"{name} {percentile(ms, 0.5):.0f}, {percentile(ms, 0.95):.0f} ms" for name, ms in taken.items())
        return f"p50, p95 of {len(self.wall)} questions: {'; '.join(told)}"


class Asked:
    """A world in a library of its own, with its questions."""

    def __init__(self, folder: Path, world: World) -> None:
        self.library = Library(folder)
        self.recording = publish(self.library.database, world).public_id
        self.questions = questions(world)

    def ask(self, figures: Figures) -> None:
        """Ask every question once."""
        for question in self.questions:
            wall, cpu = time.perf_counter(), time.process_time()
            reply = ask(self.library, question, recording=self.recording)
            figures.cpu.append(1000 * (time.process_time() - cpu))
            figures.wall.append(1000 * (time.perf_counter() - wall))
            with self.library.database.reader() as connection:
                spans = show(connection, reply.trace).spans
            ran = [span for span in spans if span.args.get("tool") in ("fuse", "count")]
            figures.sql.append(1000 * sum((span.t_end or span.t_start) - span.t_start for span in ran))


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the ratio by CPU time, the median of a question as it is waited for, and the shell's seconds."""
    worlds = {minutes: Asked(setting.folder / f"asked {minutes}", talk(minutes)) for minutes in (10, 540)}
    figures = {minutes: Figures() for minutes in worlds}
    for asked in worlds.values():
        asked.ask(Figures())
    for _ in range(1 if setting.quick else 3):
        for minutes, asked in worlds.items():
            asked.ask(figures[minutes])
    ten, nine = (statistics.median(figures[minutes].cpu) for minutes in (10, 540))
    yield Ratio("`ask`, rules, 540 min / 10 min, in process", nine / ten, FLOOR, note=f"10 min: {figures[10]}")
    waited = statistics.median(figures[540].wall)
    yield Ratio("`ask`, rules, 540 min, in process, p50", waited, goal=GOAL_MS, unit="ms", note=str(figures[540]))
    walls, cpus = shell(worlds[540].library.folder, worlds[540].recording, 2 if setting.quick else 7)
    note = f"{len(walls)} runs, CPU {statistics.median(cpus):.2f} s; the first after an install writes bytecode besides"
    yield Ratio("one question from the shell", statistics.median(walls), goal=SHELL_S, unit="s", note=note)


def questions(world: World) -> list[str]:
    """Give the questions of every family, refused ones too."""
    return [item.question for item in (*items(world), *constrained(world, random.Random(world.spec.seed), 12))]


def shell(folder: Path, recording: str, runs: int) -> tuple[list[float], list[float]]:
    """Give seconds of wall and of CPU of `overheard ask`, a process each, after one that is not counted."""
    command = [sys.executable, "-m", "agent.front", "--library", str(folder), "ask", recording, "Who spoke the most?"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    walls, cpus = list[float](), list[float]()
    for _ in range(runs + 1):
        wall, used = run(command, environment)
        walls.append(wall)
        cpus.append(used.ru_utime + used.ru_stime)
    return walls[1:], cpus[1:]
