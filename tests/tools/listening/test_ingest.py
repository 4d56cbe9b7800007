"""Listening: stretch by stretch behind a watermark, resumed after a kill with the rows of an uninterrupted run."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from store import edits, recordings, streams
from store import rows as stored
from store.catalog import catalog
from store.database import Database
from store.errors import DataError
from tests.tools import tones
from tools.listening.ingest import ingest
from tools.listening.listener import Step

PATTERN = [300] * 9 + [0] + [600] * 7 + [0] + [1200] * 3 + [0, 0]
MEETING = (PATTERN * 14)[:290]


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything published in active versions, without the ids that count attempts."""
    voice = "LEFT JOIN speaker p ON p.id = speaker_id"
    queries = {
        "segment": f"SELECT t0, t1, text, language, score, p.label FROM segment {voice}",
        "turn": f"SELECT t0, t1, p.label, score FROM turn {voice}",
        "emotion": f"SELECT t0, t1, emotion.label, score, p.label FROM emotion {voice}",
        "event": "SELECT t0, t1, label, score FROM event",
    }
    with database.reader() as connection:
        return {
            table: [
                tuple(row)
                for row in connection.execute(
                    f"{query} WHERE stream_id IN (SELECT id FROM stream WHERE active) ORDER BY 1, 2, 3"
                )
            ]
            for table, query in queries.items()
        }


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "meeting.wav", MEETING)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, meeting: Path) -> Database:
    database = Database.open(tmp_path_factory.mktemp("whole"))
    ingest(database, meeting, tones.listener())
    return database


def test_every_second_of_every_voice_is_in_the_streams(whole: Database) -> None:
    spoken = [second for second, tone in enumerate(MEETING) if tone]
    with whole.reader() as connection:
        (recording,) = recordings.every(connection)
        said = stored.segments(connection, streams.active(connection, recording.id)["transcript"])
        words = [word.text for segment in said for word in segment.words]
        versions = list(connection.execute("SELECT kind, rows FROM stream WHERE active = 1"))
        (stretches,) = connection.execute("SELECT COUNT(*) FROM chunk").fetchone()
    assert [int(re.sub(r"\D", "", word)) for word in words] == spoken
    assert recording.state == "ready"
    assert recording.heard_ms == recording.duration_ms == len(MEETING) * 1000
    assert {row[0] for row in versions} == {"transcript", "speaker", "emotion", "events"}
    assert stretches == 3
    found = rows(whole)
    assert {row[2] for row in found["turn"]} == {"SPEAKER_00", "SPEAKER_01", "SPEAKER_02"}
    assert len(found["event"]) == sum(a == 1200 != b for a, b in zip(MEETING, [*MEETING[1:], 0], strict=True))


def test_the_same_bytes_again_are_heard_already(whole: Database, meeting: Path) -> None:
    before = rows(whole)
    again = ingest(whole, meeting, tones.listener())
    assert not again.fresh
    assert "heard already" in again.notes[0]
    assert rows(whole) == before


def test_the_watermark_moves_with_every_stretch(tmp_path: Path, meeting: Path) -> None:
    database = Database.open(tmp_path / "lib")
    marks = []

    def look(step: Step, total_ms: int) -> None:
        with database.reader() as connection:
            marks.append(recordings.every(connection)[0].heard_ms)
        assert total_ms == len(MEETING) * 1000

    ingest(database, meeting, tones.listener(), progress=look)
    assert marks == sorted(marks)
    assert len(set(marks)) == 3


def test_a_name_given_while_listening_survives_the_end(tmp_path: Path, meeting: Path) -> None:
    database = Database.open(tmp_path / "lib")
    named: list[str] = []

    def name(step: Step, _: int) -> None:
        if step.done_ms > 100_000 and not named:
            with database.writing() as connection:
                connection.execute("UPDATE speaker SET name = 'Ada' WHERE label = 'SPEAKER_01'")
            named.append("Ada")

    ingest(database, meeting, tones.listener(), progress=name)
    with database.reader() as connection:
        turns = connection.execute(
            "SELECT DISTINCT p.name FROM turn t JOIN speaker p ON p.id = t.speaker_id JOIN stream s"
            " ON s.id = t.stream_id AND s.active WHERE t.t0 < 17000 AND t.t0 > 9500"
        ).fetchall()
    assert [row[0] for row in turns] == ["Ada"]


def test_silence_is_a_recording_in_which_nobody_speaks(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "lib")
    result = ingest(database, tones.write(tmp_path / "quiet.wav", [0] * 5), tones.listener())
    assert result.recording.state == "ready"
    assert all(found == [] for found in rows(database).values())


def test_no_audio_leaves_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp3"
    path.write_text("these are no samples", encoding="utf-8")
    database = Database.open(tmp_path / "lib")
    with pytest.raises(DataError):
        ingest(database, path, tones.listener())
    with database.reader() as connection:
        assert recordings.every(connection) == []


def test_the_provisional_versions_are_gone_at_the_end(whole: Database) -> None:
    with whole.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM stream WHERE active = 0").fetchone()[0] == 0
        (indexed,) = connection.execute("SELECT COUNT(*) FROM segment_fts_docsize").fetchone()
        (segments,) = connection.execute("SELECT COUNT(*) FROM segment").fetchone()
        (kept,) = connection.execute("SELECT COUNT(*) FROM chunk WHERE voices IS NOT NULL").fetchone()
    assert indexed == segments > 0
    assert kept == 3  # another number of speakers needs no second listening
    assert whole.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("change", ["grows", "is emptied", "is gone", "is another"])
def test_a_file_that_changes_is_never_taken_for_the_bytes_it_had(tmp_path: Path, change: str) -> None:
    long = (PATTERN * 40)[:900]
    path = tones.write(tmp_path / "meeting.wav", long)
    content, changed = path.read_bytes(), False
    database = Database.open(tmp_path / "lib")

    def spoil(step: Step, _: int) -> None:
        nonlocal changed
        if changed:
            return
        changed = True
        if change == "is gone":
            path.unlink(missing_ok=True)
        elif change == "is another":
            tones.write(path, [0] * len(long))
        else:
            with path.open("ab" if change == "grows" else "wb") as file:
                file.write(bytes(1000) if change == "grows" else b"")

    with pytest.raises(DataError, match="changed while it was heard"):
        ingest(database, path, tones.listener(), progress=spoil)
    with database.reader() as connection:
        (recording,) = recordings.every(connection)
    assert recording.state == "listening"
    assert 0 < recording.heard_ms < len(long) * 1000
    path.write_bytes(content)
    assert ingest(database, path, tones.listener()).recording.duration_ms == len(long) * 1000


def test_what_is_refused_before_anything_is_heard_leaves_no_recording(tmp_path: Path, meeting: Path) -> None:
    database = Database.open(tmp_path / "lib")
    with pytest.raises(DataError, match="more than"):
        ingest(database, meeting, tones.listener(), max_hours=0.001)
    with database.reader() as connection:
        assert recordings.every(connection) == []


@pytest.mark.parametrize(
    ("title", "name", "called"),
    [
        ("a\x1b[2Jb\nc", b"x.wav", "ab c"),
        (None, b"e\x1b]0;t\x07 \n\t f.wav", "e f"),
        (None, b"bad\xff\xfe.wav", "bad\ufffd\ufffd"),
        (None, "\u202etxt.exe.wav".encode(), "txt.exe"),
        ("\x00\x1b[0m", b"x.wav", "recording"),
        (None, b"-rf.wav", "-rf"),
        (None, b"drop.table.wav", "drop.table"),
        (None, b"n" * 250 + b".wav", "n" * 250),
    ],
)
def test_any_name_of_a_file_or_title_can_be_stored_and_shown(
    tmp_path: Path, title: str | None, name: bytes, called: str
) -> None:
    path = tmp_path / os.fsdecode(name)
    tones.write(path, [300, 0])
    database = Database.open(tmp_path / "lib")
    recording = ingest(database, path, tones.listener(), title=title).recording
    assert recording.title == called
    assert recording.path is not None
    assert Path(recording.path).read_bytes() == path.read_bytes()


def test_what_people_say_of_voices_while_they_are_heard_holds_at_the_end(meeting: Path, tmp_path: Path) -> None:
    database = Database.open(tmp_path / "lib")
    done: list[str] = []

    def edit(step: Step, total_ms: int) -> None:
        with database.writing() as connection:
            (recording,) = recordings.every(connection)
            if recording.heard_ms and not done:
                edits.rename(connection, recording.id, "SPEAKER_00", "Ada")
                done.append(edits.merge(connection, recording.id, "Ada", "SPEAKER_01").label)

    ingest(database, meeting, tones.listener(), progress=edit)
    with database.writing() as connection:
        (entry,) = catalog(connection, recordings.every(connection)).recordings
        assert [(voice.display, voice.label) for voice in entry.voices] == [("Ada", "SPEAKER_00"), ("SPEAKER_02",) * 2]
        edits.undo(connection, entry.recording.id)
    assert done == ["SPEAKER_00"]
    with database.reader() as connection:
        (entry,) = catalog(connection, recordings.every(connection)).recordings
    assert [voice.display for voice in entry.voices] == ["Ada", "SPEAKER_01", "SPEAKER_02"]
