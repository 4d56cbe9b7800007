"""One recording of several files: identity, voices, counts, and nothing half stored."""

import math
import struct
import wave
from pathlib import Path

import pytest

from store import recordings, rows
from store.catalog import Catalog, RecordingCatalog, catalog
from store.database import Database
from store.errors import DataError, UsageError
from store.fence import open_fence
from store.record import Emotion, Row, Segment, StreamKind, Turn
from tools.imports.parsed import MAX_CUES
from tools.imports.recording import Given, Imported, import_recording

VTT = "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ada>We ship on Friday\n\n00:05.000 --> 00:09.000\n<v Bob>No\n"
RTTM = "SPEAKER x 1 0.0 4.5 <NA> <NA> SPEAKER_00 <NA> <NA>\nSPEAKER x 1 4.5 5.0 <NA> <NA> SPEAKER_01 <NA> <NA>\n"
Files = tuple[tuple[StreamKind, Path], ...]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def tone(path: Path, seconds: float) -> Path:
    samples = [int(9000 * math.sin(i / 9)) for i in range(int(16_000 * seconds))]
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, 16_000, len(samples), "NONE", ""))
        out.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return path


def entry(database: Database, done: Imported) -> RecordingCatalog:
    with database.reader() as connection:
        return catalog(connection, [done.recording]).recordings[0]


def stored(database: Database, done: Imported, kind: StreamKind) -> list[Row]:
    state = entry(database, done).streams[kind]
    with database.reader() as connection:
        return rows.rows(connection, state.id, kind)


def test_turns_and_text_become_one_recording(database: Database, tmp_path: Path) -> None:
    files: Files = (("transcript", write(tmp_path, "a.vtt", VTT)), ("speaker", write(tmp_path, "a.rttm", RTTM)))
    done = import_recording(database, Given(files, title="Stand-up"))
    found = entry(database, done)
    assert done.recording.public_id.startswith("stand-up-")
    assert [(voice.label, voice.name) for voice in found.voices] == [("SPEAKER_01", "Bob"), ("SPEAKER_00", "Ada")]
    assert found.closed
    assert (found.streams["transcript"].model, found.streams["speaker"].model) == ("vtt", "rttm")
    assert (done.recording.duration_ms, done.recording.estimated, done.recording.state) == (9500, True, "ready")
    assert stored(database, done, "speaker") == [Turn(0, 4500, "SPEAKER_00"), Turn(4500, 9500, "SPEAKER_01")]


def test_without_turns_the_voices_of_the_text_are_the_turns(database: Database, tmp_path: Path) -> None:
    done = import_recording(database, Given((("transcript", write(tmp_path, "a.vtt", VTT)),)))
    assert done.recording.title == "a"
    assert stored(database, done, "speaker") == [Turn(0, 4000, "Ada"), Turn(5000, 9000, "Bob")]


def test_a_text_without_voices_has_no_speaker_stream(database: Database, tmp_path: Path) -> None:
    srt = write(tmp_path, "a.srt", "1\n00:00:01,000 --> 00:00:02,000\nhello\n")
    found = entry(database, import_recording(database, Given((("transcript", srt),))))
    assert set(found.streams) == {"transcript"}
    assert not found.closed


def test_emotion_rows_keep_their_times_and_take_the_voice_they_overlap(database: Database, tmp_path: Path) -> None:
    files: Files = (
        ("transcript", write(tmp_path, "a.vtt", VTT)),
        ("emotion", write(tmp_path, "e.csv", "3.5,6.5,anger,0.8\n")),
        ("events", write(tmp_path, "v.csv", "1,2,Dog,0.9\n")),
    )
    done = import_recording(database, Given(files))
    assert stored(database, done, "emotion") == [Emotion(3500, 6500, "anger", 0.8, "Bob")]


def test_same_files_in_any_order_are_one_recording(database: Database, tmp_path: Path) -> None:
    vtt, rttm = write(tmp_path, "a.vtt", VTT), write(tmp_path, "a.rttm", RTTM)
    first = import_recording(database, Given((("transcript", vtt), ("speaker", rttm))))
    again = import_recording(database, Given((("speaker", rttm), ("transcript", vtt)), title="other"))
    assert (first.fresh, again.fresh) == (True, False)
    assert again.recording == first.recording
    assert f"already in the library as {first.recording.public_id}" in again.caveats[0]


def test_c38_same_name_other_content_is_another_recording(database: Database, tmp_path: Path) -> None:
    one = import_recording(database, Given((("transcript", write(tmp_path, "a.part1.vtt", VTT)),), title="a"))
    path = write(tmp_path, "a.part2.vtt", VTT.replace("Friday", "Monday"))
    two = import_recording(database, Given((("transcript", path),), title="a"))
    assert one.recording.public_id != two.recording.public_id
    with database.reader() as connection:
        assert len(recordings.every(connection)) == 2


def test_what_is_set_aside_is_counted_by_line(database: Database, tmp_path: Path) -> None:
    cues = "".join(f"00:{i:02}.000 --> 00:{i:02}.900\ncue\n\n" for i in range(20))
    bad = "00:30.000 --> 00:20.000\nbackwards\n\nxx --> 00:20.000\nno time\n"
    done = import_recording(database, Given((("transcript", write(tmp_path, "a.vtt", f"WEBVTT\n\n{cues}{bad}")),)))
    assert done.files[0].line() == "a.vtt: imported 20 cues, set aside 2: lines 63, 66"
    assert done.recording.manifest["files"][0]["set_aside"] == [63, 66]


def test_audio_gives_the_duration_and_flags_drift(database: Database, tmp_path: Path) -> None:
    audio = tone(tmp_path / "a.wav", 6.5)
    vtt = write(tmp_path, "a.vtt", VTT + "\n00:06.000 --> 00:06.900\n<v Ada>end\n\n00:00.000 --> 10:00.000\n<v Ada>x\n")
    done = import_recording(database, Given((("transcript", vtt),), audio=audio))
    assert (done.recording.duration_ms, done.recording.estimated) == (6500, False)
    assert done.recording.path == str(audio)
    assert [row.t1 for row in stored(database, done, "transcript")] == [4000, 6500]
    assert done.files[0].line() == "a.vtt: imported 2 cues, clamped 1: line 9, set aside 2: lines 6, 12"
    assert any("drift" in caveat for caveat in done.caveats)


def test_a_fault_leaves_nothing_behind(database: Database, tmp_path: Path) -> None:
    good, bad = write(tmp_path, "a.vtt", VTT), write(tmp_path, "a.rttm", "nothing\n")
    with pytest.raises(DataError, match=r"'a\.rttm': no SPEAKER line"):
        import_recording(database, Given((("transcript", good), ("speaker", bad))))
    with pytest.raises(UsageError, match="second time"):
        import_recording(database, Given((("transcript", good), ("transcript", good))))
    with pytest.raises(DataError, match="there is no file"):
        import_recording(database, Given((("transcript", tmp_path / "none.vtt"),)))
    with database.reader() as connection:
        assert recordings.every(connection) == []


def test_too_many_cues_are_refused_in_one_line(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_CUES == 200_000
    path = write(tmp_path, "a.vtt", "WEBVTT\n\n" + "00:00.000 --> 00:01.000\nx\n\n" * 6)
    monkeypatch.setattr("tools.imports.parsed.MAX_CUES", 5)
    with pytest.raises(DataError, match="the vtt file has more than 5 rows; split it"):
        import_recording(database, Given((("transcript", path),)))


def test_a_large_file_is_refused_unread(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "a.vtt"
    with path.open("wb") as out:
        out.truncate(256_000_001)
    with pytest.raises(DataError, match="larger than 256 MB"):
        import_recording(database, Given((("transcript", path),)))


def test_c22_c23_keywords_of_imported_text_are_literal(database: Database, tmp_path: Path) -> None:
    from store import keywords

    said = ["I don't know", "who's there", "50 dollars", "50% off", "caseA1", "case_1 of AND", "@nasa why?"]
    cues = "".join(f"00:{i:02}.000 --> 00:{i:02}.900\n{text}\n\n" for i, text in enumerate(said))
    done = import_recording(database, Given((("transcript", write(tmp_path, "a.vtt", f"WEBVTT\n\n{cues}")),)))
    stream = entry(database, done).streams["transcript"].id
    with database.reader() as connection:
        for term, place in [
            ("don't", 0),
            ("who's", 1),
            ("50%", 3),
            ("case_1", 5),
            ("AND", 5),
            ("@nasa", 6),
            ("why?", 6),
        ]:
            hits = keywords.hits(connection, [(done.recording.id, stream)], [term])
            assert [hit.segment_id & 0xFFFFF for hit in hits] == [place], term


def test_c07_overlapping_voices_are_both_kept_in_order(database: Database, tmp_path: Path) -> None:
    cues = [("00:05.000", "00:09.000", "Bob", "c")]
    cues += [("00:01.000", "00:04.000", "Ada", "a"), ("00:01.000", "00:06.000", "Bob", "b")]
    text = "".join(f"{start} --> {end}\n<v {who}>{said}\n\n" for start, end, who, said in cues)
    done = import_recording(database, Given((("transcript", write(tmp_path, "a.vtt", f"WEBVTT\n\n{text}")),)))
    assert [row.text for row in stored(database, done, "transcript") if isinstance(row, Segment)] == ["a", "b", "c"]
    with open_fence(database, Catalog((entry(database, done),))) as fence:
        both = (
            "SELECT a.text, b.text FROM transcript a JOIN transcript b ON a.start_s < b.end_s AND b.start_s < a.end_s"
        )
        assert fence.run(f"{both} WHERE a.speaker = 'Ada' AND b.speaker = 'Bob'").rows == [("a", "b")]
        assert len(fence.run("SELECT * FROM speaker WHERE start_s = 1").rows) == 2


def test_c26_right_to_left_text_stays_in_logical_order(database: Database, tmp_path: Path) -> None:
    text = "שלום Ada, נפגש ב-12:30 בחדר 4"
    vtt = write(tmp_path, "a.vtt", f"WEBVTT\n\n00:00.000 --> 00:01.000\n<v דנה>{text}\n")
    (row,) = stored(database, import_recording(database, Given((("transcript", vtt),))), "transcript")
    assert isinstance(row, Segment)
    assert (row.text, row.speaker) == (text, "דנה")
