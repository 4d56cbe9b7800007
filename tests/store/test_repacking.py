"""A library of the fourth schema, which had a row for each word, says after its migration what it said before."""

import sqlite3
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from store import keywords, recordings, rows, streams, vectors
from store.catalog import catalog
from store.database import Database
from store.fence import open_fence
from store.migrations import SCHEMA_VERSION
from store.record import Emotion, Row, Segment, StreamKind, Word
from tests.store import older

SAID = (
    Segment(1_000, 2_000, "The budget, then", "A", (Word(1_000, 1_400, "The", 0.874), Word(1_390, 2_100, "budget,")),
            "en", 0.5),
    Segment(3_000, 3_001, "字字", None, (Word(3_000, 3_000, "字", 1 / 3), Word(2_999, 3_001, "字", 0.0))),
    Segment(4_000, 4_500, "nothing timed", "A"),
)  # fmt: skip
FELT = (
    Emotion(0, 1, "anger", 0.25, "A", {"anger": 0.25, "pitch_hz": 221.3, "energy_db": -24.68}),
    Emotion(5, 9, "no clear emotion", 0.1, None, {}),
    Emotion(9, 12, "anger", 0.5, None, {"anger": 1 / 3}),
)
ROWS: dict[StreamKind, tuple[Row, ...]] = {"transcript": SAID, "emotion": FELT}
QUERY = np.random.default_rng(3).normal(size=vectors.WIDTH).astype(np.float32)


def _told(database: Database) -> tuple[Any, ...]:
    """Give all that a library says of its rows, by every road."""
    with database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
        found = keywords.hits(connection, [(1, 1)], ["budget", "字", "the budget then"])
        kept = rows.segments(connection, 1), rows.emotions(connection, 2)
        near = vectors.similarities(connection, [1], QUERY)
    with open_fence(database, scope) as fence:
        return kept, found, near, fence.run("SELECT * FROM word").rows


@pytest.fixture
def told(database: Database) -> tuple[Any, ...]:
    """What a library said before it became one of the fourth schema."""
    with database.writing() as connection:
        recording = recordings.add(connection, recordings.NewRecording("a" * 64, "meeting", "import", 10_000))
        for kind, made in ROWS.items():
            stream = streams.new_version(connection, recording.id, kind, streams.Source("test", {}))
            streams.publish(connection, stream, made)
        ids = [row[0] for row in connection.execute("SELECT id FROM segment")]
        vectors.save(connection, ids, np.random.default_rng(1).normal(size=(3, vectors.WIDTH)).astype(np.float32))
    before = _told(database)
    older.fourth(database)
    return before


def test_every_row_says_what_it_said(database: Database, told: tuple[Any, ...]) -> None:
    with closing(sqlite3.connect(database.path)) as old:
        assert old.execute("SELECT text, score FROM word WHERE t0 < 1300").fetchall() == [("The", 0.874)]
    migrated = Database.open(database.folder)
    assert _told(migrated) == told
    assert told[0] == (list(SAID), list(FELT))
    with migrated.reader() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_what_is_removed_takes_its_packed_rows_along(database: Database, told: tuple[Any, ...]) -> None:
    with Database.open(database.folder).writing() as connection:
        connection.execute("DELETE FROM recording")
        for table in ("segment", "emotion", "measured", "embedding"):
            assert connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] == 0, table
