"""Questions while a recording is being heard: a reader's 99th percentile beside a writer, and alone.

The writer is a process that publishes stretches of ten minutes one right after the other, which no listener can: one
comes every minute of listening. The reader opens the library, a fence, and runs a fused question, as each `ask` does.
"""

import subprocess
import sys
import time
from collections.abc import Iterator

from store.catalog import Catalog
from store.database import Database
from store.errors import OverheardError
from tests.benchmarks.content import content
from tests.benchmarks.library import published
from tests.benchmarks.questions import questions
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import percentile
from tests.benchmarks.setting import Setting
from tools.call import Session

FLOOR = 10.0
ASKED = "did S say X"


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give p99 during / alone, in rounds of each by turns, and the reads that failed."""
    folder = setting.folder / "read"
    scope, database = published(folder, content(1)), Database(folder)
    reads = 60 if setting.quick else 400
    alone, beside, failed, written = list[float](), list[float](), 0, 0
    for number in range(2 if setting.quick else 4):
        alone += _reads(database, scope, reads)[0]
        times, errors, stretches = _beside(database, scope, reads, number + 1)
        beside, failed, written = beside + times, failed + errors, written + stretches
    slow, usual = percentile(beside, 0.99), percentile(alone, 0.99)
    note = f"{slow:.0f} ms, {usual:.0f} ms; p50 {percentile(beside, 0.5):.0f}, {percentile(alone, 0.5):.0f} ms"
    note += f"; {len(beside):,} reads beside {written} stretches written"
    yield Ratio("reader p99 during ingest / alone", slow / usual, FLOOR, note=note)
    yield Ratio("reads that failed during ingest", failed, 0, unit="errors")


def _beside(database: Database, scope: Catalog, reads: int, seed: int) -> tuple[list[float], int, int]:
    """Read while another process writes; give milliseconds, failures, and the stretches that were written meanwhile."""
    command = [sys.executable, "-m", "tests.benchmarks.writing", str(database.folder), str(seed)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        if writer.stdout is None or writer.stdin is None or writer.stdout.readline() != "begins\n":
            raise RuntimeError("the writer did not begin to write")
        times, errors = _reads(database, scope, reads)
        writer.stdin.close()
        return times, errors, int(writer.stdout.read())


def _reads(database: Database, scope: Catalog, reads: int) -> tuple[list[float], int]:
    """Give milliseconds of wall a read, and how many failed."""
    plan, times, failed = questions()[ASKED], list[float](), 0
    for _ in range(reads):
        began = time.perf_counter()
        try:
            with Session(database, scope) as session:
                session.run(plan)
        except OverheardError:
            failed += 1
        times.append(1000 * (time.perf_counter() - began))
    return times, failed
