"""Ingest with the default models: how much faster than it lasts a recording is heard, by a process of its own.

The recording is the sample that is shipped; with `long` recordings it is those files, so that memory can be compared.
The recipe is what `overheard ingest` takes without options: whisper-base, int8, the product's two threads.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent.evals import sample
from store import recordings
from store.database import Database
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.spending import run

RECIPE = "overheard ingest: whisper-base, CAM++ voices, YAMNet, emotion head, MiniLM vectors"
FLOOR, GOAL = 8.0, 10.0
MEMORY = 1.2


@dataclass(frozen=True, slots=True)
class Listening:
    """What a listening took: seconds of audio, of wall, of CPU, and megabytes at the most."""

    audio: float
    wall: float
    cpu: float
    peak: float

    @property
    def pace(self) -> float:
        """How much faster than it lasts."""
        return self.audio / self.wall

    def __str__(self) -> str:
        """Tell it in a line."""
        alone = self.audio / self.cpu * (os.cpu_count() or 1)
        return f"{self.audio:.0f} s of audio in {self.wall:.1f} s, {alone:.1f}x by CPU time, peak {self.peak:,.0f} MB"


def ratios(long: Sequence[Path] = ()) -> Iterator[Ratio]:
    """Give audio / wall; of two long recordings, the shorter first, peak memory of the second / the first too."""
    if not long:
        found = listening()
        yield Ratio(
            "ingest, audio / wall", found.pace, FLOOR, GOAL, side="at least", note=f"the sample: {found}; {RECIPE}"
        )
        return
    heard = [listening(path) for path in long]
    for path, found in zip(long, heard, strict=True):
        yield Ratio(
            f"ingest of {path.name}, audio / wall", found.pace, FLOOR, GOAL, side="at least", note=f"{found}; {RECIPE}"
        )
    lengths = " / ".join(f"{found.audio / 3600:.2g} h" for found in reversed(heard))
    yield Ratio(f"peak memory of ingest, {lengths}", heard[-1].peak / heard[0].peak, MEMORY)


@lru_cache
def listening(path: Path | None = None) -> Listening:
    """Hear a recording (None: the sample) into a library of its own, from the start of the process to its end."""
    path = path or sample.RECORDING
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "agent.front", "--library", folder, "ingest", str(path)]
        wall, used = run(command)
        with Database(Path(folder)).reader() as connection:
            seconds = recordings.every(connection)[0].duration_ms / 1000
    return Listening(seconds, wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
