import sqlite3
from collections.abc import Iterator

import pytest

from store import edits, recordings, speakers, streams
from store.database import Database
from store.errors import DataError, NotFound
from store.record import Turn


@pytest.fixture
def connection(database: Database) -> Iterator[sqlite3.Connection]:
    with database.writing() as opened:
        recording = recordings.add(opened, recordings.NewRecording("a" * 64, "meeting", "import", 10_000))
        stream = streams.new_version(opened, recording.id, "speaker", streams.Source("test", {}))
        streams.publish(opened, stream, [Turn(0, 10, "SPEAKER_00"), Turn(10, 20, "SPEAKER_01")])
        yield opened


def _names(connection: sqlite3.Connection) -> list[str]:
    return [voice.display for voice in speakers.voices(connection, 1)]


def test_a_voice_gets_a_name_and_keeps_its_label(connection: sqlite3.Connection) -> None:
    voice = edits.rename(connection, 1, "speaker_00", "  José   García ")
    assert (voice.label, voice.name) == ("SPEAKER_00", "José García")
    assert _names(connection) == ["José García", "SPEAKER_01"]
    again = edits.rename(connection, 1, "JOSE\u0301 GARCI\u0301A", "José")
    assert again.display == "José"


def test_edits_are_undone_one_by_one(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ann")
    edits.rename(connection, 1, "Ann", "Anna")
    edits.add_alias(connection, 1, "Anna", "Annie")
    assert edits.undo(connection, 1).action == "alias"
    assert speakers.voices(connection, 1)[0].aliases == ()
    assert edits.undo(connection, 1).after.name == "Anna"
    assert _names(connection)[0] == "Ann"
    edits.undo(connection, 1)
    assert _names(connection)[0] == "SPEAKER_00"
    assert [edit.undone for edit in edits.edits(connection, 1)] == [True, True, True]
    with pytest.raises(NotFound, match="no edit"):
        edits.undo(connection, 1)


@pytest.mark.parametrize("taken", ["John", "JOHN", "speaker_00", "Johnny"])
def test_two_voices_never_share_a_name(connection: sqlite3.Connection, taken: str) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "John")
    edits.add_alias(connection, 1, "John", "Johnny")
    with pytest.raises(DataError, match=f"(that would make two {taken}s: SPEAKER_00)|(form of a label)"):
        edits.rename(connection, 1, "SPEAKER_01", taken)
    assert _names(connection) == ["John", "SPEAKER_01"]


def test_an_unknown_voice_names_the_voices(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "John")
    with pytest.raises(NotFound, match=r"no voice 'Zoe'; the voices are: John \(SPEAKER_00\), SPEAKER_01"):
        edits.rename(connection, 1, "Zoe", "Zoë")


@pytest.mark.parametrize("bad", ["", "  ", "a\x1b[2Jb", "x" * 121, "\u202egpj.exe", "Speaker 7", "\ud800"])
def test_what_is_no_name_is_refused(connection: sqlite3.Connection, bad: str) -> None:
    with pytest.raises(DataError):
        edits.rename(connection, 1, "SPEAKER_00", bad)
