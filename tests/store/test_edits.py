"""Merges and splits: rows follow, nothing is lost, everything comes back, and two processes wait for each other."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import edits, recordings, rows, speakers, streams, voicing
from store.catalog import catalog
from store.database import Database
from store.errors import DataError, NotFound
from store.record import Emotion, Segment, Span, Turn
from tests.tools.made import Made, made

TURNS = [Turn(0, 10_000, "SPEAKER_00"), Turn(10_000, 30_000, "SPEAKER_01"), Turn(30_000, 60_000, "SPEAKER_02")]
MADE = Made(
    speaker=TURNS,
    transcript=[Segment(t.t0, t.t1, f"words of {t.speaker}", t.speaker) for t in TURNS],
    emotion=[Emotion(t.t0, t.t1, "neutral", 0.9, t.speaker) for t in TURNS],
)


@pytest.fixture
def connection(database: Database) -> Iterator[sqlite3.Connection]:
    made(database, MADE)
    with database.writing() as opened:
        yield opened


def spoken(connection: sqlite3.Connection) -> dict[str, list[tuple[int, ...]]]:
    """Give for each voice the seconds at which its turns, segments and emotions begin."""
    active = streams.active(connection, 1)
    names = {voice.label: voice.display for voice in speakers.voices(connection, 1)}
    found: dict[str, list[tuple[int, ...]]] = {}
    for kind in voicing.VOICED:
        starts: dict[str, list[int]] = {name: [] for name in names.values()}
        for row in rows.rows(connection, active[kind], kind):
            assert not isinstance(row, Segment | Turn | Emotion) or row.speaker is not None
            starts[names[getattr(row, "speaker", "")]].append(row.t0 // 1000)
        for name, seconds in starts.items():
            found.setdefault(name, []).append(tuple(seconds))
    return found


def test_a_merged_voice_gives_all_its_rows_and_its_name(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    edits.rename(connection, 1, "SPEAKER_02", "Ada Byron")
    edits.add_alias(connection, 1, "Ada Byron", "Countess")
    voice = edits.merge(connection, 1, "Ada", "Ada Byron")
    assert (voice.name, voice.aliases) == ("Ada", ("Ada Byron", "Countess"))
    assert spoken(connection) == {"Ada": [(0, 30)] * 3, "SPEAKER_01": [(10,)] * 3}
    assert edits.undo(connection, 1).action == "merge"
    assert spoken(connection) == {"Ada": [(0,)] * 3, "SPEAKER_01": [(10,)] * 3, "Ada Byron": [(30,)] * 3}
    assert speakers.voices(connection, 1)[0].aliases == ()


def test_a_nameless_voice_takes_the_name_of_its_part_and_no_generic_alias(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_01", "Ben")
    assert edits.merge(connection, 1, "SPEAKER_00", "Ben").name == "Ben"
    assert edits.merge(connection, 1, "Ben", "SPEAKER_02").aliases == ()
    assert spoken(connection) == {"Ben": [(0, 10, 30)] * 3}


def test_what_is_said_within_times_is_a_voice_of_its_own(connection: sqlite3.Connection) -> None:
    edits.merge(connection, 1, "SPEAKER_00", "SPEAKER_02")
    voice = edits.split(connection, 1, "SPEAKER_00", [Span(29_000, 50_000)], "Cleo")
    assert (voice.label, voice.name) == ("SPEAKER_03", "Cleo")
    assert spoken(connection) == {"SPEAKER_00": [(0,)] * 3, "SPEAKER_01": [(10,)] * 3, "Cleo": [(30,)] * 3}
    edits.merge(connection, 1, "SPEAKER_01", "Cleo")
    assert spoken(connection) == {"SPEAKER_00": [(0,)] * 3, "Cleo": [(10, 30)] * 3}
    for _ in range(3):
        edits.undo(connection, 1)
    assert spoken(connection) == {f"SPEAKER_0{n}": [(at,)] * 3 for n, at in enumerate((0, 10, 30))}
    assert connection.execute("SELECT COUNT(*) FROM moved").fetchone()[0] == 0


@pytest.mark.parametrize(
    ("span", "why"), [(Span(10_000, 30_000), "says nothing"), (Span(0, 60_000), "all that SPEAKER_00")]
)
def test_a_split_that_moves_nothing_or_everything_is_no_split(database: Database, span: Span, why: str) -> None:
    made(database, MADE)
    with pytest.raises(DataError, match=why), database.writing() as connection:
        edits.split(connection, 1, "SPEAKER_00", [span])
    with database.reader() as connection:
        assert edits.edits(connection, 1) == []
        assert len(speakers.voices(connection, 1)) == 3


def test_a_voice_is_not_merged_with_itself_or_with_nobody(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Ada")
    with pytest.raises(DataError, match="one voice already"):
        edits.merge(connection, 1, "Ada", "SPEAKER_00")
    with pytest.raises(NotFound, match="the voices are: Ada"):
        edits.merge(connection, 1, "Ada", "Zoe")


def test_c35_a_taken_name_proposes_the_merge(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "John")
    with pytest.raises(DataError, match=r"two johns.*--merge 'John\+SPEAKER_01'.*'john 2'"):
        edits.rename(connection, 1, "SPEAKER_01", "john")
    with pytest.raises(DataError, match="two johns"):
        edits.split(connection, 1, "SPEAKER_01", [Span(0, 1)], "john")


def test_a_name_that_a_voice_has_changes_nothing_and_an_alias_is_no_second_name(connection: sqlite3.Connection) -> None:
    edits.add_alias(connection, 1, "SPEAKER_00", "Ada")
    assert edits.rename(connection, 1, "SPEAKER_00", "Ada").aliases == ()
    edits.rename(connection, 1, "Ada", "Ada")
    assert [edit.action for edit in edits.edits(connection, 1)] == ["alias", "rename"]
    edits.undo(connection, 1)
    assert speakers.find(connection, 1, "Ada").aliases == ("Ada",)


def test_a_split_under_a_name_that_is_there_says_how_it_is_done(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "John")
    with pytest.raises(DataError, match="leave the name out and then merge"):
        edits.split(connection, 1, "SPEAKER_01", [Span(0, 1)], "John")
    with pytest.raises(DataError) as told:
        edits.rename(connection, 1, "SPEAKER_01", "x" * 3000)
    assert len(str(told.value)) < 200


def test_c25_one_name_in_two_unicode_forms_is_one_name(connection: sqlite3.Connection) -> None:
    edits.rename(connection, 1, "SPEAKER_00", "Hie\u0302\u0301u")
    assert speakers.find(connection, 1, "HI\u1ebeU").label == "SPEAKER_00"
    with pytest.raises(DataError, match="that would make two"):
        edits.rename(connection, 1, "SPEAKER_01", "hi\u1ebfu")
    edits.merge(connection, 1, "hie\u0302\u0301u", "SPEAKER_01")
    assert len(spoken(connection)) == 2


def test_what_is_heard_later_follows_and_what_a_file_says_does_not(connection: sqlite3.Connection) -> None:
    edits.merge(connection, 1, "SPEAKER_00", "SPEAKER_01")
    heard = streams.new_version(connection, 1, "speaker", streams.Source("onnx", {}))
    streams.publish(connection, heard, TURNS)
    assert [turn.speaker[-1] for turn in rows.turns(connection, heard)] == ["0", "0", "2"]
    told = streams.new_version(connection, 1, "speaker", streams.Source("rttm", {"file": "a.rttm"}))
    streams.publish(connection, told, TURNS)
    assert [turn.speaker[-1] for turn in rows.turns(connection, told)] == ["0", "1", "2"]
    edits.undo(connection, 1)
    assert [turn.speaker[-1] for turn in rows.turns(connection, heard)] == ["0", "1", "2"]


def test_the_log_of_an_older_library_is_read(connection: sqlite3.Connection) -> None:
    voice = {"id": 1, "label": "SPEAKER_00", "name": None, "aliases": []}
    entry = (1, "rename", json.dumps(voice), json.dumps(voice | {"name": "Ada"}), 0, "2025-01-01")
    connection.execute("INSERT INTO speaker_edit(rec_id, action, before, after, undone, at) VALUES(?,?,?,?,?,?)", entry)
    connection.execute("UPDATE speaker SET name = 'Ada' WHERE id = 1")
    edits.merge(connection, 1, "Ada", "SPEAKER_01")
    edits.undo(connection, 1)
    assert edits.undo(connection, 1).after.name == "Ada"
    assert speakers.voices(connection, 1)[0].name is None


def test_talk_time_of_a_merged_voice_is_that_of_both(database: Database) -> None:
    made(database, MADE)
    with database.writing() as connection:
        edits.merge(connection, 1, "SPEAKER_01", "SPEAKER_02")
    with database.reader() as connection:
        (entry,) = catalog(connection, recordings.every(connection)).recordings
    assert [(voice.label, voice.talk_ms, voice.turns) for voice in entry.voices] == [
        ("SPEAKER_01", 50_000, 2),
        ("SPEAKER_00", 10_000, 1),
    ]


EDITS = """
import sys
from pathlib import Path
from store import edits
from store.database import Database
database = Database.open(Path(sys.argv[1]))
for n in range(25):
    with database.writing() as connection:
        edits.add_alias(connection, 1, "SPEAKER_00", f"{sys.argv[2]} {n}")
with database.writing() as connection:
    edits.merge(connection, 1, "SPEAKER_00", sys.argv[3])
"""


def test_two_processes_that_edit_at_once_lose_nothing(database: Database) -> None:
    made(database, MADE)
    root = Path(__file__).resolve().parents[2]
    both = [
        subprocess.Popen([sys.executable, "-c", EDITS, str(database.folder), name, other], cwd=root)
        for name, other in (("Ada", "SPEAKER_01"), ("Ben", "SPEAKER_02"))
    ]
    assert [process.wait(60) for process in both] == [0, 0]
    with database.writing() as connection:
        (voice,) = speakers.voices(connection, 1)
        assert set(voice.aliases) == {f"{name} {n}" for name in ("Ada", "Ben") for n in range(25)}
        assert spoken(connection) == {"SPEAKER_00": [(0, 10, 30)] * 3}
        for _ in range(52):
            edits.undo(connection, 1)
        assert spoken(connection) == {f"SPEAKER_0{n}": [(at,)] * 3 for n, at in enumerate((0, 10, 30))}
        assert speakers.voices(connection, 1)[0].aliases == ()
