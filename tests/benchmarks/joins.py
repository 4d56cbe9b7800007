"""Joins in time as the product writes them, beside what numpy needs: nine hours of turns, each with its sounds.

What both give is compared row by row before any time is taken.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np
from sqlglot import exp

from store import fusion
from store.catalog import Catalog
from store.link import TAU_MS, Link, Relation
from store.record import StreamKind
from tests.benchmarks import arrays
from tests.benchmarks.arrays import Rows
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting

FLOOR, GOAL = 25.0, 4.0
EVERY = 10**9
KINDS: tuple[StreamKind, StreamKind] = ("speaker", "events")
ROW = "rec_id AS rec, id, t0, t1"


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the nearest and the overlap join beside their bounds."""
    database, scope = setting.nine
    with database.reader() as connection:
        connection.row_factory = None
        turns, sounds = _fetched(connection, scope)
        texts = {relation: sql(scope, relation) for relation in ("nearest", "overlaps")}
        _equal(connection, texts, turns, sounds)

        def fetch() -> None:
            arrays.nearest(*_fetched(connection, scope), TAU_MS)

        ways = {
            "nearest": lambda: connection.execute(texts["nearest"]).fetchall(),
            "overlaps": lambda: connection.execute(texts["overlaps"]).fetchall(),
            "fetched": fetch,
            "nearest, numpy": lambda: arrays.nearest(turns, sounds, TAU_MS),
            "overlaps, numpy": lambda: arrays.overlapping(turns, sounds),
        }
        times = {name: found.median for name, found in interleaved(setting.rounds, ways).items()}
    bound, pairs = times["nearest, numpy"], times["overlaps, numpy"]
    size = f"{len(turns.id):,} turns, {len(sounds.id):,} sounds"
    yield Ratio("nearest join with tau, fetch + numpy / numpy", times["fetched"] / bound, FLOOR, GOAL, note=size)
    note = f"{times['nearest']:.1f} ms, {bound:.2f} ms"
    yield Ratio("nearest join with tau, in SQL / numpy", times["nearest"] / bound, FLOOR, GOAL, note=note)
    note = f"{times['overlaps']:.1f} ms, {pairs:.2f} ms"
    yield Ratio("overlap join, in SQL / numpy", times["overlaps"] / pairs, FLOOR, GOAL, note=note)


def sql(scope: Catalog, relation: Relation) -> str:
    """Write the join of all turns with sounds by the product's own rules: anchor, partner."""
    link = Link("sounds", relation, scope.longest("events"))
    tables = [_table(name, query) for name, query in fusion.supports(link)]
    tables.append(f"matched AS ({fusion.pairs(link, 'turns', EVERY).sql('sqlite')})")
    found = fusion.chosen(link, "matched").sql("sqlite")
    return f"WITH {', '.join((*made(scope), *tables))} SELECT anchor, id FROM ({found})"


def _table(name: str, query: exp.Select) -> str:
    once = "MATERIALIZED" if fusion.computed_once(name) else "NOT MATERIALIZED"
    return f"{name} AS {once} ({query.sql('sqlite')})"


def made(scope: Catalog) -> tuple[str, str]:
    """Write the tables of all turns and of all sounds; all are wanted, so the turns need no numbers of their own."""
    turns, sounds = (next(iter(scope.of(kind).values())).id for kind in KINDS)
    return (
        f"turns AS NOT MATERIALIZED (SELECT {ROW}, speaker_id AS voice, 1 AS n FROM turn WHERE stream_id = {turns})",
        f"sounds AS NOT MATERIALIZED (SELECT {ROW}, NULL AS voice FROM event WHERE stream_id = {sounds})",
    )


def _fetched(connection: sqlite3.Connection, scope: Catalog) -> tuple[Rows, Rows]:
    turns, sounds = (next(iter(scope.of(kind).values())).id for kind in KINDS)
    return _rows(connection, "turn", turns), _rows(connection, "event", sounds)


def _rows(connection: sqlite3.Connection, name: str, stream: int) -> Rows:
    found = connection.execute(f"SELECT id, t0, t1 FROM {name} WHERE stream_id = ?", (stream,))
    table = np.fromiter(chain.from_iterable(found), np.int64).reshape(-1, 3)
    return Rows.of(table[np.lexsort((table[:, 0], table[:, 1]))])  # SQLite would sort the ties in a tree of its own


def _equal(connection: sqlite3.Connection, texts: Mapping[str, str], turns: Rows, sounds: Rows) -> None:
    near = arrays.nearest(turns, sounds, TAU_MS)
    wanted = {(int(a), int(p)) for a, p in zip(turns.id, near, strict=True) if p != arrays.NONE}
    pairs = {(int(a), int(p)) for a, p in arrays.overlapping(turns, sounds)}
    for relation, expected in (("nearest", wanted), ("overlaps", pairs)):
        if set(connection.execute(texts[relation])) != expected:
            raise AssertionError(f"the {relation} join in SQL and over arrays differ")
