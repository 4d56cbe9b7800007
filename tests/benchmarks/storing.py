"""What nine hours take in the store: seconds to write them, and bytes."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from store import vectors
from store.database import Database
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.setting import Setting
from tests.benchmarks.talk import hear, stretches, talk

LEDGER, VECTORS = ("chunk",), ("embedding",)


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the share of a listening that is spent writing, then megabytes an hour."""
    minutes = 60 if setting.quick else 540
    seconds = min(_written(setting.folder / f"written {turn}", minutes) for turn in range(2))
    pace, known = setting.pace
    listening = 60 * minutes / pace
    note = f"{seconds:.1f} s to write {minutes} min, which are heard in {listening:.0f} s ({pace:.1f}x, {known})"
    yield Ratio("store write / whole ingest", 100 * seconds / listening, 0.5, unit="%", note=note)
    sizes = _sizes(setting.folder / "written 0")
    hourly = {name: size / 1e6 / (minutes / 60) for name, size in sizes.items() if name not in LEDGER}
    plain = sum(size for name, size in hourly.items() if name not in VECTORS)
    largest = sorted(hourly, key=lambda name: -hourly[name])[:6]
    note = ", ".join(f"{name} {hourly[name]:.2f}" for name in largest)
    yield Ratio("database an hour of audio, without vectors and ledger", plain, 0.6, unit="MB", note=note)
    yield Ratio("database an hour of audio, without the ledger", sum(hourly.values()), 0.8, unit="MB")


def _written(folder: Path, minutes: int) -> float:
    """Publish a recording with vectors, which are random; give the seconds, waiting for the disk too."""
    database, world = Database.open(folder), talk(minutes)
    parts = list(stretches(world))
    began = time.perf_counter()
    hear(database, world, parts)
    with database.reader() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM segment")]
    meant = np.random.default_rng(1).normal(size=(len(ids), vectors.WIDTH)).astype(np.float32)
    for start in range(0, len(ids), 256):
        with database.writing() as connection:
            vectors.save(connection, ids[start : start + 256], meant[start : start + 256])
    return time.perf_counter() - began


def _sizes(folder: Path) -> dict[str, int]:
    """Give the bytes of each table and index after VACUUM, so that pages which only wait to be used do not count."""
    with Database(folder).maintenance() as connection:
        connection.execute("VACUUM")
        try:
            return dict(map(tuple, connection.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY 1")))
        except sqlite3.OperationalError:
            raise SystemExit("this Python's SQLite was built without dbstat, which tells a table's bytes") from None
