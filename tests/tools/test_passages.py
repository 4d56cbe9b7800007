"""Passages: words in any form over neighbouring turns, by a speaker with what others say around, within a budget."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.keywords import akin, mentions
from store.record import Segment
from store.recordings import NewRecording
from store.streams import Source
from store.vectors import WIDTH, save
from tools.passages import LETTERS, passages
from tools.transcript.query import TranscriptQuery

SAID = (
    ("Ada", "Good morning, let us begin with the agenda."),
    ("Ben", "The heating broke again over the weekend."),
    ("Ada", "Then the evaluation of the prototypes has to wait."),
    ("Ben", "Why not do it in the canteen?"),
    ("Chloe", "It is too loud in there for measurements."),
    ("Ada", "We evaluate the prototype on Friday then."),
    *(("Ben", f"Something else entirely, number {n}, about travel and food.") for n in range(120)),
    ("Chloe", "The invoices are paid."),
)


@pytest.fixture
def scope(database: Database) -> Catalog:
    return heard(database, SAID)


def heard(database: Database, said: Sequence[tuple[str, str]]) -> Catalog:
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording("a" * 64, "Talk", "import", 4000 * len(said)))
        stream = streams.new_version(connection, recording.id, "transcript", Source("made", {}))
        rows = [Segment(4000 * i, 4000 * i + 3500, text, speaker) for i, (speaker, text) in enumerate(said)]
        streams.publish(connection, stream, rows)
        streams.finish(connection, recording.id, "en")
        return catalog(connection, [recordings.find(connection, recording.public_id)])


def found(database: Database, scope: Catalog, **asked: object) -> list[int]:
    query = TranscriptQuery.model_validate({"passages": 200} | asked)
    with database.reader() as connection:
        return [hit.segment_id & 0xFFFFF for hit in passages(database, connection, scope, query)]


def test_the_turns_around_the_words_come_along_and_the_rest_stays_out(database: Database, scope: Catalog) -> None:
    rows = found(database, scope, keywords=["evaluating", "prototypes"], passages=80, around=True)
    assert rows[0] in (2, 5)
    assert set(rows) >= {2, 3, 4, 5}
    assert max(rows) < 12


@pytest.mark.parametrize("budget", [50, 200, 1000])
def test_a_budget_is_kept(database: Database, scope: Catalog, budget: int) -> None:
    rows = found(database, scope, keywords=["travel"], passages=budget)
    assert sum(len(SAID[row][1]) / LETTERS for row in rows) <= budget
    assert len(rows) == len(set(rows)) > 2


def test_only_a_speakers_own_words_count_and_others_come_only_when_asked(database: Database, scope: Catalog) -> None:
    alone = found(database, scope, keywords=["prototype"], speaker="Ada")
    assert alone
    assert {SAID[row][0] for row in alone} == {"Ada"}
    around = found(database, scope, keywords=["prototype"], speaker="Ada", around=True)
    assert {SAID[row][0] for row in around} == {"Ada", "Ben", "Chloe"}
    assert found(database, scope, keywords=["prototype"], speaker="Ben", around=True) == []


def test_what_is_said_after_the_words_tells_more_than_what_is_said_before(database: Database, scope: Catalog) -> None:
    rows = found(database, scope, keywords=["number 60"], passages=400, around=True)
    before, after = 66 - min(rows), max(rows) - 66
    assert rows[0] == 66
    assert after > before > 0


def test_who_is_named_is_found_where_others_ask_for_the_words(database: Database) -> None:
    """Chloe says "trials" once in passing, and answers at length where Ada asks for them."""
    filler = SAID[6:126]
    asked = (
        ("Ada", "What of the volcano trials, the trials in Iceland?"),
        ("Chloe", "They went well, without a doubt."),
    )
    scope = heard(database, (*filler, ("Chloe", "Trials are costly."), *filler, *asked, *filler))
    rows = found(database, scope, keywords=["volcano", "trials", "Iceland"], speaker="Chloe", around=True)
    assert {241, 242} <= set(rows)


def test_passages_of_a_person_who_is_mentioned_come_first(database: Database, scope: Catalog) -> None:
    rows = found(database, scope, keywords=["Chloe", "travel", "agenda"], passages=100, around=True)
    assert {4, 126} & set(rows)


def test_without_what_is_around_each_row_holds_a_word(database: Database, scope: Catalog) -> None:
    assert sorted(found(database, scope, keywords=["prototype", "canteen"])) == [2, 3, 5]


def test_a_little_of_the_words_is_not_enough_of_a_speaker(database: Database, scope: Catalog) -> None:
    asked = ["invoices", "prototype", "canteen", "heating", "agenda", "morning", "weekend", "friday"]
    assert found(database, scope, keywords=asked, speaker="Chloe") == []
    assert found(database, scope, keywords=asked[:2], speaker="Chloe") != []


def test_meaning_counts_for_whose_passage_it_is(database: Database, scope: Catalog) -> None:
    """Nobody says "trials": the nearest row of all is Ada's, and half of its minute, but little of the whole."""
    near = {5: 0.9, 2: 0.5, 4: 0.3}
    asked = TranscriptQuery(keywords=["trials"], semantic="What of the trials?", passages=200, speaker="Ada")
    with database.writing() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM segment ORDER BY id")]
        save(connection, ids, np.stack([leaning(near.get(row_id & 0xFFFFF, 0.0)) for row_id in ids]))
    with database.reader() as connection:

        def quoted(speaker: str, end: float | None = 24.0) -> list[int]:
            query = asked.model_copy(update={"speaker": speaker, "end": end})
            hits = passages(database, connection, scope, query, lambda text: leaning(1.0))
            return [hit.segment_id & 0xFFFFF for hit in hits]

        assert quoted("Ada")[0] == 5
        assert quoted("Chloe") == quoted("Ben") == quoted("Ada", None) == []


def leaning(cosine: float) -> "NDArray[np.float32]":
    vector = np.zeros(WIDTH, np.float32)
    vector[:2] = cosine, np.sqrt(1 - cosine**2)
    return vector


def test_a_range_is_kept(database: Database, scope: Catalog) -> None:
    assert set(found(database, scope, keywords=["travel"], start=-40.0)) <= set(range(len(SAID) - 11, len(SAID)))
    assert max(found(database, scope, keywords=["prototype"], end=12.0)) <= 2


def test_nothing_said_of_it_gives_nothing(database: Database, scope: Catalog) -> None:
    assert found(database, scope, keywords=["volcano"]) == []
    assert found(database, scope, keywords=["prototype"], speaker="Nobody") == []


def test_many_recordings_are_searched_where_the_words_are(database: Database, scope: Catalog) -> None:
    with database.writing() as connection:
        for n in range(25):
            recording = recordings.add(connection, NewRecording(f"{n:064}", f"Other {n}", "import", 4000))
            stream = streams.new_version(connection, recording.id, "transcript", Source("made", {}))
            streams.publish(connection, stream, [Segment(0, 3000, "Nothing of interest here.", "Eve")])
            streams.finish(connection, recording.id, "en")
        whole = catalog(connection, recordings.every(connection))
    rows = found(database, whole, keywords=["prototypes"], passages=60)
    assert rows[0] in (2, 5)


AKIN = (
    ("industry", "industries", True),
    ("evaluate", "evaluation", True),
    ("button", "buttons", True),
    ("lcd", "lcds", True),
    ("plan", "planning", True),
    ("presented", "presentation", True),
    ("evaluated", "evaluation", True),
    ("strategy", "strategic", True),
    ("competition", "competitor", True),
    ("arrange", "arrangements", True),
    ("contrast", "contract", False),
    ("general", "genetic", False),
    ("station", "statement", False),
    ("experience", "experiment", False),
    ("use", "user", False),
    ("car", "care", False),
    ("meet", "meat", False),
    ("art", "article", False),
    ("budget", "bud", False),
)


@pytest.mark.parametrize(("one", "other", "same"), AKIN)
def test_forms_of_a_word_are_told_from_other_words(one: str, other: str, same: bool) -> None:
    assert akin(one, other) is akin(other, one) is same


def test_mentions_count_all_forms_of_a_word_and_phrases_literally(database: Database, scope: Catalog) -> None:
    state = scope.recordings[0].streams["transcript"]
    ids = [(scope.recordings[0].recording.id, state.id)]
    with database.reader() as connection:
        forms = {row & 0xFFFFF: times for row, times in mentions(connection, ids, "Prototypes").items()}
        phrase = mentions(connection, ids, "too loud")
    assert forms == {2: 1, 5: 1}
    assert [row & 0xFFFFF for row in phrase] == [4]
