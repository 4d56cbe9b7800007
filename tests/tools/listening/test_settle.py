"""New turns for a whole recording: words and emotions find them, one active version a stream, checks inherited."""

from typing import Any

import pytest

from store import asides, checks, recordings, rows, streams
from store.asides import SetAside
from store.database import Database
from store.edits import merge, undo
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.streams import Source
from store.versions import Version, versions
from tools.listening import settle
from tools.listening.failures import Failure, keep

DAY = 26 * 3_600_000


def words(*placed: tuple[int, int, str]) -> tuple[Word, ...]:
    return tuple(Word(t0, t1, text) for t0, t1, text in placed)


OLD: dict[StreamKind, list[Row]] = {
    "speaker": [Turn(0, 4_000, "A"), Turn(DAY, DAY + 2_000, "A")],
    "transcript": [
        Segment(0, 4_000, "one two three", "A", words((0, 900, "one"), (1_900, 2_100, "two"), (3_000, 3_900, "three"))),
        Segment(5_000, 6_000, "no times", "A", (), "en"),
        Segment(DAY, DAY + 2_000, "four", "A", words((DAY, DAY + 900, "four"))),
    ],
    "emotion": [
        Emotion(0, 4_001, "anger", 0.9, "A", {"anger": 0.9}),
        Emotion(9_000_000, 9_001_000, "fear", 0.9, "A"),
        Emotion(DAY, DAY + 2_000, "fear", 0.9, "A"),
    ],
    "events": [Event(0, 100, "Bell", 0.5), Event(400, 500, "Bell", 0.9), Event(2_000, 2_100, "Bell", 0.5)],
}
NEW = [Turn(0, 2_000, "A"), Turn(2_000, 4_500, "B"), Turn(4_500, 6_000, "B"), Turn(DAY, DAY + 2_000, "C")]


@pytest.fixture
def heard(database: Database) -> dict[StreamKind, Version]:
    """A recording as it is published while it is heard."""
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("a" * 64, "r", "ingest", DAY + 2_000)).id
        for kind, each in OLD.items():
            source = settle.under(Source("m 1", {"threads": 1}), 1) if kind in settle.VOICED else Source("m 1", {})
            streams.publish(connection, streams.new_version(connection, rec, kind, source), each)
        found = {version.kind: version for version in versions(connection, rec)}
        asides.keep(connection, found["transcript"].id, [SetAside(9, 9, "no, no", "no_speech")])
        checks.add(connection, found["emotion"].id, told=["é"])
    return found


def settled(database: Database, before: dict[StreamKind, Version]) -> dict[StreamKind, list[Row]]:
    with database.writing() as connection:
        settle.speak(connection, 1, Source("m 2", {}), NEW)
        settle.settle(connection, 1, {kind: one for kind, one in before.items() if kind != "speaker"}, NEW)
        return {kind: rows.rows(connection, found, kind) for kind, found in streams.active(connection, 1).items()}


def test_words_and_emotions_go_to_the_new_turns(database: Database, heard: dict[StreamKind, Version]) -> None:
    found = settled(database, heard)
    assert [(row.speaker, row.text) for row in found["transcript"] if isinstance(row, Segment)] == [
        ("A", "one two"), ("B", "three"), ("B", "no times"), ("C", "four")
    ]  # fmt: skip
    assert [(row.speaker, row.label) for row in found["emotion"] if isinstance(row, Emotion)] == [
        ("B", "anger"), (None, "fear"), ("C", "fear")
    ]  # fmt: skip
    assert [(row.t0, row.t1) for row in found["events"]] == [(0, 500), (2_000, 2_100)]
    texts = [word.text for row in found["transcript"] if isinstance(row, Segment) for word in row.words]
    assert texts == ["one", "two", "three", "four"]


def test_every_stream_has_one_version_that_is_asked_and_keeps_the_other(
    database: Database, heard: dict[StreamKind, Version]
) -> None:
    settled(database, heard)
    with database.reader() as connection:
        for kind in OLD:
            mine = [version for version in versions(connection, 1) if version.kind == kind]
            assert [version.active for version in mine] == [False, True]
            assert rows.rows(connection, mine[0].id, kind) == OLD[kind]
            assert mine[1].source.model == ("m 2" if kind == "speaker" else "m 1")
            assert settle.voices_of(mine[1].source) == (2 if kind in settle.VOICED else 1)
        assert [one.text for one in asides.asides(connection, 1)] == ["no, no"]
        assert checks.read(connection, streams.active(connection, 1)["emotion"]) == {"told": ["é"]}


def test_what_people_merged_stays_merged_and_can_be_parted(
    database: Database, heard: dict[StreamKind, Version]
) -> None:
    with database.writing() as connection:
        streams.publish(connection, heard["speaker"].id, [Turn(7_000, 8_000, "B")])
        merge(connection, 1, "A", "B")
    found = settled(database, heard)
    assert {row.speaker for row in found["speaker"] if isinstance(row, Turn)} == {"A", "C"}
    assert [row.speaker for row in found["transcript"] if isinstance(row, Segment)] == ["A", "A", "A", "C"]
    with database.writing() as connection:
        undo(connection, 1)
        active = streams.active(connection, 1)
        assert [segment.speaker for segment in rows.segments(connection, active["transcript"])] == ["A", "B", "B", "C"]


@pytest.mark.parametrize("kind", OLD)
@pytest.mark.parametrize("turns", [[], NEW])
def test_no_rows_and_no_turns_are_settled_too(kind: StreamKind, turns: list[Turn]) -> None:
    assert list(settle.respoken(kind, [], turns)) == []
    alone = settle.respoken(kind, OLD[kind], [])
    assert len(alone) == (2 if kind == "events" else len(OLD[kind]))
    if kind in settle.VOICED:
        assert {row.speaker for row in alone if isinstance(row, Segment | Emotion)} == {None}


@pytest.mark.parametrize(
    ("source", "same"),
    [
        (Source("m 1", {}), True),
        (Source("m 1", {"threads": 9, "workers": 3, "voices": 7}), True),
        (Source("m 2", {}), False),
        (Source("m 1", {"language": "de"}), False),
        (Source("m 1", {"beam_size": None}), False),
    ],
)
def test_another_hearing_is_one_that_may_hear_otherwise(
    heard: dict[StreamKind, Version], source: Source, same: bool
) -> None:
    assert settle.same_hearing(heard["transcript"], source) == same


def test_options_are_compared_as_they_were_stored(database: Database) -> None:
    """JSON has lists and no tuples, and texts for the keys of numbers."""
    told: dict[str, Any] = {"speakers": (None, 2, None), "é": {"1": 1.0}}
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("b" * 64, "r", "ingest", 1)).id
        streams.new_version(connection, rec, "speaker", Source("m 1", told))
        (version,) = versions(connection, rec)
    assert settle.same_hearing(version, Source("m 1", dict(told)))


def test_what_was_not_heard_is_told_of_the_versions_that_are_asked(
    database: Database, heard: dict[StreamKind, Version]
) -> None:
    with database.writing() as connection:
        keep(
            connection,
            heard["events"].id,
            [Failure("events", 0, 60_000, "no sounds"), Failure("events", DAY, DAY + 1, "x")],
        )
        (line,) = settle.examined(connection, 1)
        told = "events: 0:00-1:00, 26:00:00-26:00:00 was not heard (no sounds and 1 more)"
        assert line == f"{told}; ingest the file again to hear it again"
        streams.new_version(connection, 1, "events", Source("m 1", {}))
        assert settle.examined(connection, 1) == []
