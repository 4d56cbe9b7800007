"""Corrections: a new version that is asked, the old one kept, the other streams following."""

import json
from pathlib import Path

import pytest

from store import edits, recordings, rows, speakers
from store.database import Database
from store.errors import DataError, NotFound
from store.record import Row, Segment, StreamKind, Turn
from store.recordings import NewRecording, Recording
from store.versions import versions
from tests.tools.exports.test_round_trip import ROWS, exported, store_all, whole
from tests.tools.transcript.test_drift import talk
from tools.imports.into import Change, Corrected, import_into


@pytest.fixture
def recording(database: Database) -> Recording:
    return store_all(database, ROWS)


def correct(database: Database, path: Path, role: StreamKind = "transcript", key: str = "drop.table") -> Corrected:
    return import_into(database, key, [(role, path)])


def edited(path: Path, *edits: tuple[str, str]) -> Path:
    text = path.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize("form", ["srt", "vtt", "tsv", "json", "csv", "whisperx", "textgrid", "aud"])
def test_an_export_that_nobody_touched_changes_nothing(
    form: str, database: Database, recording: Recording, tmp_path: Path
) -> None:
    path = exported(database, recording, form, tmp_path)
    done = correct(database, path.rename(path.with_suffix({"whisperx": ".json"}.get(form, path.suffix))))
    assert {change.version for change in done.changes} == {1}
    assert "transcript: nothing differs from version 1; nothing to do" in [change.line() for change in done.changes]
    assert whole(database, recording).rows == ROWS
    with database.reader() as connection:
        assert recordings.find(connection, "drop.table").manifest == {}


@pytest.mark.parametrize(("form", "role"), [("rttm", "speaker"), ("csv", "emotion"), ("csv", "events")])
def test_so_do_the_other_streams(
    form: str, role: StreamKind, database: Database, recording: Recording, tmp_path: Path
) -> None:
    done = correct(database, exported(database, recording, form, tmp_path), role)
    assert done.changes == (Change(role, 1, 1),)


def test_c36_corrected_words_are_a_new_version_and_the_old_one_comes_back(
    database: Database, recording: Recording, tmp_path: Path
) -> None:
    path = exported(database, recording, "srt", tmp_path)
    old = path.read_text(encoding="utf-8")
    done = correct(database, edited(path, ("over the other", "over the Otter")))
    assert [change.line() for change in done.changes] == ["transcript: new version 2; version 1 is kept"]
    after = whole(database, recording)
    assert [row.text for row in after.segments][1] == "over the Otter"
    assert after.segments[0] == ROWS["transcript"][0]
    assert after.turns == ROWS["speaker"]
    with database.reader() as connection:
        first, second = (v for v in versions(connection, recording.id) if v.kind == "transcript")
        assert rows.rows(connection, first.id, "transcript") == ROWS["transcript"]
        assert [entry["name"] for entry in recordings.find(connection, "drop.table").manifest["corrections"]] == [
            "x.srt"
        ]
    assert (first.active, second.active, second.source.model) == (False, True, "srt")
    assert correct(database, path).changes == (Change("transcript", 2, 2),)
    path.write_text(old, encoding="utf-8")
    assert correct(database, path).changes == (Change("transcript", 1, 2),)
    assert whole(database, recording).rows == ROWS


def test_a_corrected_voice_is_followed_by_turns_and_emotions(
    database: Database, recording: Recording, tmp_path: Path
) -> None:
    path = edited(exported(database, recording, "vtt", tmp_path), ("<v Ada>R&amp;D", "<v Cy>R&amp;D"))
    done = correct(database, path)
    assert [change.line() for change in done.changes] == [
        f"{kind}: new version 2; version 1 is kept" for kind in ("transcript", "speaker", "emotion")
    ]
    after = whole(database, recording)
    assert [turn.speaker for turn in after.turns] == ["Cy", "Bob", "Ada"]
    assert [row.speaker for row in after.segments] == ["Cy", "Bob", "Ada"]
    assert [row.speaker for row in after.emotions] == ["Cy"]
    assert after.turns[0] == Turn(1001, 2999, "Cy", 0.75)
    with database.reader() as connection:
        (followed,) = (v for v in versions(connection, recording.id) if v.kind == "speaker" and v.active)
    assert (followed.source.model, followed.origin) == ("test", "follows x.vtt")


def test_corrected_turns_are_followed_by_the_text(database: Database, recording: Recording, tmp_path: Path) -> None:
    path = edited(exported(database, recording, "rttm", tmp_path), (" Bob ", " Robert%20B. "))
    done = correct(database, path, "speaker")
    assert [change.kind for change in done.changes] == ["transcript", "speaker"]
    after = whole(database, recording)
    assert [row.speaker for row in after.segments] == ["Ada", "Robert B.", "Ada"]
    assert after.segments[0] == ROWS["transcript"][0]
    assert after.turns[0] == ROWS["speaker"][0]


def test_names_of_people_are_the_voices_they_were_given_to(
    database: Database, recording: Recording, tmp_path: Path
) -> None:
    with database.writing() as connection:
        edits.rename(connection, recording.id, "Bob", "Robert")
    path = exported(database, recording, "srt", tmp_path)
    assert "Robert: over" in path.read_text(encoding="utf-8")
    assert correct(database, path).changes == (Change("transcript", 1, 1),)


def test_names_corrected_in_our_json_are_edits_that_can_be_undone(
    database: Database, recording: Recording, tmp_path: Path
) -> None:
    path = exported(database, recording, "json", tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["speakers"][1] |= {"name": "Robert", "aliases": ["Rob"]}
    path.write_text(json.dumps(document), encoding="utf-8")
    done = correct(database, path)
    assert {change.version for change in done.changes} == {1}
    assert done.caveats == ("Bob is called Robert now (`speakers --undo` takes it back)",)
    with database.writing() as connection:
        assert speakers.profiles(connection, recording.id)[1].aliases == ("Rob",)
        edits.undo(connection, recording.id)
        edits.undo(connection, recording.id)
        assert speakers.profiles(connection, recording.id)[1].name is None


def test_what_does_not_fit_the_recording_is_told_and_set_aside(
    database: Database, recording: Recording, tmp_path: Path
) -> None:
    path = exported(database, recording, "srt", tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + "\n4\n33:00:00,000 --> 33:00:01,000\nAda: x\n", encoding="utf-8")
    done = correct(database, path)
    assert done.files[0].line() == "x.srt: imported 3 cues, set aside 1: line 14"
    assert "x.srt reaches 33:00:01, the recording 32:55:00: its times drift, or it belongs to another recording" in (
        done.caveats
    )
    path.write_text("1\n33:00:00,000 --> 33:00:01,000\nAda: x\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"nothing fits drop-table-abababab: x\.srt: imported 0 cues, set aside 1"):
        correct(database, path)
    assert whole(database, recording).rows == ROWS


def test_cues_without_times_of_words_are_counted(database: Database, recording: Recording, tmp_path: Path) -> None:
    told = "3 cues have no times of single words"
    path = exported(database, recording, "srt", tmp_path)
    old = path.read_text(encoding="utf-8")
    assert told in correct(database, edited(path, ("R&D 2 <", "R&D is 2 <"))).caveats
    path.write_text(old, encoding="utf-8")
    assert told not in correct(database, path).caveats


@pytest.mark.parametrize("late_ms", [0, 2_000])
def test_a_correction_on_another_clock_is_moved_onto_the_recordings_turns(
    database: Database, tmp_path: Path, late_ms: int
) -> None:
    turns = talk(8)
    said: list[Row] = [Segment(turn.t0, turn.t1, f"sentence {n}", "A") for n, turn in enumerate(turns)]
    recording = store_all(database, {"transcript": said, "speaker": [Turn(turn.t0, turn.t1, "A") for turn in turns]})
    cues = (f"{n}\n{clock(t.t0 + late_ms)} --> {clock(t.t1 + late_ms)}\nphrase {n}\n" for n, t in enumerate(turns))
    path = tmp_path / "late.srt"
    path.write_text("\n".join(cues), encoding="utf-8")
    for change in (Change("transcript", 2, 1, True), Change("transcript", 2, 2)):
        done = correct(database, path)
        assert done.changes == (change,)
        moved = [line for line in done.caveats if "against the turns and were moved onto them" in line]
        assert len(moved) == (late_ms > 0)
        after = whole(database, recording).segments
        assert all(abs(row.t0 - turn.t0) <= 150 for row, turn in zip(after, turns, strict=True))
        assert [row.text for row in after] == [f"phrase {n}" for n in range(len(turns))]


def clock(ms: int) -> str:
    """Write a time as SubRip does."""
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def test_a_stream_that_was_never_there_is_version_1(database: Database, tmp_path: Path) -> None:
    recording = store_all(database, {"events": ROWS["events"]})
    path = tmp_path / "a.vtt"
    path.write_text("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>hi\n", encoding="utf-8")
    done = correct(database, path)
    assert done.changes == (Change("transcript", 1, None, True), Change("speaker", 1, None, True))
    assert done.changes[0].line() == "transcript: new version 1"
    said: list[Row] = [Segment(1000, 2000, "hi", "Ada")]
    assert whole(database, recording).segments == said


def test_a_fault_leaves_all_as_it_was(database: Database, recording: Recording, tmp_path: Path) -> None:
    path = exported(database, recording, "json", tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["segments"][0]["text"] = "corrected"
    document["speakers"][1]["name"] = "Ada"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError, match="two Adas"):
        correct(database, path)
    with pytest.raises(NotFound, match="no recording 'nope'"):
        correct(database, path, key="nope")
    with database.writing() as connection:
        recordings.add(connection, NewRecording("cd" * 32, "half", "ingest", 1000))
    with pytest.raises(DataError, match="not heard to its end"):
        correct(database, path, key="half")
    with database.reader() as connection:
        assert len(versions(connection, recording.id)) == len(ROWS)
