"""A corrected file completed by what it corrects."""

from dataclasses import replace

import pytest

from store.record import Emotion, Event, Row, Segment, Turn, Word
from tools.imports.kept import kept, same

WORDS = (Word(0, 400, "mister", 0.9), Word(400, 1000, "Kowalsky", 0.4))
OLD = Segment(0, 1000, "mister Kowalsky", "S1", WORDS, "de", 0.123456789)


def test_what_a_format_does_not_hold_stays() -> None:
    assert kept([Segment(0, 1000, "mister Kowalsky", "S1")], [OLD]) == [OLD]
    assert kept([Segment(0, 1000, "mister Kowalsky", "S2", (), "en", 0.5)], [OLD]) == [replace(OLD, speaker="S2")]


def test_corrected_words_keep_their_times_where_there_are_as_many() -> None:
    (row,) = kept([Segment(0, 1000, "mister Kowalski", "S1")], [OLD])
    words = (WORDS[0], Word(400, 1000, "Kowalski"))
    assert row == Segment(0, 1000, "mister Kowalski", "S1", words, "de")
    (row,) = kept([Segment(0, 1000, "Kowalski", "S1")], [OLD])
    assert row == Segment(0, 1000, "Kowalski", "S1", (), "de")


def test_a_file_with_words_of_its_own_is_believed() -> None:
    words = (Word(0, 1000, "Kowalski"),)
    (row,) = kept([Segment(0, 1000, "Kowalski", "S1", words)], [OLD])
    assert isinstance(row, Segment)
    assert row.words == words
    (stale,) = kept([Segment(0, 1000, "mister Kowalski", "S1", WORDS)], [OLD])
    assert isinstance(stale, Segment)
    assert [word.text for word in stale.words] == ["mister", "Kowalski"]


def test_a_file_without_voices_keeps_those_that_are_there() -> None:
    new: list[Row] = [Segment(0, 600, "mister"), Segment(600, 900, "K."), Segment(5000, 6000, "new")]
    assert [row.speaker for row in kept(new, [OLD]) if isinstance(row, Segment)] == ["S1", "S1", None]


def test_two_who_say_the_same_at_once_stay_two() -> None:
    both: list[Row] = [Segment(0, 9, "yes", "S1", (), "en"), Segment(0, 9, "yes", "S2", (), "de")]
    assert same(kept([Segment(0, 9, "yes", "S2"), Segment(0, 9, "yes", "S1")], both), both)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (Turn(0, 9, "S1"), Turn(0, 9, "S1", 0.123456789)),
        (Turn(0, 9, "S1", 0.123457), Turn(0, 9, "S1", 0.123456789)),
        (Event(0, 9, "Dog", 0.123457), Event(0, 9, "Dog", 0.123456789)),
        (Emotion(0, 9, "anger", 0.123457), Emotion(0, 9, "anger", 0.123456789, "S1", {"anger": 0.123456789})),
    ],
)
def test_figures_that_an_export_rounded_are_not_corrections(new: Row, old: Row) -> None:
    assert kept([new], [old]) == [old]


def test_another_label_or_score_is_a_correction() -> None:
    assert kept([Event(0, 9, "Cat", 0.5)], [Event(0, 9, "Dog", 0.9)]) == [Event(0, 9, "Cat", 0.5)]
    assert kept([Event(0, 9, "Dog", 1.0)], [Event(0, 9, "Dog", 0.9)]) == [Event(0, 9, "Dog", 1.0)]
    assert not same([Event(0, 9, "Dog", 1.0)], [Event(0, 9, "Dog", 0.9)])
