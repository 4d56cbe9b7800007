"""How long a question takes in process: a synthetic recording of nine hours against one of ten minutes.

    python -m tests.benchmarks.ask_9h [SEED]
Prints p50 and p95 of wall and CPU time a question (trace and verified citations included), the milliseconds its SQL
took with the fence's check, and the rows it brought.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.ask import ask
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from store.trace import show

MINUTES = (10, 540)
CAST = 6


@dataclass(frozen=True, slots=True)
class Figures:
    """What each question took: milliseconds of wall and CPU time and of SQL, and the rows the SQL brought."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    sql: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)


def questions(world: World) -> list[str]:
    """Give the questions of every family, refused ones too."""
    return [item.question for item in (*items(world), *constrained(world, random.Random(world.spec.seed), 12))]


def measure(world: World, folder: Path) -> Figures:
    """Ask every question once, after one that is not counted."""
    library = Library(folder)
    recording = publish(library.database, world).public_id
    asked = questions(world)
    ask(library, asked[0], recording=recording)
    figures = Figures()
    for question in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        reply = ask(library, question, recording=recording)
        figures.wall.append(1000 * (time.perf_counter() - wall))
        figures.cpu.append(1000 * (time.process_time() - cpu))
        with library.database.reader() as connection:
            spans = show(connection, reply.trace).spans
        tools = [span for span in spans if span.args.get("tool") in ("fuse", "count")]
        figures.sql.append(1000 * sum((span.t_end or span.t_start) - span.t_start for span in tools))
        figures.rows.append(sum(int(span.result_ref.split()[0]) for span in tools if span.result_ref))
    return figures


def p95(values: Sequence[float]) -> float:
    """Give the 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def main() -> None:
    """Print one line a length, then the ratio."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 23
    medians: list[float] = []
    for minutes in MINUTES:
        world = make(Spec(seed, minutes, CAST))
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(world, Path(folder))
        medians.append(statistics.median(figures.cpu))
        print(  # noqa: T201
            f"{minutes:4} min  {len(world.segments):5} segments  {len(figures.wall)} questions  "
            f"wall p50 {statistics.median(figures.wall):6.1f} ms  p95 {p95(figures.wall):6.1f} ms  "
            f"cpu p50 {medians[-1]:6.1f} ms  p95 {p95(figures.cpu):6.1f} ms  "
            f"SQL p50 {statistics.median(figures.sql):6.1f} ms  rows p50 {statistics.median(figures.rows):g}"
        )
    print(f"540 min / 10 min, cpu p50: {medians[1] / medians[0]:.2f}x (floor 2x)")  # noqa: T201


if __name__ == "__main__":
    main()
