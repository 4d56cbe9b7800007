"""The schema as numbered steps; the applied number is SQLite's own `user_version`.

Shape rules that were measured: a row's id is `recording << 20 | seq`, so one recording is one rowid range, also in
the full-text index; every interval join bounds its left edge by the stream's longest row; rows of a version that is
not active stay until the recording goes, so a newer listening never destroys an older one.
"""

import sqlite3
from collections.abc import Callable

from store.repacking import repack

SEQ_BITS = 20
MAX_SEQ = (1 << SEQ_BITS) - 1

_FIRST = """
CREATE TABLE recording(
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, path TEXT, origin TEXT NOT NULL, duration_ms INTEGER NOT NULL, estimated INTEGER NOT NULL,
  heard_ms INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, language TEXT, roster TEXT NOT NULL DEFAULT 'auto',
  manifest TEXT NOT NULL DEFAULT '{}', created_at TEXT NOT NULL);
CREATE TABLE stream(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE, kind TEXT NOT NULL,
  version INTEGER NOT NULL, active INTEGER NOT NULL, model TEXT NOT NULL, params TEXT NOT NULL DEFAULT '{}',
  labels TEXT, rows INTEGER NOT NULL DEFAULT 0, max_dur INTEGER NOT NULL DEFAULT 0,
  offset_ms INTEGER NOT NULL DEFAULT 0,
  health REAL, note TEXT, UNIQUE(rec_id, kind, version));
CREATE UNIQUE INDEX stream_active ON stream(rec_id, kind) WHERE active = 1;
CREATE TABLE chunk(
  rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  voices BLOB, PRIMARY KEY(rec_id, t0));
CREATE TABLE speaker(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE, label TEXT NOT NULL,
  name TEXT, aliases TEXT NOT NULL DEFAULT '[]', doubt TEXT, UNIQUE(rec_id, label));
CREATE TABLE speaker_edit(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE, action TEXT NOT NULL,
  before TEXT NOT NULL, after TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL);
CREATE TABLE segment(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  speaker_id INTEGER REFERENCES speaker(id), text TEXT NOT NULL, language TEXT, score REAL, CHECK(t1 > t0));
CREATE INDEX segment_time ON segment(stream_id, t0);
CREATE INDEX segment_speaker ON segment(stream_id, speaker_id, t0);
CREATE TABLE word(
  segment_id INTEGER NOT NULL REFERENCES segment(id) ON DELETE CASCADE, i INTEGER NOT NULL, t0 INTEGER NOT NULL,
  t1 INTEGER NOT NULL, text TEXT NOT NULL, score REAL, PRIMARY KEY(segment_id, i)) WITHOUT ROWID;
CREATE TABLE turn(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  speaker_id INTEGER NOT NULL REFERENCES speaker(id), score REAL, CHECK(t1 > t0));
CREATE INDEX turn_time ON turn(stream_id, t0);
CREATE INDEX turn_speaker ON turn(stream_id, speaker_id, t0);
CREATE TABLE emotion(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  speaker_id INTEGER REFERENCES speaker(id), label TEXT NOT NULL, score REAL NOT NULL,
  scores TEXT NOT NULL DEFAULT '{}', CHECK(t1 > t0));
CREATE INDEX emotion_time ON emotion(stream_id, t0);
CREATE TABLE event(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
  label TEXT NOT NULL, score REAL NOT NULL, CHECK(t1 > t0));
CREATE INDEX event_time ON event(stream_id, t0);
CREATE INDEX event_label ON event(stream_id, label, t0);
CREATE TABLE embedding(
  segment_id INTEGER PRIMARY KEY REFERENCES segment(id) ON DELETE CASCADE, model TEXT NOT NULL, scale REAL NOT NULL,
  vector BLOB NOT NULL);
CREATE VIRTUAL TABLE segment_fts USING fts5(text, tokenize = "unicode61 remove_diacritics 0");
CREATE TABLE trace(
  id TEXT PRIMARY KEY, at TEXT NOT NULL, question TEXT NOT NULL, recordings TEXT NOT NULL, reply TEXT);
CREATE TABLE span(
  trace_id TEXT NOT NULL REFERENCES trace(id) ON DELETE CASCADE, id INTEGER NOT NULL, parent INTEGER,
  name TEXT NOT NULL, t_start REAL NOT NULL, t_end REAL, args TEXT NOT NULL, result_ref TEXT, error TEXT,
  stream_versions TEXT NOT NULL DEFAULT '{}', PRIMARY KEY(trace_id, id)) WITHOUT ROWID;
"""

# Each version of a stream has a watermark and checks of its own; what was set aside is kept beside the rows.
_LISTENINGS = """
ALTER TABLE stream ADD COLUMN heard_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE stream ADD COLUMN checks TEXT NOT NULL DEFAULT '{}';
UPDATE stream SET heard_ms = (SELECT heard_ms FROM recording WHERE recording.id = stream.rec_id);
CREATE TABLE aside(
  id INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, t0 INTEGER NOT NULL,
  t1 INTEGER NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL, CHECK(t1 > t0));
CREATE INDEX aside_time ON aside(stream_id, t0);
"""

# A row that an edit gave to another voice keeps the one it was heard as; an edit holds for the versions up to `through`
# and for whatever is heard later; how a voice sounds is kept with the version it was heard in.
_VOICES = """
ALTER TABLE speaker_edit ADD COLUMN through INTEGER NOT NULL DEFAULT 0;
CREATE TABLE moved(
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, row_id INTEGER NOT NULL,
  heard_id INTEGER NOT NULL REFERENCES speaker(id), PRIMARY KEY(stream_id, row_id)) WITHOUT ROWID;
CREATE TABLE voiceprint(
  stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
  speaker_id INTEGER NOT NULL REFERENCES speaker(id),
  model TEXT NOT NULL, seconds REAL NOT NULL, vector BLOB NOT NULL, PRIMARY KEY(stream_id, speaker_id)) WITHOUT ROWID;
"""

# What an endpoint answered about a span of a recording, so that a kill costs one call.
_REPLIES = """
CREATE TABLE reply(
  id INTEGER PRIMARY KEY, rec_id INTEGER NOT NULL REFERENCES recording(id) ON DELETE CASCADE, request TEXT NOT NULL,
  t0 INTEGER NOT NULL, t1 INTEGER NOT NULL, finish TEXT NOT NULL, text TEXT NOT NULL, input_tokens INTEGER,
  output_tokens INTEGER);
CREATE INDEX reply_request ON reply(rec_id, request, t0);
"""

# What joins in time read of a turn or a sound lies in its index. Of two indexes that would do, SQLite takes the later
# one, so that rows come in order of time where a statement names no order.
_TIMES = """
DROP INDEX segment_time;
CREATE INDEX segment_time ON segment(stream_id, t0);
DROP INDEX turn_time;
CREATE INDEX turn_time ON turn(stream_id, t0, t1, rec_id, speaker_id);
DROP INDEX event_time;
CREATE INDEX event_time ON event(stream_id, t0, t1, rec_id);
"""
# The index keeps no text of its own: a segment's is brought into its normal form again where it is read.
_SEARCHED = """
DROP TABLE segment_fts;
CREATE VIEW searched AS SELECT id, normal_form(text) AS text FROM segment;
CREATE VIRTUAL TABLE segment_fts USING fts5(
  text, content = 'searched', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 0");
INSERT INTO segment_fts(segment_fts) VALUES('rebuild');
"""


def _step(script: str) -> Callable[[sqlite3.Connection], None]:
    """Give what runs a script statement by statement, inside the transaction that migrates."""

    def run(connection: sqlite3.Connection) -> None:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.execute(statement)

    return run


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _step(_FIRST),
    _step(_LISTENINGS),
    _step(_VOICES),
    _step(_REPLIES),
    repack,
    _step(_SEARCHED),
    _step(_TIMES),
)
SCHEMA_VERSION = len(MIGRATIONS)
