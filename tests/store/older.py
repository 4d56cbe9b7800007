"""A library as an older schema kept it, made from a new one: what migrations begin with."""

import json
import sqlite3
from contextlib import closing

from store import timed
from store.database import Database
from store.keywords import normalise
from store.measured import Names

_SCRIPT = """
DROP TABLE segment_fts;
DROP VIEW searched;
CREATE VIRTUAL TABLE segment_fts USING fts5(text, tokenize = "unicode61 remove_diacritics 0");
INSERT INTO segment_fts(rowid, text) SELECT id, normal_form(text) FROM segment;
CREATE TABLE word(
  segment_id INTEGER NOT NULL REFERENCES segment(id) ON DELETE CASCADE, i INTEGER NOT NULL, t0 INTEGER NOT NULL,
  t1 INTEGER NOT NULL, text TEXT NOT NULL, score REAL, PRIMARY KEY(segment_id, i)) WITHOUT ROWID;
ALTER TABLE segment DROP COLUMN words;
ALTER TABLE emotion DROP COLUMN scores;
ALTER TABLE emotion ADD COLUMN scores TEXT NOT NULL DEFAULT '{}';
DROP TABLE measured;
CREATE TABLE embedding_4(
  segment_id INTEGER PRIMARY KEY REFERENCES segment(id) ON DELETE CASCADE, model TEXT NOT NULL, scale REAL NOT NULL,
  vector BLOB NOT NULL);
INSERT INTO embedding_4 SELECT segment_id, 'all-MiniLM-L6-v2', scale(vector), substr(vector, 5) FROM embedding;
DROP TABLE embedding;
ALTER TABLE embedding_4 RENAME TO embedding;
DROP INDEX turn_time;
CREATE INDEX turn_time ON turn(stream_id, t0);
DROP INDEX event_time;
CREATE INDEX event_time ON event(stream_id, t0);
PRAGMA user_version = 4;
"""


def fourth(database: Database) -> None:
    """Bring a library back to the fourth schema: a row a word, scores as JSON, vectors with model and scale."""
    with closing(sqlite3.connect(database.path)) as connection:
        connection.create_function("normal_form", 1, normalise)
        connection.create_function("scale", 1, lambda vector: memoryview(vector)[:4].cast("f")[0])
        said = connection.execute("SELECT id, words, t0, text FROM segment").fetchall()
        felt = connection.execute("SELECT id, stream_id, scores FROM emotion").fetchall()
        measured = [(json.dumps(Names(connection, version).unpacked(cell)), row_id) for row_id, version, cell in felt]
        connection.executescript(_SCRIPT)
        connection.executemany("UPDATE emotion SET scores = ? WHERE id = ?", measured)
        for row_id, cell, t0, text in said:
            words = enumerate(timed.unpacked(cell, t0, text))
            rows = ((row_id, i, word.t0, word.t1, word.text, word.score) for i, word in words)
            connection.executemany("INSERT INTO word VALUES(?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
