"""Versions of a stream: only the active one is asked, seq is never used again; and the catalog that tells of them."""

import sqlite3
from collections.abc import Iterator

import pytest

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.errors import DataError
from store.fence import open_fence
from store.record import Emotion, Event, Segment, Turn
from store.streams import Source, new_version, publish


@pytest.fixture
def connection(database: Database) -> Iterator[sqlite3.Connection]:
    with database.writing() as opened:
        recordings.add(opened, recordings.NewRecording("a" * 64, "meeting", "import", 10_000))
        yield opened


def _catalog(connection: sqlite3.Connection) -> Catalog:
    return catalog(connection, recordings.every(connection))


def test_a_new_version_replaces_the_old_one_and_seq_goes_on(database: Database) -> None:
    with database.writing() as connection:
        recordings.add(connection, recordings.NewRecording("a" * 64, "meeting", "import", 10_000))
        old = new_version(connection, 1, "transcript", Source("a", {}))
        publish(connection, old, [Segment(0, 10, "old", "A"), Segment(10, 20, "old", "A")])
        new = new_version(connection, 1, "transcript", Source("b", {}), active=False)
        publish(connection, new, [Segment(0, 10, "new", "A")])
        before = _catalog(connection)
        streams.activate(connection, new)
        after = _catalog(connection)
    for scope, texts in ((before, ["old", "old"]), (after, ["new"])):
        with open_fence(database, scope) as fence:
            assert [row[0] for row in fence.run("SELECT text FROM transcript").rows] == texts
    with open_fence(database, after) as fence:
        assert fence.run("SELECT segment_id FROM transcript").rows == [((1 << 20) + 2,)]
    assert after.recordings[0].streams["transcript"].version == 2


def test_the_catalog_tells_what_can_be_asked(connection: sqlite3.Connection) -> None:
    speaker = new_version(connection, 1, "speaker", Source("test", {}, health=0.5, note="2 doubtful"))
    publish(connection, speaker, [Turn(0, 4000, "B"), Turn(2000, 3000, "A"), Turn(2500, 5000, "A")])
    events = new_version(connection, 1, "events", Source("test", {}, labels=["Siren", "Dog"]))
    publish(connection, events, [Event(0, 10, "Siren", 0.5), Event(20, 3000, "Siren", 0.5)])
    emotion = new_version(connection, 1, "emotion", Source("test", {}))
    publish(connection, emotion, [Emotion(0, 10, "anger", 0.5, "A")])
    entry = _catalog(connection).recordings[0]
    assert list(entry.streams) == ["speaker", "emotion", "events"]
    assert [(voice.label, voice.talk_ms, voice.turns) for voice in entry.voices] == [("B", 4000, 1), ("A", 3000, 2)]
    assert entry.events == {"Siren": 2}
    assert entry.emotions == {"anger": 1}
    state = entry.streams["events"]
    assert (state.labels, state.rows, state.max_dur) == (("Siren", "Dog"), 2, 2980)
    assert (entry.streams["speaker"].health, entry.streams["speaker"].note) == (0.5, "2 doubtful")
    assert _catalog(connection).stream_ids == (speaker, emotion, events)


@pytest.mark.parametrize(
    ("labels", "roster", "closed"),
    [
        (["Ann", "Bob"], "auto", True),
        (["Ann", "SPEAKER_01"], "auto", False),
        (["Ann", "SPEAKER_01"], "closed", True),
        (["Ann"], "open", False),
        ([], "auto", False),
    ],
)
def test_a_roster_is_closed_when_every_main_voice_has_a_name(
    connection: sqlite3.Connection, labels: list[str], roster: str, closed: bool
) -> None:
    connection.execute("UPDATE recording SET roster = ?", (roster,))
    publish(connection, new_version(connection, 1, "speaker", Source("t", {})), [Turn(0, 9, label) for label in labels])
    assert _catalog(connection).recordings[0].closed is closed


def test_a_recording_that_is_full_takes_no_more_rows(connection: sqlite3.Connection) -> None:
    stream = new_version(connection, 1, "events", Source("t", {}))
    connection.execute("INSERT INTO event VALUES(?, 1, ?, 0, 1, 'x', 0.5)", ((1 << 20) + (1 << 20) - 1, stream))
    with pytest.raises(DataError, match="more than 1,048,576 rows; split"):
        publish(connection, stream, [Event(0, 1, "x", 0.5)])
