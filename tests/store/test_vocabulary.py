"""Words that transcripts hold are found by their first letter, with its accents, and in scripts of their own."""

from pathlib import Path

import pytest

from store import recordings, streams
from store.database import Database
from store.record import Segment
from store.vocabulary import words

SAID = ("The café serves Übung and uncle Émile.", "Москва ждёт", "会議です", "Zebra zoo")


@pytest.fixture
def spoken(tmp_path: Path) -> Database:
    database = Database.open(tmp_path)
    with database.writing() as connection:
        added = recordings.add(connection, recordings.NewRecording("ab" * 32, "talk", "import", 60_000))
        version = streams.new_version(connection, added.id, "transcript", streams.Source("test", {}))
        rows = [Segment(n * 1000, n * 1000 + 900, text) for n, text in enumerate(SAID)]
        streams.publish(connection, version, rows)
    return database


@pytest.mark.parametrize(
    ("initials", "held", "others"),
    [
        ("c", {"café"}, {"serves", "zebra"}),
        ("u", {"uncle", "übung"}, {"zoo"}),
        ("e", {"émile"}, {"zebra"}),
        ("z", {"zebra", "zoo"}, {"café"}),
        ("м", {"москва"}, {"zebra"}),
        ("会", set(), {"zebra"}),
        ("", set(), {"zebra"}),
    ],
)
def test_words_are_found_by_their_letter(spoken: Database, initials: str, held: set[str], others: set[str]) -> None:
    with spoken.reader() as connection:
        found = words(connection, initials)
    assert held <= set(found)
    assert not others & set(found)
    assert found == sorted(found)
