"""One call by itself: its edges, names and keywords in every spelling, the nth row, talk time in a range."""

from collections.abc import Iterator
from typing import Any

import pytest

from store import recordings
from store.catalog import catalog
from store.database import Database
from store.edits import add_alias, merge, rename
from store.errors import ToolError
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.compiler.selection import keywords, looked_up, selection
from tools.transcript.query import TranscriptQuery

DAY = 25 * 3_600_000
SAID = [
    Segment(0, 1_000, "The Café opens, der Fluß too.", "Zoë"),
    Segment(1_000, 2_000, "cafe or café? ＡＢＣ", "SPEAKER_01"),
    Segment(2_000, 2_001, "会議を始める", None),
    Segment(DAY, DAY + 1_000, "İstanbul, after a day", "Zoë"),
]
TALK = Made(
    SAID,
    [Turn(0, 1_000, "Zoë"), Turn(500, 1_500, "Zoë"), Turn(1_000, 2_000, "SPEAKER_01"), Turn(DAY, DAY + 1_000, "Zoë")],
    [Emotion(0, 1_000, "anger", 0.9, "Zoë"), Emotion(1_000, 2_000, "anger", 0.5, None)],
    [Event(0, 500, "Bell", 0.4), Event(1_000, 1_500, "Bell", 0.5), Event(1_500, 9_000, "Speech", 0.9)],
    minutes=26 * 60,
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    database = Database.open(tmp_path_factory.mktemp("selection") / "library")
    with Session(database, made(database, TALK)) as session:
        yield session


def starts(session: Session, call: tuple[str, dict[str, Any]]) -> list[int]:
    evidence = session.run(plan(call))
    assert evidence.total == len(evidence.rows)
    return [row.t0 for row in evidence.rows]


@pytest.mark.parametrize(
    ("stretch", "found"),
    [
        ({"start": 1.0}, [1_000, 2_000, DAY]),  # a row that ends where a stretch begins is not in it
        ({"start": 0.999}, [0, 1_000, 2_000, DAY]),
        ({"end": 1.0}, [0]),  # nor is one that begins where it ends
        ({"end": 1.001}, [0, 1_000]),
        ({"start": 2.0, "end": 2.001}, [2_000]),
        ({"start": 2.001, "end": DAY / 1000}, []),
        ({"start": DAY / 1000}, [DAY]),
        ({"start": DAY / 1000 + 0.9995}, [DAY]),  # floored to a millisecond
        ({"start": DAY / 1000 + 1}, []),
        ({"start": -3_600}, [DAY]),  # the recording lasts 26 hours, and the row begins as its last hour does
        ({"end": -3_600}, [0, 1_000, 2_000]),
        ({"start": -1e9}, [0, 1_000, 2_000, DAY]),
        ({"end": -1e9}, []),
        ({"start": 1e15}, []),
        ({"start": 0, "end": 1e15}, [0, 1_000, 2_000, DAY]),
    ],
)
def test_a_stretch_is_half_open(talk: Session, stretch: dict[str, float], found: list[int]) -> None:
    assert starts(talk, ("transcript", stretch)) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["café"], [0, 1_000]),
        (["cafe\u0301"], [0, 1_000]),
        (["CAFE"], [1_000]),
        (["fluss"], [0]),
        (["FLUSS", "FLUẞ"], [0]),
        (["abc"], [1_000]),
        (["ＡＢＣ"], [1_000]),
        (["会議"], [2_000]),
        (["議"], [2_000]),
        (["会始"], []),
        (["i\u0307stanbul"], [DAY]),
        (["?"], [1_000]),
        (["%"], []),
        (['"'], []),
        (["~"], []),
    ],
)
def test_words_are_found_in_every_spelling(talk: Session, words: list[str], found: list[int]) -> None:
    assert starts(talk, ("transcript", {"keywords": words})) == found


@pytest.mark.parametrize("word", ["\0", "a\0b", "\ud800"])
def test_a_word_that_is_no_text_is_refused(talk: Session, word: str) -> None:
    with pytest.raises(ToolError, match="half a character|unable to parse"):
        talk.run(plan(("transcript", {"keywords": [word]})))


@pytest.mark.parametrize(
    ("name", "found"),
    [("zoë", [0, DAY]), ("Zoe", [0, DAY]), ("zoe\u0308", [0, DAY]), ("speaker 1", [1_000]), ("", []), ("Ada", [])],
)
def test_a_name_in_any_spelling_is_a_voice_and_an_unknown_one_is_nobody(
    talk: Session, name: str, found: list[int]
) -> None:
    assert starts(talk, ("transcript", {"speaker": name})) == found


def test_rows_without_a_voice_are_found_where_nobody_is_asked_for(talk: Session) -> None:
    assert starts(talk, ("emotion", {"labels": ["angry"]})) == [0, 1_000]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (("emotion", {"speaker": "Zoë"}), [0]),
        (("events", {}), [0, 1_000]),
        (("events", {"labels": ["speech"]}), [1_500]),
        (("events", {"min_score": 0.0}), [0, 1_000]),
        (("events", {"min_score": 0.5}), [1_000]),
        (("transcript", {"nth": 1}), [0]),
        (("transcript", {"nth": -1}), [DAY]),
        (("transcript", {"nth": 9}), []),
        (("transcript", {"nth": 2, "speaker": "Zoë"}), [DAY]),
        (("transcript", {"nth": -1, "keywords": ["café"]}), [1_000]),
        (("speaker", {"min_talk": 2.5}), [0, 500, DAY]),  # the union of Zoë's turns: they overlap by half a second
        (("speaker", {"min_talk": 2.501}), []),
        (("speaker", {"min_talk": 1.0, "start": 0.5, "end": 1.5}), [0, 500]),
        (("speaker", {"min_talk": 0.5, "start": 0.5, "end": 1.5}), [0, 500, 1_000]),
        (("speaker", {"min_talk": 0.0}), [0, 500, 1_000, DAY]),
        (("speaker", {"min_talk": 1.0, "nth": -1}), [DAY]),
        (("speaker", {"names": ["Zoë", "Zoe", "nobody"]}), [0, 500, DAY]),
        (("speaker", {"names": ["nobody"]}), []),
    ],
)
def test_filters_of_each_stream(talk: Session, call: tuple[str, dict[str, Any]], found: list[int]) -> None:
    assert starts(talk, call) == found


def test_the_nth_row_is_each_recordings_own_and_ties_keep_their_order(database: Database) -> None:
    tied = Made(events=[Event(5, 9, "B", 0.1), Event(5, 6, "A", 0.1), Event(5, 7, "C", 0.1)])
    scope = made(database, tied, Made(events=[]), Made(events=[Event(8, 9, "D", 0.1)]))
    with Session(database, scope) as session:
        first, last = (session.run(plan(("events", {"nth": n}))) for n in (1, -1))
    assert [row.label for row in first.rows] == ["B", "D"]
    assert [row.label for row in last.rows] == ["C", "D"]


def test_voices_that_were_merged_or_renamed_are_found_by_every_name(database: Database) -> None:
    made(database, TALK)
    with database.writing() as connection:
        merge(connection, 1, "Zoë", "SPEAKER_01")
        rename(connection, 1, "Zoë", "Müller")
        add_alias(connection, 1, "Müller", "the chair")
    with database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
    with Session(database, scope) as session:
        for name in ("Müller", "mueller", "muller", "the chair", "Zoë"):
            rows = session.run(plan(("transcript", {"speaker": name}))).rows
            assert [row.t0 for row in rows] == [0, 1_000, DAY]
            assert {row.speaker for row in rows} == {"Müller"}
        assert session.run(plan(("transcript", {"speaker": "speaker 1"}))).total == 0


def test_a_keyword_in_two_spellings_is_one(database: Database) -> None:
    """What is the same word to the index is counted once, in the spelling that came first."""
    twice = TranscriptQuery(keywords=["Café", "CAFÉ", "cafe\u0301", "cafe"])
    assert keywords(twice) == ("Café", "cafe")
    assert keywords(TranscriptQuery(keywords=["Red", "red"], match="phrase")) == ("Red red",)
    assert looked_up(TranscriptQuery(keywords=["Red", "red"], match="all")) == ("Red",)
    with Session(database, made(database, TALK)) as session:
        for spellings in (["café"], ["café", "CAFÉ"], ["Café", "café", "cafe\u0301"]):
            (group,) = session.run(plan(("transcript", {"keywords": spellings}), aggregate="count")).groups
            assert group.value == 2


@pytest.mark.parametrize("content", [[], [Made(SAID)], [Made(SAID), Made(SAID)], [Made(SAID), TALK]])
def test_a_stream_that_is_not_there_has_no_rows(database: Database, content: list[Made]) -> None:
    with Session(database, made(database, *content)) as session:
        for args in ({}, {"start": -60}, {"labels": ["angry"]}, {"speaker": "Zoë", "nth": -1}):
            rows = session.run(plan(("emotion", args))).rows
            assert not rows or TALK in content


def test_a_selection_says_what_must_be_looked_up(database: Database) -> None:
    scope = made(database, TALK)
    both = selection("c", TranscriptQuery(keywords=["a", "b"], match="all", semantic="tea"), scope)
    assert (both.terms, both.wanted, both.hits) == (("a", "b"), ('&["a", "b"]',), ('&["a", "b"]', "~tea"))
    one = selection("c", TranscriptQuery(keywords=["a"], match="all"), scope)
    assert (one.wanted, one.together) == (("a",), False)
    assert selection("c", TranscriptQuery(), scope).hits == ()
