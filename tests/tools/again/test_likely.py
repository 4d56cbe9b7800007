"""What is heard again first: stretches that sound like the words, doubtful ones before sure ones, within the limits."""

import pytest

from store import recordings
from store.catalog import Catalog
from store.database import Database
from store.record import Segment, Turn, Word
from tests.tools.made import Made, made
from tools.again.likely import AROUND, LONGEST_MS, PAD_MS, Likely, likely, within
from tools.transcript.query import TranscriptQuery

SAID = [
    Segment(0, 4_000, "We met Marie Sol at the station.", "Ada", score=0.9),
    Segment(5_000, 9_000, "Nothing of that kind.", "Ben", score=0.9),
    Segment(10_000, 14_000, "Marisol was named here.", "Ada", score=0.9),
    Segment(15_000, 19_000, "The maricole is late.", "Ben", score=0.9),
]


def library(database: Database, said: list[Segment], path: str | None = "/somewhere.wav") -> Catalog:
    from store.catalog import catalog

    made(database, Made(transcript=said, speaker=[Turn(s.t0, s.t1, s.speaker or "") for s in said]))
    with database.writing() as connection:
        connection.execute("UPDATE recording SET path = ?", (path,))
    with database.reader() as connection:
        return catalog(connection, recordings.every(connection))


def found(database: Database, catalog: Catalog, *terms: str, **query: object) -> list[Likely]:
    asked = TranscriptQuery.model_validate({"keywords": list(terms) or ["Marisol"]} | query)
    with database.reader() as connection:
        return likely(connection, catalog, asked, asked.keywords)


def starts(passages: list[Likely]) -> list[int]:
    return [(each.span.t0 + PAD_MS) // 1_000 for each in passages]


def timed(t0: int, text: str, score: float) -> Segment:
    words = tuple(Word(t0 + 500 * i, t0 + 500 * i + 400, word, score) for i, word in enumerate(text.split()))
    return Segment(t0, words[-1].t1, text, "Ada", words=words, score=score)


def test_what_sounds_alike_comes_first_and_what_holds_the_word_is_not_heard_for_it(database: Database) -> None:
    assert starts(found(database, library(database, SAID))) == [0, 15, 5]


def test_of_what_sounds_as_much_alike_the_doubtful_comes_first(database: Database) -> None:
    said = [timed(0, "Well the maricole went by", 0.9), timed(60_000, "Well the maricole went by", 0.2)]
    assert starts(found(database, library(database, said))) == [60, 0]


def test_only_the_speaker_and_the_time_asked_about(database: Database) -> None:
    catalog = library(database, SAID)
    assert starts(found(database, catalog, speaker="Ada")) == [0]
    assert starts(found(database, catalog, start=14.5, end=16)) == [15]


def test_a_recording_without_audio_has_nothing_to_hear(database: Database) -> None:
    assert found(database, library(database, SAID, None)) == []


def test_each_term_has_passages_of_its_own(database: Database) -> None:
    passages = found(database, library(database, SAID), "Marisol", "nothing")
    assert {each.term for each in passages} == {"Marisol", "nothing"}
    assert 5 not in starts([each for each in passages if each.term == "nothing"])


def test_of_a_long_segment_only_the_words_around_the_likest_are_heard(database: Database) -> None:
    words = [f"w{n}" for n in range(40)]
    words[20:22] = ["Marie", "Sol"]
    (only,) = found(database, library(database, [timed(0, " ".join(words), 0.9)]))
    assert only.words == tuple(words[20 - AROUND : 22 + AROUND])
    assert only.words[slice(*only.places[0])] == ("Marie", "Sol")
    assert only.span.t0 == (20 - AROUND) * 500 - PAD_MS
    assert only.at == 20 * 500


def test_words_without_times_are_heard_with_their_whole_segment(database: Database) -> None:
    text = " ".join(["and"] * 20 + ["Marie", "Sol"] + ["so"] * 20)
    (only,) = found(database, library(database, [Segment(0, 9_000, text, "Ada")]))
    assert only.span.t1 == 9_000 + PAD_MS
    assert len(only.words) == 42


def test_seconds_are_spent_on_the_likeliest_but_on_one_in_any_case(database: Database) -> None:
    passages = found(database, library(database, SAID))
    assert [len(within(passages, seconds)) for seconds in (0, 4, 8.7, 60)] == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "stretch"),
    [
        ("We met Marie Sol there", ("Marie", "Sol")),
        ("so Mary sole went", ("Mary", "sole")),
        ("Yes", ("Yes",)),
    ],
)
def test_a_term_may_have_been_written_as_several_words_or_as_anything(
    database: Database, text: str, stretch: tuple[str, ...]
) -> None:
    (only,) = found(database, library(database, [timed(0, text, 0.9)]))
    assert only.words[slice(*only.places[0])] == stretch


def test_what_is_too_long_to_be_heard_at_once_is_never_said_to_have_been_heard(database: Database) -> None:
    cues = [Segment(0, 99_000, "A long cue.", "Ada"), Segment(100_000, 104_000, "A short one.", "Ada")]
    passages = found(database, library(database, cues))
    assert starts(within(passages, 60)) == [100]
    assert within([each for each in passages if each.span.duration > LONGEST_MS], 60) == []
