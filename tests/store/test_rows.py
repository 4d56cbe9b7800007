"""Rows come back as they were published: every kind, with and without a voice, ties in the order given."""

from collections.abc import Sequence

import pytest

from store import recordings, rows, streams
from store.database import Database
from store.edits import merge, undo
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.speakers import find

DAY = 30 * 3_600_000
WORDS = (Word(0, 400, "Ünïcode,", 0.5), Word(400, 401, "字", None))
ROWS: dict[StreamKind, Sequence[Row]] = {
    "transcript": [
        Segment(0, 1_000, "Ünïcode, 字 'quoted' \x7f", "Zoë", WORDS, "de", 0.25),
        Segment(0, 1_000, "at once", "Zoe", (), None, None),
        Segment(0, 2_000, "longer", None),
        Segment(DAY, DAY + 1, "", "SPEAKER_00"),
    ],
    "speaker": [Turn(0, 1, "Zoë"), Turn(0, 1, "Zoe", 0.0), Turn(DAY, DAY + 1, "SPEAKER_00", 1.0)],
    "emotion": [
        Emotion(0, 1, "anger", 0.5, None, {}),
        Emotion(0, 1, "no clear emotion", 0.1, "Zoë", {"anger": 0.1, "é": 0.9}),
    ],
    "events": [Event(0, 1, "Bell", 0.0), Event(0, 1, "Bell", 0.0), Event(DAY, DAY + 9, "Dog, bark", 1.0)],
}


def published(database: Database) -> dict[StreamKind, int]:
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("a" * 64, "r", "import", DAY * 2)).id
        made = {kind: streams.new_version(connection, rec, kind, streams.Source("t", {})) for kind in ROWS}
        for kind, each in ROWS.items():
            streams.publish(connection, made[kind], each[:1])
            streams.publish(connection, made[kind], each[1:])
    return made


@pytest.mark.parametrize("kind", ROWS)
def test_rows_come_back_as_they_were_published(database: Database, kind: StreamKind) -> None:
    made = published(database)
    with database.reader() as connection:
        assert rows.rows(connection, made[kind], kind) == list(ROWS[kind])


@pytest.mark.parametrize("kind", ROWS)
def test_a_version_has_its_own_rows_alone(database: Database, kind: StreamKind) -> None:
    made = published(database)
    with database.writing() as connection:
        again = streams.new_version(connection, 1, kind, streams.Source("t", {}))
        assert rows.rows(connection, again, kind) == []
        streams.publish(connection, again, [])
        streams.publish(connection, again, ROWS[kind][-1:])
        assert rows.rows(connection, again, kind) == list(ROWS[kind][-1:])
        assert rows.rows(connection, made[kind], kind) == list(ROWS[kind])


def test_a_row_bears_the_label_of_whoever_has_it_now(database: Database) -> None:
    made = published(database)
    with database.writing() as connection:
        merge(connection, 1, "Zoë", "Zoe")
        assert [turn.speaker for turn in rows.turns(connection, made["speaker"])] == ["Zoë", "Zoë", "SPEAKER_00"]
        undo(connection, 1)
        assert rows.turns(connection, made["speaker"]) == list(ROWS["speaker"])


@pytest.mark.parametrize(
    ("name", "most", "texts"),
    [
        ("Zoë", 5, ["Ünïcode, 字 'quoted' \x7f"]),
        ("Zoe", 5, ["at once"]),
        ("Zoe", 0, []),
        ("SPEAKER_00", 1, [""]),
    ],
)
def test_the_first_words_of_a_voice(database: Database, name: str, most: int, texts: list[str]) -> None:
    made = published(database)
    with database.reader() as connection:
        found = rows.first_said(connection, made["transcript"], find(connection, 1, name).id, most)
        assert [segment.text for segment in found] == texts
        assert all(segment.words == () and segment.speaker == name for segment in found)


def test_the_first_words_are_those_that_come_first_and_after_a_merge_both_voices(database: Database) -> None:
    made = published(database)
    with database.writing() as connection:
        more = [Segment(50 - n, 60, f"line {n}", "Zoe") for n in range(30)]
        streams.publish(connection, made["transcript"], more)
        voice = merge(connection, 1, "Zoe", "SPEAKER_00").id
        found = rows.first_said(connection, made["transcript"], voice, 3)
        assert [segment.text for segment in found] == ["at once", "line 29", "line 28"]
        last = rows.first_said(connection, made["transcript"], voice, 99)[-1]
        assert (last.t0, last.speaker) == (DAY, "Zoe")
