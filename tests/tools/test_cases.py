"""Cases from public reports on files and perception that span several parts, each by its name."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agent.ask import ask
from agent.library import Library
from store import recordings
from store.database import Database
from store.errors import DataError
from store.record import Segment, Turn
from store.rows import rows
from store.streams import active
from tests.tools import tones
from tests.tools.media.files import pcm, wav
from tools.imports.recording import Given, import_recording
from tools.imports.subtitles import read_vtt
from tools.listening.ingest import ingest
from tools.media.audio import Samples
from tools.transcript.doubts import loops
from tools.voicing.voices import keep_labels


def turns(*spans: tuple[int, int, str]) -> list[Turn]:
    return [Turn(t0, t1, label) for t0, t1, label in spans]


def test_c10_labels_that_change_between_two_chunks_are_stitched_by_what_both_heard() -> None:
    """C10: S1 of the first chunk is S2 of the second; 30 s were heard in both."""
    first = turns((0, 580_000, "S1"), (580_000, 600_000, "S2"))
    second = turns((570_000, 580_000, "S2"), (580_000, 610_000, "S1"), (610_000, 900_000, "S2"))
    assert [turn.speaker for turn in keep_labels(second, first)] == ["S1", "S2", "S1"]


def test_c10_without_anything_heard_in_both_a_voice_stays_a_new_one() -> None:
    first = turns((0, 300_000, "S1"), (300_000, 570_000, "S2"))
    second = turns((600_000, 700_000, "S1"), (700_000, 900_000, "S2"))
    found = {turn.speaker for turn in keep_labels(second, first)}
    assert len(found) == 2
    assert not found & {"S1", "S2"}


def test_c16_thirteen_hundred_identical_rows_are_one_loop() -> None:
    """C16: 1,347 times the same row is said once."""
    words = ["I", "think", "that's", "right."] * 1347
    (repeated,) = loops(words)
    assert (repeated.start, repeated.stop) == (4, len(words))


@pytest.mark.parametrize("content", [np.zeros(16_000, np.float32), np.zeros(16, np.float32)], ids=["silence", "1 ms"])
def test_c19_silence_is_heard_and_counts_are_nought(tmp_path: Path, content: Samples) -> None:
    """C19: the ingest succeeds and counting answers 0."""
    path = tmp_path / "quiet.wav"
    path.write_bytes(wav(1, 16_000, pcm(content)))
    library = Library(tmp_path / "library")
    ingest(library.database, path, tones.listener())
    assert ask(library, "How many people speak?").value == 0
    assert ask(library, "How often was the budget mentioned?").value == 0


def test_c19_no_samples_at_all_is_one_line(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "zero.wav"
    path.write_bytes(wav(1, 16_000, b""))
    with pytest.raises(DataError, match="no audio in it"):
        ingest(database, path, tones.listener())


def test_c31_each_row_keeps_its_language_and_words_of_both_are_found(tmp_path: Path) -> None:
    """C31: a French opening, then German."""
    said = [
        {"start": 0, "end": 4, "text": "Bonjour, le budget est clos.", "speaker": "Ada", "language": "fr"},
        {"start": 5, "end": 9, "text": "Der Haushalt ist geschlossen.", "speaker": "Ben", "language": "de"},
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"segments": said, "language": "fr"}), encoding="utf-8")
    library = Library(tmp_path / "library")
    done = import_recording(library.database, Given((("transcript", path),)))
    with library.database.reader() as connection:
        found = rows(connection, active(connection, done.recording.id)["transcript"], "transcript")
    assert [row.language for row in found if isinstance(row, Segment)] == ["fr", "de"]
    assert ask(library, "Who mentioned the Haushalt?").value == "Ben"
    assert ask(library, 'Was "budget" mentioned?').value is True


DAY_MS = 24 * 3600 * 1000
STEP_MS = 6_000
VOICES = 50


def day() -> Sequence[dict[str, object]]:
    return [
        {
            "start": t0 / 1000,
            "end": (t0 + 5_000) / 1000,
            "text": f"item {number} about topic{number % 97}" + (" and the zeppelin" if number == 9_000 else ""),
            "speaker": f"Person {number % VOICES:02}",
        }
        for number, t0 in enumerate(range(0, DAY_MS, STEP_MS))
    ]


def test_c37_a_day_with_fifty_voices_is_asked_in_a_second(tmp_path: Path) -> None:
    """C37: 14,400 rows over 24 hours."""
    path = tmp_path / "day.json"
    path.write_text(json.dumps({"segments": day(), "language": "en"}), encoding="utf-8")
    library = Library(tmp_path / "library")
    done = import_recording(library.database, Given((("transcript", path),)))
    assert done.recording.duration_ms == DAY_MS - 1_000
    ask(library, "How many people speak?")
    began = time.process_time()
    who = ask(library, "Who mentioned the zeppelin?")
    assert time.process_time() - began < 1
    assert who.value == f"Person {9_000 % VOICES:02}"
    assert who.citations[0].start == 9_000 * STEP_MS / 1000
    assert ask(library, "How many people speak?").value == VOICES


def test_c07_unsorted_cues_with_equal_starts_keep_both_voices() -> None:
    """C07: overlapping cues of two voices, equal starts, out of order."""
    text = (
        "WEBVTT\n\n00:05.000 --> 00:08.000\n<v Ben>second\n\n00:01.000 --> 00:06.000\n<v Ada>first\n\n"
        "00:05.000 --> 00:07.000\n<v Ada>at once\n"
    )
    found = [placed.row for placed in read_vtt(text).rows]
    assert [(row.t0, row.t1, row.speaker) for row in found if isinstance(row, Segment)] == [
        (5000, 8000, "Ben"), (1000, 6000, "Ada"), (5000, 7000, "Ada")
    ]  # fmt: skip


def test_names_that_are_words_of_sql_can_be_asked_in_a_recording_called_drop_table(tmp_path: Path) -> None:
    """Speakers Select, Order, NULL, "O'Brien; --" and "%", and the title drop.table."""
    names = ("Select", "Order", "NULL", "O'Brien; --", "%")
    said = [
        {"start": n * 5, "end": n * 5 + 4, "text": f"the word is number{n}", "speaker": name}
        for n, name in enumerate(names)
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"segments": said, "language": "en"}), encoding="utf-8")
    library = Library(tmp_path / "library")
    import_recording(library.database, Given((("transcript", path),), title="drop.table"))
    for number, name in enumerate(names):
        assert ask(library, f"Who mentioned number{number}?", recording="drop.table").value == name
        assert ask(library, f"How long did {name} speak?", recording="drop.table").value == pytest.approx(4)
    with library.database.reader() as connection:
        assert [each.title for each in recordings.every(connection)] == ["drop.table"]
