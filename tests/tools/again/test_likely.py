"""What is heard again first: what sounds like the words, then what was heard poorly, within the question's limits."""

from store import recordings
from store.catalog import Catalog
from store.database import Database
from store.record import Segment, Turn
from tests.tools.made import Made, made
from tools.again.likely import alike, likely, within
from tools.transcript.query import TranscriptQuery

SAID = [
    Segment(0, 4_000, "We met Marie Sol at the station.", "Ada", score=0.9),
    Segment(5_000, 9_000, "Nothing of that kind.", "Ben", score=0.9),
    Segment(10_000, 14_000, "Mumble mumble.", "Ada", score=0.2),
    Segment(15_000, 19_000, "The maricole is late.", "Ben", score=0.9),
]


def library(database: Database, path: str | None = "/somewhere.wav") -> Catalog:
    made(database, Made(transcript=SAID, speaker=[Turn(s.t0, s.t1, s.speaker or "") for s in SAID]))
    with database.writing() as connection:
        connection.execute("UPDATE recording SET path = ?", (path,))
        return catalog_of(database)


def catalog_of(database: Database) -> Catalog:
    from store.catalog import catalog

    with database.reader() as connection:
        return catalog(connection, recordings.every(connection))


def starts(database: Database, catalog: Catalog, **query: object) -> list[int]:
    asked = TranscriptQuery.model_validate({"keywords": ["Marisol"]} | query)
    with database.reader() as connection:
        return [each.span.t0 // 1_000 for each in likely(connection, catalog, asked, ["Marisol"])]


def test_what_sounds_alike_comes_first_then_what_was_heard_poorly(database: Database) -> None:
    library(database)
    assert starts(database, catalog_of(database)) == [0, 15, 10, 5]


def test_only_the_speaker_and_the_time_asked_about(database: Database) -> None:
    library(database)
    found = catalog_of(database)
    assert starts(database, found, speaker="Ada") == [0, 10]
    assert starts(database, found, start=9.5, end=12) == [10]


def test_a_recording_without_audio_has_nothing_to_hear(database: Database) -> None:
    library(database, None)
    assert starts(database, catalog_of(database)) == []


def test_what_is_near_in_meaning_goes_before_what_is_not(database: Database) -> None:
    library(database)
    asked = TranscriptQuery(keywords=["zzz"])
    with database.reader() as connection:
        found = likely(connection, catalog_of(database), asked, ["zzz"], near=[(1 << 20) + 1])
    assert [each.span.t0 for each in found[:2]] == [10_000, 5_000]


def test_seconds_are_spent_on_the_likeliest_but_on_one_in_any_case(database: Database) -> None:
    library(database)
    asked = TranscriptQuery(keywords=["Marisol"])
    with database.reader() as connection:
        found = likely(connection, catalog_of(database), asked, ["Marisol"])
    assert [len(within(found, seconds)) for seconds in (0, 4, 8.5, 60)] == [1, 1, 2, 4]


def test_a_term_may_have_been_written_as_two_words() -> None:
    assert alike("We met Marie Sol there.", "Marisol") > 0.7
    assert alike("Nothing of that kind.", "Marisol") < 0.3


def test_a_name_may_have_been_written_as_three_words_that_only_sound_like_it() -> None:
    assert alike("Before noon Bill Rock Wist paid for it.", "Pilvoquist") > 0.6
    assert alike("Before noon nobody paid for it.", "Pilvoquist") < 0.6


def test_what_is_too_long_to_be_heard_at_once_is_never_said_to_have_been_heard(database: Database) -> None:
    cues = [Segment(0, 99_000, "A long cue.", "Ada"), Segment(100_000, 104_000, "A short one.", "Ada")]
    made(database, Made(transcript=cues))
    with database.writing() as connection:
        connection.execute("UPDATE recording SET path = '/somewhere.wav'")
    with database.reader() as connection:
        found = likely(connection, catalog_of(database), TranscriptQuery(keywords=["Marisol"]), ["Marisol"])
    assert [each.span.t0 for each in within(found, 60)] == [100_000]
    assert within(found[:1] if found[0].span.t0 == 0 else found[1:], 60) == []
