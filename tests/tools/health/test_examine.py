"""What examining leaves with each stream, and what a question makes of it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from store import recordings
from store.catalog import StreamState, catalog
from store.database import Database
from store.record import Emotion, Segment, StreamKind, Turn
from tests.tools.health.test_checks import ENGLISH, GERMAN
from tests.tools.made import Made, made
from tools.health.examine import WRITTEN, examine
from tools.imports.into import import_into

SPEECH = [Turn(n * 10_000, n * 10_000 + 8_000, "AB"[n % 2]) for n in range(30)]
SAID = [Segment(turn.t0, turn.t1, f"words {n}", turn.speaker) for n, turn in enumerate(SPEECH)]
LOOP = [Segment(turn.t0, turn.t1, "Thank you.", turn.speaker) for turn in SPEECH]


def states(database: Database, content: Made) -> Mapping[StreamKind, StreamState]:
    return made(database, content).recordings[0].streams


def test_rows_that_somebody_wrote_well_have_no_health(database: Database) -> None:
    found = states(database, Made(transcript=SAID, speaker=SPEECH))
    assert {kind: (state.health, state.findings) for kind, state in found.items()} == {
        "transcript": (None, ()),
        "speaker": (None, ()),
    }


def test_scores_are_weighted_by_how_long_a_row_is(database: Database) -> None:
    emotion = [Emotion(0, 1_000, "anger", 0.2), Emotion(1_000, 4_000, "fear", 0.6)]
    assert states(database, Made(emotion=emotion))["emotion"].health == pytest.approx(0.5)


def test_what_a_recogniser_says_of_itself_goes_before_its_scores(database: Database) -> None:
    emotion = [Emotion(0, 1_000, "anger", 0.2)]
    assert states(database, Made(emotion=emotion, health={"emotion": 0.7}))["emotion"].health == 0.7


def test_a_loop_leaves_little_of_a_transcript(database: Database) -> None:
    state = states(database, Made(transcript=LOOP, speaker=SPEECH))["transcript"]
    assert state.findings == ("29 of 30 rows repeat the row before",)
    assert state.health == pytest.approx(WRITTEN / 30)


def test_voices_made_of_the_text_cannot_speak_against_it(database: Database) -> None:
    made(database, Made(transcript=SAID[:5], speaker=SPEECH))
    with database.writing() as connection:
        params = json.dumps({"from": "voices of the text"})
        connection.execute("UPDATE stream SET params = ? WHERE kind = 'speaker'", (params,))
        (recording,) = recordings.every(connection)
        examine(connection, recording)
        texts = [row[0] for row in connection.execute("SELECT checks FROM stream")]
    assert [json.loads(text)["findings"] for text in texts] == [[], []]


def test_examining_again_finds_the_same(database: Database) -> None:
    made(database, Made(transcript=LOOP, speaker=SPEECH, health={"transcript": 0.8}))
    with database.writing() as connection:
        (recording,) = recordings.every(connection)
        before = connection.execute("SELECT kind, health, checks FROM stream").fetchall()
        examine(connection, recording)
        assert connection.execute("SELECT kind, health, checks FROM stream").fetchall() == before
        assert before[0]["health"] == pytest.approx(0.8 / 30)


def test_what_was_set_aside_counts_against_the_words(database: Database) -> None:
    made(database, Made(transcript=SAID))
    with database.writing() as connection:
        (recording,) = recordings.every(connection)
        text = " ".join(["phantom"] * 40)
        connection.execute("INSERT INTO aside(stream_id, t0, t1, text, reason) VALUES(1, 0, 9, ?, 'loop')", (text,))
        examine(connection, recording)
        checks = json.loads(connection.execute("SELECT checks FROM stream").fetchone()[0])
    assert [finding["text"] for finding in checks["findings"]] == ["40% of its words were set aside as no evidence"]


def test_a_translation_over_what_was_heard_is_told_and_the_way_back_is_silent(
    database: Database, tmp_path: Path
) -> None:
    heard = [Segment(row.t0, row.t1, ENGLISH.format(n=n), row.speaker) for n, row in enumerate(SPEECH)]
    key = made(database, Made(transcript=heard, speaker=SPEECH)).recordings[0].recording.public_id
    for text, told in ((GERMAN, True), (ENGLISH, False)):
        path = tmp_path / "lines.tsv"
        lines = (f"{row.t0}\t{row.t1}\t{text.format(n=n)}\n" for n, row in enumerate(SPEECH))
        path.write_text("start\tend\ttext\n" + "".join(lines), encoding="utf-8")
        import_into(database, key, [("transcript", path)])
        with database.reader() as connection:
            entry = catalog(connection, recordings.every(connection)).recordings[0]
        assert any("a translation, or of another recording" in f for f in entry.streams["transcript"].findings) is told
