"""`rm` leaves none of a recording's words in any byte of any file of the library's folder."""

from pathlib import Path

import pytest

from store import edits, recordings, streams
from store.database import Database
from store.errors import NotFound, StoreError
from store.lock import hold
from store.record import Emotion, Event, Segment, Turn, Word
from store.removal import TYPED, remove
from tests.store.traced import tracing

CANARIES = tuple(f"vermilion{number}quokka" for number in range(20))


def _recording(database: Database, title: str, sha256: str, said: list[str]) -> recordings.Recording:
    """A recording with a said phrase in every kind of row; a segment each transaction, so that FTS5 has many parts."""
    with database.writing() as connection:
        new = recordings.NewRecording(sha256, title, "import", 600_000, path=f"/x/{title}", manifest={"note": title})
        recording = recordings.add(connection, new)
        source = streams.Source(title, {"said": title})
        ids = {kind: streams.new_version(connection, recording.id, kind, source) for kind in streams.TABLES}
    for n, text in enumerate(said):
        with database.writing() as connection:
            words = tuple(Word(n * 1000 + i, n * 1000 + i + 1, word) for i, word in enumerate(text.split()))
            streams.publish(connection, ids["transcript"], [Segment(n * 1000, n * 1000 + 900, text, "A", words)])
            streams.publish(connection, ids["speaker"], [Turn(n * 1000, n * 1000 + 900, text)])
            streams.publish(connection, ids["emotion"], [Emotion(n * 1000, n * 1000 + 900, text, 0.5)])
            streams.publish(connection, ids["events"], [Event(n * 1000, n * 1000 + 900, text, 0.5)])
    with database.writing() as connection:
        edits.rename(connection, recording.id, "A", f"Ms {said[0]}")
    for text in said[:3]:
        with tracing(database, f"who said {text}?", [recording.public_id]) as log:
            log.record("execute_tool fuse", {"keywords": [text]}, 0.1)
            log.finish({"answer": text})
    return recording


def _found(folder: Path, phrases: tuple[str, ...]) -> set[str]:
    everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
    return {phrase for phrase in phrases if phrase.encode() in everything}


def test_no_phrase_is_left_in_any_file(database: Database) -> None:
    gone = _recording(database, "vermilion title", "a" * 64, [f"we said {word} here" for word in CANARIES])
    stays = _recording(database, "other", "b" * 64, ["turquoise wombat"])
    copy = database.path.with_suffix(".schema0.sqlite3")
    copy.write_bytes(database.path.read_bytes())
    (database.folder / "vectors").mkdir()
    (database.folder / "vectors" / "index").write_text(CANARIES[0])
    (database.folder / TYPED).write_text(f"+who said {CANARIES[1]}?")
    assert _found(database.folder, CANARIES) == set(CANARIES)
    remove(database, gone)
    assert _found(database.folder, (*CANARIES, "vermilion")) == set()
    assert _found(database.folder, ("turquoise wombat",))
    with database.reader() as connection:
        assert [recording.id for recording in recordings.every(connection)] == [stays.id]
        assert connection.execute("SELECT count(*) FROM trace").fetchone()[0] == 1
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(NotFound):
            recordings.find(connection, gone.public_id)
        hits = connection.execute("SELECT count(*) FROM segment_fts WHERE segment_fts MATCH 'wombat'")
        assert hits.fetchone()[0] == 1


def test_a_reader_that_keeps_old_pages_is_told_of(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.removal.BUSY_SECONDS", 0.5)
    gone = _recording(database, "gone", "a" * 64, [CANARIES[0]])
    with database.reader() as connection:
        connection.execute("SELECT count(*) FROM segment").fetchone()
        with pytest.raises(StoreError, match="another program reads the library"):
            remove(database, gone)
    later = _recording(database, "later", "c" * 64, ["nothing"])
    remove(database, later)
    assert _found(database.folder, CANARIES) == set()


def test_a_recording_that_is_being_heard_is_not_removed(database: Database) -> None:
    recording = _recording(database, "talk", "a" * 64, ["one", "two"])
    with hold(database.folder, recording.sha256[:16]), pytest.raises(StoreError, match="being ingested by pid"):
        remove(database, recording)
    with database.reader() as connection:
        assert recordings.every(connection) != []
    remove(database, recording)
    with database.reader() as connection:
        assert recordings.every(connection) == []
