"""Libraries to measure on: one recording published as the product publishes it, or thousands of hours.

A large library is a few recordings published and then copied row by row inside SQLite, under ids of their own: what is
asked of it cannot tell, and 10,000 hours take minutes to make and not hours.
"""

import sqlite3
from pathlib import Path

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.migrations import SEQ_BITS
from store.streams import Source
from tests.benchmarks.content import HOURS, Content, content

MADE = 8
SOURCE = Source("made", {})
_TABLES = {"transcript": "segment", "speaker": "turn", "emotion": "emotion", "events": "event"}
_AT_ONCE = 50


def published(folder: Path, rows: Content, hours: float = HOURS, number: int = 0) -> Catalog:
    """Publish one recording and give its catalog alone."""
    database = Database.open(folder)
    with database.writing() as connection:
        new = recordings.NewRecording(f"{number:064x}", f"talk {number}", "import", int(hours * 3_600_000))
        recording = recordings.add(connection, new)
        for kind, stream in rows.items():
            version = streams.new_version(connection, recording.id, kind, SOURCE)
            streams.publish(connection, version, stream)
        streams.finish(connection, recording.id, "en")
    return scope(database, recording.public_id)


def scope(database: Database, key: str) -> Catalog:
    """Give the catalog of one recording alone."""
    with database.reader() as connection:
        return catalog(connection, [recordings.find(connection, key)])


def large(folder: Path, hours: int) -> Database:
    """Give a library of at least so many hours in recordings of nine, making what is missing of it."""
    database = Database.open(folder)
    wanted = -(-hours // HOURS)
    with database.reader() as connection:
        held = len(recordings.every(connection))
    for number in range(held, min(wanted, MADE)):
        published(folder, content(number + 1), HOURS, number)
    for first in range(max(held, MADE), wanted, _AT_ONCE):
        with database.writing() as connection:
            for number in range(first, min(first + _AT_ONCE, wanted)):
                _copy(connection, number % MADE + 1, number)
    return database


def _copy(connection: sqlite3.Connection, source: int, number: int) -> None:
    new = recordings.NewRecording(f"{number:064x}", f"talk {number}", "import", HOURS * 3_600_000)
    recording = recordings.add(connection, new)
    (voices,) = connection.execute("SELECT COALESCE(MAX(id), 0) FROM speaker").fetchone()
    (least,) = connection.execute("SELECT MIN(id) FROM speaker WHERE rec_id = ?", (source,)).fetchone()
    shift = {"rec": recording.id, "ids": (recording.id - source) << SEQ_BITS, "voices": voices + 1 - least}
    connection.execute(
        "INSERT INTO speaker(id, rec_id, label) SELECT id + :voices, :rec, label FROM speaker WHERE rec_id = :source",
        shift | {"source": source},
    )
    for kind, old in streams.active(connection, source).items():
        new_id = streams.new_version(connection, recording.id, kind, SOURCE)
        _copy_rows(connection, _TABLES[kind], shift | {"old": old, "new": new_id})
    streams.finish(connection, recording.id, "en")


def _copy_rows(connection: sqlite3.Connection, table: str, shift: dict[str, int]) -> None:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    moved = {"id": "id + :ids", "rec_id": ":rec", "stream_id": ":new", "speaker_id": "speaker_id + :voices"}
    taken = ", ".join(moved.get(column, column) for column in columns)
    connection.execute(f"INSERT INTO {table} SELECT {taken} FROM {table} WHERE stream_id = :old ORDER BY id", shift)
    connection.execute(
        "UPDATE stream SET (rows, max_dur) = (SELECT rows, max_dur FROM stream WHERE id = :old) WHERE id = :new", shift
    )
    if table == "segment":
        connection.execute(
            "INSERT INTO segment_fts(rowid, text) SELECT f.rowid + :ids, f.text FROM segment_fts f"
            " JOIN segment s ON s.id = f.rowid WHERE s.stream_id = :old ORDER BY f.rowid",
            shift,
        )
