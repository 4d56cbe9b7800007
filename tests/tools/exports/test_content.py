"""What an export may write: the rows that are asked, under the names that tell voices apart."""

import pytest

from store import recordings, streams
from store.database import Database
from store.edits import merge, rename, undo
from store.errors import DataError
from store.record import Event, Segment, Turn
from tests.tools.made import Made, made
from tools.exports.content import Content, content

TALK = Made(
    [Segment(0, 1_000, "one", "A"), Segment(1_000, 2_000, "two", "B"), Segment(2_000, 3_000, "three", None)],
    [Turn(0, 1_000, "A"), Turn(1_000, 2_000, "B"), Turn(5_000, 6_000, "SPEAKER_02")],
    events=[],
)


def read(database: Database) -> Content:
    with database.reader() as connection:
        return content(connection, recordings.every(connection)[0])


def test_a_stream_that_was_never_computed_is_absent_and_an_empty_one_is_not(database: Database) -> None:
    made(database, TALK)
    found = read(database)
    assert set(found.rows) == {"transcript", "speaker", "events"}
    assert (found.events, found.emotions) == ([], [])
    found.need("events", "csv")
    with pytest.raises(DataError, match="talk-0-00000000 has no emotion stream, which csv is made of"):
        found.need("emotion", "csv")


def test_only_the_version_that_is_asked_is_written(database: Database) -> None:
    made(database, TALK)
    with database.writing() as connection:
        newer = streams.new_version(connection, 1, "events", streams.Source("t", {}))
        streams.publish(connection, newer, [Event(0, 1, "Bell", 0.5)])
        streams.new_version(connection, 1, "transcript", streams.Source("t", {}), active=False)
    found = read(database)
    assert [event.label for event in found.events] == ["Bell"]
    assert len(found.segments) == 3


def test_two_voices_of_one_name_keep_their_labels(database: Database) -> None:
    made(database, TALK)
    with database.writing() as connection:
        rename(connection, 1, "A", "Zoë")
    assert read(database).names() == {"A": "Zoë", "B": "B", "SPEAKER_02": "SPEAKER_02"}
    with database.writing() as connection:
        connection.execute("UPDATE speaker SET name = 'Zoë' WHERE label = 'B'")
    assert read(database).names() == {"A": "A", "B": "B", "SPEAKER_02": "SPEAKER_02"}


def test_a_merged_voice_is_written_as_the_one_it_is_part_of(database: Database) -> None:
    made(database, TALK)
    with database.writing() as connection:
        merge(connection, 1, "A", "B")
    found = read(database)
    assert [segment.speaker for segment in found.segments] == ["A", "A", None]
    assert set(found.names()) == {"A", "SPEAKER_02"}
    assert {turn.speaker for turn in found.turns} <= set(found.names())
    with database.writing() as connection:
        undo(connection, 1)
    assert [segment.speaker for segment in read(database).segments] == ["A", "B", None]
