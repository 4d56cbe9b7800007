"""What is no evidence is kept beside its stream, follows to what replaces it, and goes with its recording."""

from store import recordings, removal, streams
from store.asides import SetAside, asides, keep
from store.database import Database
from store.record import Segment
from store.recordings import NewRecording
from store.streams import Source

PHRASE = SetAside(5_000, 6_000, "Thanks for watching!", "no_speech")
LOOP = SetAside(1_000, 4_000, "no no no", "loop")


def test_asides_follow_the_active_version_and_leave_with_the_recording(database: Database) -> None:
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("ab" * 32, "a", "ingest", 9000))
        first, second = (streams.new_version(connection, recording.id, "transcript", Source("w", {})) for _ in range(2))
        streams.publish(connection, second, [Segment(0, 1, "a")])
        keep(connection, first, [PHRASE, LOOP])
        assert asides(connection, recording.id) == []
        streams.inherit(connection, first, second)
        assert asides(connection, recording.id) == [LOOP, PHRASE]
        streams.drop(connection, [first])
        assert asides(connection, recording.id) == [LOOP, PHRASE]
    removal.remove(database, recording)
    with database.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM aside").fetchone()[0] == 0


def test_a_point_becomes_a_millisecond(database: Database) -> None:
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("cd" * 32, "b", "ingest", 9000))
        stream = streams.new_version(connection, recording.id, "transcript", Source("w", {}))
        keep(connection, stream, [SetAside(7, 7, "x", "past_end")])
        assert asides(connection, recording.id)[0].t1 == 8
