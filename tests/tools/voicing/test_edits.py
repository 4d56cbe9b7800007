"""What people said of voices survives a new listening, and what does not is told."""

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from store import edits, recordings, rows, streams, voiceprints
from store.catalog import catalog
from store.database import Database
from store.record import Segment, Span, Turn
from store.voiceprints import Voiceprint
from tests.tools.made import Made, made
from tools.voicing import edits as kept

S = 1000
BEFORE = [Turn(n * 10 * S, (n + 1) * 10 * S, f"SPEAKER_0{n % 3}") for n in range(9)]  # 0 1 2 0 1 2 0 1 2


@pytest.fixture
def connection(database: Database) -> Iterator[sqlite3.Connection]:
    made(database, Made(speaker=BEFORE, transcript=[Segment(t.t0, t.t1, "words", t.speaker) for t in BEFORE]))
    with database.writing() as opened:
        yield opened


def fresh(voices: str) -> list[Turn]:
    """Give a turn of ten seconds a letter, a blank for none."""
    return [Turn(n * 10 * S + 300, (n + 1) * 10 * S + 200, voice) for n, voice in enumerate(voices) if voice != " "]


def listen(connection: sqlite3.Connection, turns: Sequence[Turn], **prints: Sequence[float]) -> list[str]:
    """Publish a new version as a listening does, and give the edits that found no voice."""
    given = {label: Voiceprint("x", 9, np.array(vector, np.float32)) for label, vector in prints.items()}
    labelled, lines = kept.replay(connection, 1, turns, given)
    stream = streams.new_version(connection, 1, "speaker", streams.Source("newer", {}))
    streams.publish(connection, stream, labelled)
    said = streams.new_version(connection, 1, "transcript", streams.Source("newer", {}))
    streams.publish(connection, said, [Segment(t.t0, t.t1, "words", t.speaker) for t in labelled])
    return lines


def heard(connection: sqlite3.Connection) -> str:
    """Give the initial of each turn's voice, as people see it; turns and text must agree."""
    (entry,) = catalog(connection, recordings.every(connection)).recordings
    names = {voice.label: voice.display.removeprefix("SPEAKER_0")[0] for voice in entry.voices}
    turns = rows.turns(connection, entry.streams["speaker"].id)
    said = rows.segments(connection, entry.streams["transcript"].id)
    assert [turn.speaker for turn in turns] == [segment.speaker for segment in said]
    return "".join(names[turn.speaker] for turn in turns)


def test_names_and_aliases_go_on_whatever_the_new_labels(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    edits.add_alias(connection, 1, "Ada", "Countess")
    edits.rename(connection, 1, "SPEAKER_02", "Cleo")
    assert listen(connection, fresh("CABCABCAB")) == []
    assert heard(connection) == "A1CA1CA1C"


def test_many_new_voices_are_one_that_was_merged_and_undo_parts_them(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    edits.merge(connection, 1, "Ada", "SPEAKER_01")
    assert heard(connection) == "AA2AA2AA2"
    assert listen(connection, fresh("xyzxwzxyz")) == []
    assert heard(connection) == "AA2AA2AA2"
    assert all(one.applied for one in kept.standing(connection, 1))
    edits.undo(connection, 1)
    assert heard(connection) == "A12A12A12"


def test_a_split_goes_on_by_time_and_by_the_voice_that_was_split_off(connection: sqlite3.Connection) -> None:
    edits.split(connection, 1, "SPEAKER_00", [Span(25 * S, 45 * S)], "Zoe")
    assert heard(connection) == "012Z12012"
    assert listen(connection, fresh("abcabcabc")) == []
    assert heard(connection) == "012Z12012"
    assert listen(connection, fresh("abczbcabc")) == []
    assert heard(connection) == "012Z12012"


def test_what_finds_no_voice_is_told_and_stays_in_the_log(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    edits.rename(connection, 1, "SPEAKER_01", "Ben")
    edits.split(connection, 1, "SPEAKER_02", [Span(79 * S, 90 * S)], "Zoe")
    lines = listen(connection, fresh(" bc bc b "))
    assert lines == [
        "SPEAKER_00 is called Ada (not applied: no voice that was heard is this one)",
        "what SPEAKER_02 says in 1:19-1:30 is of Zoe (SPEAKER_03) (not applied: no voice that was heard is this one)",
    ]
    assert [one.line() for one in kept.standing(connection, 1) if not one.applied] == lines
    assert listen(connection, fresh("abcabcabc")) == [lines[0]]
    assert heard(connection)[8] == "Z"


def test_where_no_time_is_shared_a_voice_is_known_by_its_sound(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    first = streams.active(connection, 1)["speaker"]
    one, two = np.eye(2, dtype=np.float32)
    voiceprints.keep(connection, first, {"SPEAKER_00": Voiceprint("x", 9, one), "SPEAKER_01": Voiceprint("x", 9, two)})
    later = [Turn(200 * S, 210 * S, "q"), Turn(210 * S, 220 * S, "r")]
    assert listen(connection, later, q=[0.0, 0.1], r=[0.98, 0.2]) == []
    assert heard(connection) == "qA"


def test_vectors_of_another_model_tell_nothing(connection: sqlite3.Connection) -> None:
    one = np.ones(1, np.float32)
    voiceprints.keep(connection, streams.active(connection, 1)["speaker"], {"SPEAKER_00": Voiceprint("y", 9, one)})
    listen(connection, [Turn(200 * S, 210 * S, "q")], q=[1.0])
    assert heard(connection) == "q"


def test_a_new_voice_never_takes_the_label_of_one_that_was_heard_before(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    assert len(listen(connection, [turn for turn in BEFORE if turn.speaker != "SPEAKER_00"])) == 1
    assert len(listen(connection, [Turn(100 * S, 110 * S, "SPEAKER_00")])) == 1
    assert heard(connection) == "3"


def test_the_first_listening_is_left_as_it_is(database: Database) -> None:
    made(database, Made(events=[]))
    with database.reader() as connection:
        assert kept.replay(connection, 1, BEFORE) == (BEFORE, [])
