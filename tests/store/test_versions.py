"""Every version of a stream is listed: the one that is asked and those it replaced."""

from store import recordings, streams
from store.database import Database
from store.record import Segment
from store.recordings import NewRecording
from store.streams import Source
from store.versions import versions


def test_versions_say_what_is_asked_and_where_rows_come_from(database: Database) -> None:
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("ab" * 32, "a", "import", 9000))
        for params in ({}, {"file": "a.srt"}, {"file": "a.srt", "follows": "b.rttm"}):
            stream = streams.new_version(connection, recording.id, "transcript", Source("srt", params, ["x"], 0.5))
            streams.publish(connection, stream, [Segment(0, 1, "a")])
        streams.activate(connection, versions(connection, recording.id)[1].id)
        found = versions(connection, recording.id)
    assert [(v.kind, v.number, v.active, v.rows, v.origin) for v in found] == [
        ("transcript", 1, False, 1, None),
        ("transcript", 2, True, 1, "a.srt"),
        ("transcript", 3, False, 1, "follows b.rttm"),
    ]
    assert found[0].source == Source("srt", {}, ["x"], 0.5)
