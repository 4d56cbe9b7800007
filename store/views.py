"""What a question can read: six views of the catalog's recordings and active streams, and the keyword hits.

Compiled plans may also read the numbers from 0, of which slices of time are made: no statement may call itself.

Two levels: a public view selects from an inner view whose name is random for each connection, and the authorizer
lets base tables be read only under those inner names, because a CTE can borrow any name that is known. Each view of
rows comes twice: with the columns that people and models see, and as `keyed_...` with the integer columns by which
compiled plans reach the indexes. Stream ids are constants in the bodies, so that SQLite uses them as index keys.
"""

import secrets
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from store import timed
from store.catalog import Catalog
from store.record import StreamKind

HITS = "keyword_hit"
NUMBERS = "number"
PUBLIC: Mapping[str, tuple[str, ...]] = {
    "recording": ("recording_id", "title", "duration_s", "heard_s", "language"),
    "transcript": ("recording_id", "segment_id", "start_s", "end_s", "speaker", "text", "language", "score"),
    "word": ("recording_id", "segment_id", "start_s", "end_s", "word", "score"),
    "speaker": ("recording_id", "start_s", "end_s", "speaker", "score"),
    "emotion": ("recording_id", "start_s", "end_s", "speaker", "label", "score"),
    "events": ("recording_id", "start_s", "end_s", "label", "score"),
    HITS: ("term", "segment_id", "rank", "occurrences"),
}
HIDDEN: Mapping[str, tuple[str, ...]] = {
    "recording": ("rec", "duration_ms", "heard_ms"),
    "transcript": ("rec", "id", "t0", "t1", "voice", "stream"),
    "word": ("rec", "id", "t0", "t1"),
    "speaker": ("rec", "id", "t0", "t1", "voice", "stream"),
    "emotion": ("rec", "id", "t0", "t1", "voice", "stream"),
    "events": ("rec", "id", "t0", "t1", "stream"),
}

_NONE = -1
_STREAMS: Mapping[str, StreamKind] = {
    "transcript": "transcript",
    "word": "transcript",
    "speaker": "speaker",
    "emotion": "emotion",
    "events": "events",
}
_NAME = "(SELECT COALESCE(p.name, p.label) FROM main.speaker p WHERE p.id = s.speaker_id) AS speaker"
_PLACE = (
    "s.t0 / 1000.0 AS start_s, s.t1 / 1000.0 AS end_s, s.rec_id AS rec, s.id AS id, s.t0 AS t0, s.t1 AS t1,"
    " s.stream_id AS stream"
)
# A flattened table of which no column but the rowid is used would be read outside its view: recording, word use one.
_BODIES: Mapping[str, str] = {
    "recording": "SELECT s.public_id AS recording_id, s.title AS title, s.duration_ms / 1000.0 AS duration_s,"
    " s.heard_ms / 1000.0 AS heard_s, s.language AS language, s.id AS rec, s.duration_ms AS duration_ms,"
    " s.heard_ms AS heard_ms FROM main.recording s WHERE {scope} AND s.duration_ms >= 0",
    "transcript": f"SELECT {{recording_id}}, {_PLACE}, s.id AS segment_id, {_NAME}, s.text AS text,"
    " s.language AS language, s.score AS score, s.speaker_id AS voice FROM main.segment s WHERE {scope}",
    "word": "SELECT {recording_id}, json_extract(w.value, '$[0]') / 1000.0 AS start_s,"
    " json_extract(w.value, '$[1]') / 1000.0 AS end_s, s.rec_id AS rec, s.id AS id,"
    " json_extract(w.value, '$[0]') AS t0, json_extract(w.value, '$[1]') AS t1, s.id AS segment_id,"
    " json_extract(w.value, '$[2]') AS word, json_extract(w.value, '$[3]') AS score"
    f" FROM main.segment s CROSS JOIN json_each({timed.FUNCTION}(s.words, s.t0, s.text)) w WHERE {{scope}}"
    " AND w.value IS NOT NULL",
    "speaker": f"SELECT {{recording_id}}, {_PLACE}, {_NAME}, s.score AS score, s.speaker_id AS voice"
    " FROM main.turn s WHERE {scope}",
    "emotion": f"SELECT {{recording_id}}, {_PLACE}, {_NAME}, s.label AS label, s.score AS score,"
    " s.speaker_id AS voice FROM main.emotion s WHERE {scope}",
    "events": f"SELECT {{recording_id}}, {_PLACE}, s.label AS label, s.score AS score"
    " FROM main.event s WHERE {scope}",
}

_ID = {"recording": {"id", "public_id"}}
_VOICE = {"speaker": {"id", "name", "label"}, **_ID}
_ROWS = {"id", "rec_id", "stream_id", "t0", "t1", "score"}
_READS: Mapping[str, Mapping[str, Collection[str]]] = {
    "recording": {"recording": {"id", "public_id", "title", "duration_ms", "heard_ms", "language"}},
    "transcript": {"segment": {*_ROWS, "speaker_id", "text", "language"}, **_VOICE},
    "word": {"segment": {*_ROWS, "words", "text"}, "json_each": {"value", "json"}, **_ID},
    "speaker": {"turn": {*_ROWS, "speaker_id"}, **_VOICE},
    "emotion": {"emotion": {*_ROWS, "speaker_id", "label"}, **_VOICE},
    "events": {"event": {*_ROWS, "label"}, **_ID},
}
_CALLS: Mapping[str, Collection[str]] = {"word": {timed.FUNCTION, "json_each", "json_extract"}}


@dataclass(frozen=True, slots=True)
class Readable:
    """What the authorizer lets be read: base columns by inner view, and the views; inner names end in `suffix`.

    `calls` are functions that an inner view calls, which no statement may call itself.
    """

    base: Mapping[str, Mapping[str, Collection[str]]]
    calls: Mapping[str, Collection[str]]
    inner: Collection[str]
    public: Collection[str]
    suffix: str

    def allows(self, table: str, column: str, base: str | None, inside: str) -> bool:
        """Say whether a column may be read in a view or CTE called `inside`; SQLite names no column for COUNT(*)."""
        if base in ("temp", None) and (table in self.public or table in self.inner):
            return True
        columns = self.base.get(inside, {}).get(table)
        return base in ("main", None) and columns is not None and (not column or column in columns)

    def calls_in(self, function: str, inside: str) -> bool:
        """Say whether a function is one that the view called `inside` is made with."""
        return function in self.calls.get(inside, ())


def keyed(name: str) -> str:
    """Give the name under which compiled plans read a view with its integer columns."""
    return f"keyed_{name}"


def schema() -> str:
    """Write the views as people and models are told them, one a line."""
    return "\n".join(f"{name}({', '.join(columns)})" for name, columns in PUBLIC.items())


def create(connection: sqlite3.Connection, scope: Catalog | None, *, two_levels: bool = True) -> Readable:
    """Create the views for a catalog's recordings (None: for everything, only ever in tests) and the hit table."""
    suffix = secrets.token_hex(16)
    base: dict[str, Mapping[str, Collection[str]]] = {}
    calls: dict[str, Collection[str]] = {}
    inner: set[str] = set()
    for name, body in _BODIES.items():
        select = body.format(recording_id=_recording_id(scope), scope=_scope(name, scope))
        if two_levels:
            below = f"{name}_{suffix}"
            connection.execute(f"CREATE TEMP VIEW {below} AS {select}")
            inner.add(below)
            base[below], calls[below] = _READS[name], _CALLS.get(name, ())
        for public, columns in _outer(name):
            source = below if two_levels else f"({select})"
            connection.execute(f"CREATE TEMP VIEW {public} AS SELECT {', '.join(columns)} FROM {source}")
            if not two_levels:
                base[public], calls[public] = _READS[name], _CALLS.get(name, ())
    connection.execute(f"CREATE TEMP TABLE {HITS}(term TEXT, segment_id INTEGER, rank REAL, occurrences INTEGER)")
    connection.execute(f"CREATE INDEX temp.{HITS}_term ON {HITS}(term, segment_id)")
    connection.execute(f"CREATE TEMP TABLE {NUMBERS}(n INTEGER PRIMARY KEY)")
    readable = {HITS, NUMBERS, *(public for name in _BODIES for public, _ in _outer(name))}
    return Readable(base, calls, inner, readable, suffix)


def in_scope(scope: Catalog, view: str) -> str:
    """Write the condition on `s.stream_id` that holds for the active streams a view reads."""
    kind = _STREAMS[view]
    return _among("s.stream_id", [state.id for state in scope.of(kind).values()])


def _outer(name: str) -> Sequence[tuple[str, tuple[str, ...]]]:
    return (name, PUBLIC[name]), (keyed(name), PUBLIC[name] + HIDDEN[name])


def _recording_id(scope: Catalog | None) -> str:
    if scope is not None and len(scope.recordings) == 1:
        literal = scope.recordings[0].recording.public_id.replace("'", "''")
        return f"'{literal}' AS recording_id"
    return "(SELECT r.public_id FROM main.recording r WHERE r.id = s.rec_id) AS recording_id"


def _scope(name: str, scope: Catalog | None) -> str:
    if scope is None:
        return "1"
    if name == "recording":
        return _among("s.id", [entry.recording.id for entry in scope.recordings])
    return in_scope(scope, name)


def _among(column: str, ids: Sequence[int]) -> str:
    # Of nothing, one that no row has: an empty IN is folded away, and then no column is read inside its view.
    known = ids or (_NONE,)
    return f"{column} = {known[0]}" if len(known) == 1 else f"{column} IN ({', '.join(map(str, known))})"
