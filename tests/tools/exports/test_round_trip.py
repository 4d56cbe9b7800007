"""What is written can be read back: import(export(x)) == x, for what each format can hold."""

import importlib
import warnings
from pathlib import Path

import pytest

from store import recordings, rows, streams
from store.catalog import catalog
from store.database import Database
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.recordings import NewRecording, Recording
from store.speakers import Profile, introduce
from store.streams import Source
from tools.exports.content import Content, content
from tools.exports.formats import FORMATS
from tools.exports.rttm import coded
from tools.imports.recording import Given, import_recording
from tools.imports.rttm import decoded

ODD = (
    "Select",
    "Order",
    "NULL",
    "O'Brien; --",
    "%",
    "Ada Lovelace",
    "NA",
    "nan",
    '"quoted"',
    "李 雷",
    "100%25",
    "#1",
    "<NA>",
)
WORDS = (Word(1001, 1200, "R&D"), Word(1200, 2999, "-->", 0.25))
PROSODY = {"pitch_hz": 179.8, "rate_hz": 3.96, "energy_db": -24.3}
ROWS: dict[StreamKind, list[Row]] = {
    "transcript": [
        Segment(1001, 2999, "R&D 2 < 3 -- 50%, \"ok\"", "Ada", WORDS, "en", 0.5),
        Segment(1001, 3500, "over the other", "Bob"),
        Segment(118_444_120, 118_445_000, "late: yes", "Ada", (), "de", 0.123457),
    ],
    "speaker": [Turn(1001, 2999, "Ada", 0.75), Turn(1001, 3500, "Bob"), Turn(118_444_120, 118_445_000, "Ada")],
    "emotion": [Emotion(1500, 2501, "anger", 0.6, "Ada", {"anger": 0.6, "neutral": 0.4} | PROSODY)],
    "events": [Event(2, 3, "Dog, loud", 0.987654), Event(2, 90_000, "Music", 1.0)],
}  # fmt: skip


def store_all(database: Database, found: dict[StreamKind, list[Row]], title: str = "drop.table") -> Recording:
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("ab" * 32, title, "ingest", 118_500_000))
        for kind, entries in found.items():
            stream = streams.new_version(connection, recording.id, kind, Source("test", {}, health=0.5))
            streams.publish(connection, stream, entries)
        streams.finish(connection, recording.id, "en")
        return recordings.find(connection, title)


def whole(database: Database, recording: Recording) -> Content:
    with database.reader() as connection:
        return content(connection, recording)


def exported(database: Database, recording: Recording, form: str, folder: Path) -> Path:
    path = folder / f"x.{form}"
    path.write_text(FORMATS[form](whole(database, recording)), encoding="utf-8", newline="\n")
    return path


def test_json_holds_everything(database: Database, tmp_path: Path) -> None:
    recording = store_all(database, ROWS)
    with database.writing() as connection:
        introduce(connection, recording.id, [Profile("Bob", "Robert", ("Rob",), "close to Ada")])
    other = Database.open(tmp_path / "other")
    done = import_recording(other, Given((("transcript", exported(database, recording, "json", tmp_path)),)))
    before, after = whole(database, recording), whole(other, done.recording)
    assert after.rows == before.rows
    assert after.profiles == before.profiles
    assert (done.recording.title, done.recording.duration_ms, done.recording.language) == (
        "drop.table",
        118_500_000,
        "en",
    )
    assert {kind: state.health for kind, state in after.streams.items()} == dict.fromkeys(ROWS, 0.5)


def test_an_empty_stream_stays_computed_and_empty(database: Database, tmp_path: Path) -> None:
    recording = store_all(database, {**ROWS, "events": []})
    other = Database.open(tmp_path / "other")
    done = import_recording(other, Given((("transcript", exported(database, recording, "json", tmp_path)),)))
    with other.reader() as connection:
        (entry,) = catalog(connection, [done.recording]).recordings
    assert entry.streams["events"].rows == 0


@pytest.mark.parametrize("form", ["vtt", "srt"])
def test_subtitles_hold_times_voices_and_text(form: str, database: Database, tmp_path: Path) -> None:
    recording = store_all(database, ROWS)
    other = Database.open(tmp_path / "other")
    done = import_recording(other, Given((("transcript", exported(database, recording, form, tmp_path)),)))
    heard = [(row.t0, row.t1, row.text, row.speaker) for row in whole(other, done.recording).segments]
    assert heard == [(row.t0, row.t1, row.text, row.speaker) for row in ROWS["transcript"] if isinstance(row, Segment)]


def test_vtt_holds_odd_names_and_text(database: Database, tmp_path: Path) -> None:
    said: list[Row] = [Segment(i, i + 1, f"<b> a --> b {name}", name) for i, name in enumerate(ODD)]
    recording = store_all(database, {"transcript": said})
    path = exported(database, recording, "vtt", tmp_path)
    assert path.read_text(encoding="utf-8").count("-->") == len(ODD)
    other = Database.open(tmp_path / "other")
    assert whole(other, import_recording(other, Given((("transcript", path),))).recording).segments == said


def test_csv_holds_every_row(database: Database, tmp_path: Path) -> None:
    recording = store_all(database, ROWS)
    other = Database.open(tmp_path / "other")
    path = exported(database, recording, "csv", tmp_path)
    kinds: tuple[StreamKind, ...] = ("transcript", "speaker", "emotion", "events")
    done = import_recording(other, Given(tuple((kind, path) for kind in kinds)))
    after = whole(other, done.recording)
    assert after.turns == ROWS["speaker"]
    assert after.events == ROWS["events"]
    assert [(row.t0, row.text, row.score, row.language) for row in after.segments] == [
        (row.t0, row.text, row.score, row.language) for row in ROWS["transcript"] if isinstance(row, Segment)
    ]
    assert [(row.t0, row.t1, row.label, row.score, row.speaker) for row in after.emotions] == [
        (1500, 2501, "anger", 0.6, "Ada")
    ]


def test_rttm_loads_in_pyannote_and_comes_back_whole(database: Database, tmp_path: Path) -> None:
    turns: list[Row] = [Turn(i * 1000 + i, i * 1000 + 501, name) for i, name in enumerate(ODD)]
    recording = store_all(database, {"speaker": turns})
    path = exported(database, recording, "rttm", tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load_rttm = importlib.import_module("pyannote.database.util").load_rttm
    (annotation,) = load_rttm(str(path)).values()
    assert [decoded(label) for _, _, label in annotation.itertracks(yield_label=True)] == list(ODD)
    other = Database.open(tmp_path / "other")
    done = import_recording(other, Given((("speaker", path),)))
    assert whole(other, done.recording).turns == turns


@pytest.mark.parametrize("name", ODD)
def test_names_are_one_word_and_come_back(name: str) -> None:
    assert len(coded(name).split()) == 1
    assert decoded(coded(name)) == name


def test_two_voices_of_one_name_stay_two(database: Database, tmp_path: Path) -> None:
    recording = store_all(database, {"speaker": [Turn(0, 1, "SPEAKER_00"), Turn(1, 2, "SPEAKER_01")]})
    with database.writing() as connection:
        introduce(connection, recording.id, [Profile("SPEAKER_00", "John"), Profile("SPEAKER_01", "John")])
    text = FORMATS["rttm"](whole(database, recording))
    assert "SPEAKER_00" in text
    assert "SPEAKER_01" in text


def test_what_was_never_heard_cannot_be_written(database: Database) -> None:
    from store.errors import DataError

    recording = store_all(database, {"events": ROWS["events"]})
    for form in ("vtt", "srt", "rttm"):
        with pytest.raises(DataError, match="has no"):
            FORMATS[form](whole(database, recording))


def test_rows_are_read_back_as_they_were_published(database: Database) -> None:
    recording = store_all(database, ROWS)
    with database.reader() as connection:
        for kind, state in catalog(connection, [recording]).recordings[0].streams.items():
            assert rows.rows(connection, state.id, kind) == ROWS[kind]
