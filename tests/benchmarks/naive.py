"""What the bound on a partner's start saves: the same join without it, as SQL is usually written.

The nearest join of a naive writer looks at every sound for each turn; that of overlaps at every sound that begins
before the turn ends. Where one sound lasts as long as the recording, the bound alone would save nothing.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from store.catalog import Catalog
from store.database import Database
from store.link import TAU_MS
from tests.benchmarks.content import content, whole
from tests.benchmarks.joins import made, sql
from tests.benchmarks.library import published
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting

GAP = "MAX(0, p.t0 - a.t1, a.t0 - p.t1)"
OVERLAPS = "SELECT a.id, p.id FROM turns a CROSS JOIN sounds p WHERE p.t0 < a.t1 AND p.t1 > a.t0"
NEAREST = (
    f"SELECT anchor, id FROM (SELECT a.id AS anchor, p.id AS id, ROW_NUMBER() OVER"
    f" (PARTITION BY a.id ORDER BY {GAP}, p.t0, p.id) AS place FROM turns a CROSS JOIN sounds p"
    f" WHERE {GAP} <= {TAU_MS}) WHERE place = 1"
)


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give naive / bounded for both joins, then with one sound as long as the recording."""
    hours = 6.0 if setting.quick else 9.0
    rows = content(1, hours)
    scope = published(setting.folder / "naive", rows, hours)
    nearest, overlaps = _saved(setting.folder / "naive", scope, setting.rounds)
    size = f"{len(rows['speaker']):,} turns, {len(rows['events']):,} sounds"
    yield Ratio("naive nearest join / bounded", nearest, 20.0, side="at least", note=size)
    yield Ratio("naive overlap join / bounded", overlaps, 50.0, side="at least", note=size)
    rows["events"].append(whole(hours))
    scope = published(setting.folder / "long", rows, hours)
    nearest, overlaps = _saved(setting.folder / "long", scope, setting.rounds)
    yield Ratio("the same, one sound as long as the recording: nearest", nearest, 10.0, side="at least")
    yield Ratio("the same, one sound as long as the recording: overlap", overlaps, 10.0, side="at least")


def _saved(folder: Path, scope: Catalog, rounds: int) -> tuple[float, float]:
    """Give naive / bounded for nearest and overlaps, after both gave the same."""
    tables = f"WITH {', '.join(made(scope))} "
    naive = {"nearest": tables + NEAREST, "overlaps": tables + OVERLAPS}
    with Database(folder).reader() as connection:
        connection.row_factory = None
        ways = {"nearest": sql(scope, "nearest"), "overlaps": sql(scope, "overlaps")}
        for relation in ("nearest", "overlaps"):
            if set(connection.execute(naive[relation])) != set(connection.execute(ways[relation])):
                raise AssertionError(f"the {relation} join with and without its bound differ")
        timed = {f"{kind} {name}": _run(connection, text) for kind, texts in (("naive", naive), ("bounded", ways))
                 for name, text in texts.items()}  # fmt: skip
        times = {name: found.median for name, found in interleaved(max(3, rounds // 2), timed).items()}
    return times["naive nearest"] / times["bounded nearest"], times["naive overlaps"] / times["bounded overlaps"]


def _run(connection: sqlite3.Connection, text: str) -> Callable[[], object]:
    return lambda: connection.execute(text).fetchall()
