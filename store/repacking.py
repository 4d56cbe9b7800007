"""The schema's fifth step: what took a row or a name for every number becomes one cell a row, with nothing changed.

Words go into their segment's cell, what was measured for an emotion row into numbers without their names, a vector's
scale and model before its bytes and into a number.
"""

import json
import sqlite3
import struct
from itertools import groupby

from store import timed
from store.measured import Names
from store.record import Segment, Word

_TABLES = """
ALTER TABLE segment ADD COLUMN words BLOB;
CREATE TABLE measured(
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, n INTEGER NOT NULL, names TEXT NOT NULL,
  PRIMARY KEY(stream_id, n)) WITHOUT ROWID;
ALTER TABLE emotion RENAME TO emotion_4;
CREATE TABLE emotion(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  speaker_id INTEGER REFERENCES speaker(id), label TEXT NOT NULL, score REAL NOT NULL, scores BLOB, CHECK(t1 > t0));
ALTER TABLE embedding RENAME TO embedding_4;
CREATE TABLE embedding(
  segment_id INTEGER PRIMARY KEY REFERENCES segment(id) ON DELETE CASCADE, model INTEGER NOT NULL,
  vector BLOB NOT NULL);
"""
_DROPPED = """
DROP TABLE word;
DROP TABLE emotion_4;
CREATE INDEX emotion_time ON emotion(stream_id, t0);
DROP TABLE embedding_4;
"""


def repack(connection: sqlite3.Connection) -> None:
    """Pack the rows of a library of the fourth schema, inside the transaction that migrates."""
    _run(connection, _TABLES)
    _words(connection)
    _emotions(connection)
    connection.create_function("scaled", 2, lambda scale, vector: struct.pack("<f", scale) + vector)
    connection.execute("INSERT INTO embedding SELECT segment_id, 1, scaled(scale, vector) FROM embedding_4 ORDER BY 1")
    _run(connection, _DROPPED)


def _run(connection: sqlite3.Connection, script: str) -> None:
    for statement in filter(str.strip, script.split(";\n")):
        connection.execute(statement)


def _words(connection: sqlite3.Connection) -> None:
    rows = connection.execute(
        "SELECT w.segment_id, s.t0, s.text, w.t0, w.t1, w.text, w.score FROM word w"
        " JOIN segment s ON s.id = w.segment_id ORDER BY w.segment_id, w.i"
    )
    for place, group in groupby(map(tuple, rows), key=lambda row: row[:3]):
        segment_id, t0, text = place
        cell = timed.packed(Segment(t0, t0 + 1, text, words=tuple(Word(*row[3:]) for row in group)))
        connection.execute("UPDATE segment SET words = ? WHERE id = ?", (cell, segment_id))


def _emotions(connection: sqlite3.Connection) -> None:
    names: dict[int, Names] = {}
    for row in connection.execute("SELECT * FROM emotion_4 ORDER BY id"):
        *kept, scores = row
        version = row["stream_id"]
        if version not in names:
            names[version] = Names(connection, version)
        cell = names[version].packed(json.loads(scores))
        connection.execute("INSERT INTO emotion VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", (*kept, cell))
