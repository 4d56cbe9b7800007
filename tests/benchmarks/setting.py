"""What a run measures on: how large, how often, and where the made libraries lie."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from store.catalog import Catalog
from store.database import Database
from tests.benchmarks import hearing
from tests.benchmarks.content import HOURS, content
from tests.benchmarks.library import large, published, scope


@dataclass(frozen=True)
class Setting:
    """The scale of a run: `hours` of the large library, vectors in the library's index, rounds of each comparison."""

    folder: Path
    hours: int
    vectors: int
    rounds: int
    minutes: tuple[int, ...]
    libraries: tuple[int, ...]
    quick: bool = False
    kept: Path | None = None

    @cached_property
    def nine(self) -> tuple[Database, Catalog]:
        """A library of one recording of nine hours."""
        folder = self.folder / "nine"
        return Database(folder), published(folder, content(1), HOURS)

    @cached_property
    def many(self) -> tuple[Database, Catalog]:
        """A library of many hours, with the catalog of the same recording of nine hours in it."""
        database = large(self.kept or self.folder / "many", self.hours)
        return database, scope(database, "talk 0")

    @property
    def pace(self) -> tuple[float, str]:
        """How much faster than it lasts a recording is heard, and how that is known."""
        return (hearing.GOAL, "the goal's pace") if self.quick else (hearing.listening().pace, "as the sample is heard")


def full(folder: Path, kept: Path | None) -> Setting:
    """Give the scale of the specification."""
    return Setting(folder, 10_000, 100_000, 7, (10, 60, 300, 540), (9, 100, 1_000, 10_000), kept=kept)


def quick(folder: Path) -> Setting:
    """Give a scale for every change: 200 hours, and what can be measured within a minute."""
    return Setting(folder, 200, 10_000, 3, (10, 540), (9, 200), quick=True)
