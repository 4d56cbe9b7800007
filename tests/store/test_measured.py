"""What was measured for a row comes back by its names; the names of a version stand once, and go with it."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from store import recordings, rows, streams
from store.database import Database
from store.measured import Names
from store.record import Emotion, Row

HEARD = {"anger": 0.0816, "neutral": 0.9184}
PROSODY = {"energy_db": -24.68, "pitch_hz": 221.3, "rate_hz": 4.96}
MEASURED: tuple[dict[str, float], ...] = ({}, HEARD, HEARD | PROSODY, {"é": 0.1 + 0.2}, HEARD)
ROWS: list[Row] = [Emotion(n, n + 1, "anger", 0.5, None, scores) for n, scores in enumerate(MEASURED)]


def _published(database: Database, *parts: list[Row]) -> int:
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("a" * 64, "r", "import", 9_000)).id
        stream = streams.new_version(connection, rec, "emotion", streams.Source("t", {}))
        for part in parts:
            streams.publish(connection, stream, part)
    return stream


def test_rows_of_several_sets_of_names_share_a_version(database: Database) -> None:
    stream = _published(database, ROWS[:2], ROWS[2:])
    with database.reader() as connection:
        assert rows.emotions(connection, stream) == ROWS
        assert connection.execute("SELECT COUNT(*) FROM measured").fetchone()[0] == 3
        (size,) = connection.execute("SELECT MAX(LENGTH(scores)) FROM emotion").fetchone()
    assert size <= 16


def test_names_go_with_their_version(database: Database) -> None:
    stream = _published(database, ROWS)
    with database.writing() as connection:
        streams.drop(connection, [stream])
        assert connection.execute("SELECT COUNT(*) FROM measured").fetchone()[0] == 0


@given(st.dictionaries(st.text("abé", max_size=3), st.floats(allow_nan=False), max_size=4))
def test_any_numbers_come_back_as_they_were(scores: dict[str, float]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE measured(stream_id, n, names)")
    cell = Names(connection, 1).packed(scores)
    assert Names(connection, 1).unpacked(cell) == scores
    connection.close()
