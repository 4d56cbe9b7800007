import os

import pytest

from store import recordings
from store.database import Database
from store.errors import NotFound
from store.recordings import NewRecording, public_id


def _add(database: Database, title: str, sha256: str) -> recordings.Recording:
    with database.writing() as connection:
        return recordings.add(connection, NewRecording(sha256, title, "import", 1000))


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Budget Meeting, May", "budget-meeting-may-12345678"),
        ("../../etc/passwd", "etc-passwd-12345678"),
        ("Büro – Café", "buro-cafe-12345678"),
        ("会议", "recording-12345678"),
        ("-rf \x1b[2J\n", "rf-2j-12345678"),
        ("x" * 300, f"{'x' * 40}-12345678"),
    ],
)
def test_the_public_id_is_safe_in_paths_and_terminals(title: str, wanted: str) -> None:
    assert public_id(title, "12345678" + "0" * 56) == wanted


def test_the_same_bytes_are_the_same_recording(database: Database) -> None:
    first = _add(database, "one", "a" * 64)
    assert _add(database, "another name", "a" * 64) == first
    assert _add(database, "one", "b" * 64).id != first.id


def test_a_recording_is_found_by_id_prefix_or_title(database: Database) -> None:
    budget, board = _add(database, "Budget", "a" * 64), _add(database, "Board", "b" * 64)
    with database.reader() as connection:
        for key in ("budget-aaaaaaaa", "bu", "Budget", "budg", "BUDGET"):
            assert recordings.find(connection, key) == budget
        with pytest.raises(NotFound, match=f"'b' names 2 recordings: {budget.public_id}, {board.public_id}"):
            recordings.find(connection, "b")
        with pytest.raises(NotFound, match=f"no recording 'zoo'; the library holds {budget.public_id}"):
            recordings.find(connection, "zoo")
        with pytest.raises(NotFound):
            recordings.find(connection, "")


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("Caf\u00e9", 0),  # a Mac writes file names with the accent apart
        ("Cafe\u0301", 0),
        ("CAFÉ", 0),
        ("café t", 1),
        ("  café   talk ", 1),
        ("ＣＡＦÉ", 0),
        ("straße", 2),
        ("STRASSE", 2),
        ("talk", 3),
        ("Talk", 3),
        ("talk-2", 4),
        ("会議", 5),
    ],
)
def test_a_title_is_found_however_it_is_written(database: Database, key: str, found: int) -> None:
    titles = ("Cafe\u0301", "Cafe\u0301 Talk", "Straße", "Talk", "Talk 2", "会議の録音")
    added = [_add(database, title, f"{n}" * 64) for n, title in enumerate(titles)]
    with database.reader() as connection:
        assert recordings.find(connection, key) == added[found]


def test_an_empty_library_says_so(database: Database) -> None:
    with database.reader() as connection, pytest.raises(NotFound, match="the library is empty"):
        recordings.find(connection, "x")


def test_notes_are_added_to_the_manifest(database: Database) -> None:
    rec_id = _add(database, "one", "a" * 64).id
    with database.writing() as connection:
        recordings.remember(connection, rec_id, decoded=1)
        recordings.remember(connection, rec_id, warned="cut")
        assert recordings.every(connection)[0].manifest == {"decoded": 1, "warned": "cut"}


def test_a_file_whose_name_is_no_text_keeps_its_path(database: Database) -> None:
    path = os.fsdecode(b"/x/bad\xff\xfe.wav")
    with database.writing() as connection:
        new = recordings.NewRecording("a" * 64, "bad", "ingest", 1000, path=path)
        assert recordings.add(connection, new).path == path
