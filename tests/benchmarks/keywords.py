"""A word looked for in a whole library: the full-text index beside a scan of all texts.

The word is said about as often as a topic of some interest: less than once an hour. Both statements give the segments
of active transcripts that hold it; what the product does besides (ranks, literal confirmation, counting) is told too.
"""

import sqlite3
from collections.abc import Iterator

from store import keywords
from tests.benchmarks.content import RAREST
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting

FLOOR = 50.0
ACTIVE = "s.stream_id IN (SELECT id FROM stream WHERE kind = 'transcript' AND active = 1)"
SCAN = f"SELECT s.id FROM segment s WHERE s.text LIKE ? AND {ACTIVE}"
INDEX = f"SELECT s.id FROM segment_fts f CROSS JOIN segment s ON s.id = f.rowid WHERE segment_fts MATCH ? AND {ACTIVE}"


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give scan / index, then scan / the product's whole search."""
    database, _ = setting.many
    with database.reader() as connection:
        scanned, indexed = _found(connection, SCAN, f"%{RAREST}%"), _found(connection, INDEX, f'"{RAREST}"')
        if scanned != indexed:
            raise AssertionError("a scan and the index find different segments")
        transcripts = _transcripts(connection)
        ways = {
            "scan": lambda: _found(connection, SCAN, f"%{RAREST}%"),
            "index": lambda: _found(connection, INDEX, f'"{RAREST}"'),
            "hits": lambda: keywords.hits(connection, transcripts, [RAREST]),
        }
        times = {name: found.median for name, found in interleaved(3, ways).items()}
    note = f"{len(scanned):,} segments in {setting.hours:,} h: {times['scan']:,.0f} ms, {times['index']:.1f} ms"
    name = "library keyword search, LIKE scan / full-text index"
    yield Ratio(name, times["scan"] / times["index"], FLOOR, side="at least", note=note)
    note = f"`hits`, {times['hits']:.0f} ms: with ranks, confirmed literally, counted"
    yield Ratio("the scan / the product's whole search", times["scan"] / times["hits"], side="at least", note=note)


def _found(connection: sqlite3.Connection, statement: str, word: str) -> set[int]:
    return {row[0] for row in connection.execute(statement, (word,))}


def _transcripts(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    rows = connection.execute("SELECT rec_id, id FROM stream WHERE kind = 'transcript' AND active = 1")
    return [(row[0], row[1]) for row in rows]
