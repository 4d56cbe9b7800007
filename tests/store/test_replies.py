"""What an endpoint answered is kept by request and span, in order, and goes with its recording."""

from pathlib import Path

from store import recordings, replies
from store.database import Database
from store.record import Span
from store.recordings import NewRecording
from store.removal import remove
from store.replies import Reply

ONE, TWO = Span(0, 600_000), Span(570_000, 1_170_000)


def test_replies_are_kept_until_they_are_forgotten_or_their_recording_goes(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("c0ffee" * 10, "talk", "ingest", 1_170_000))
        for number, span in enumerate((ONE, ONE, TWO)):
            replies.keep(connection, recording.id, "a", span, Reply(f"secret {number}", "length", 5, None))
        replies.keep(connection, recording.id, "b", ONE, Reply("other"))
    with database.writing() as connection:
        found = replies.known(connection, recording.id, "a", ONE)
        assert found == [Reply(f"secret {number}", "length", 5, None) for number in (0, 1)]
        assert replies.known(connection, recording.id, "b", ONE) == [Reply("other")]
        assert replies.known(connection, recording.id + 1, "a", ONE) == []
        replies.forget(connection, recording.id, "a", [ONE])
        assert replies.known(connection, recording.id, "a", ONE) == []
        assert len(replies.known(connection, recording.id, "a", TWO)) == 1
    remove(database, recording)
    with database.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM reply").fetchone()[0] == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"secret" in path.read_bytes()]
