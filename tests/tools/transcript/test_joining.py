"""About a cut every word is written once, whatever the two sides make of its time and its sound."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.asides import SetAside
from store.record import Segment, Span, Word
from tools.transcript.joining import going_on, joined, last_word
from tools.transcript.recogniser import Window

CUT = 10_000


def words(text: str, first: int, each: int = 300) -> tuple[Word, ...]:
    """Give words of `each` milliseconds that follow one another from `first` on."""
    return tuple(Word(first + i * each, first + (i + 1) * each, word, 0.9) for i, word in enumerate(text.split()))


def told(before: tuple[Word, ...], after: tuple[Word, ...]) -> str:
    """Give the text of a recording of twenty seconds that is heard in two windows about the cut."""
    one = joined(Window(0, CUT + 1_500, before), Span(0, CUT), None)
    two = joined(Window(CUT - 1_500, 20_000, after), Span(CUT, 20_000), one.words[-1] if one.words else None)
    return " ".join(word.text for word in (*one.words, *two.words))


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (("we ask for more", 9_000), ("for more food stalls", 9_600), "we ask for more food stalls"),
        (("ask for more food", 9_000), ("more food stalls", 9_700), "ask for more food stalls"),
        (("ask for more food", 9_150), ("for more food stalls", 9_200), "ask for more food stalls"),
        (("ask for more food", 8_990), ("for more food stalls", 9_440), "ask for more food stalls"),
        (("no, no, no, no", 9_000), ("No, no, no, no!", 9_000), "no, no, no, no!"),
        (("ask for fool", 9_210), ("more food stalls", 9_650), "ask for fool stalls"),
        (("", 0), ("and food stalls", 9_600), "food stalls"),
        (("ask for food", 8_000), ("", 0), "ask for food"),
        (("ask for food", 4_000), ("and food stalls", 9_600), "ask for food food stalls"),
    ],
)
def test_a_word_near_a_cut_is_written_once(before: tuple[str, int], after: tuple[str, int], text: str) -> None:
    assert told(words(*before), words(*after)) == text


@given(st.lists(st.integers(120, 700), min_size=30, max_size=60), st.integers(-150, 150), st.integers(-150, 150))
def test_however_two_sides_place_the_words_none_is_lost_or_doubled(lengths: list[int], one: int, two: int) -> None:
    edges = np.cumsum([0, *lengths]).tolist()
    said = [Word(t0, t1, f"word{i}") for i, (t0, t1) in enumerate(zip(edges, edges[1:], strict=False))]
    cut = edges[15] + 40
    before = tuple(Word(w.t0 + one, w.t1 + one, w.text) for w in said if w.t1 < cut + 1_500)
    after = tuple(Word(w.t0 + two, w.t1 + two, w.text) for w in said if w.t0 > cut - 1_500)
    first = joined(Window(0, cut + 1_500, before), Span(0, cut), None).words
    second = joined(Window(cut - 1_500, edges[-1], after), Span(cut, edges[-1]), first[-1]).words
    assert [word.text for word in (*first, *second)] == [word.text for word in said]
    assert all(a.t0 < b.t0 for a, b in pairwise((*first, *second)))
    assert all(word.t0 < word.t1 for word in second)


def test_words_that_nobody_heard_before_the_cut_are_parted_by_their_middle() -> None:
    assert [word.text for word in going_on(None, words("one two three", 9_600), CUT)] == ["two", "three"]


def test_a_last_word_that_is_stretched_over_the_cut_leaves_the_words_after_it_their_time() -> None:
    (after,) = going_on(Word(9_000, 10_900, "so"), [Word(10_300, 10_700, "then")], CUT)
    assert (after.t0, after.t1) == (10_500, 10_700)


def test_states_and_texts_set_aside_are_parted_by_time() -> None:
    aside = tuple(SetAside(t0, t0 + 400, f"at {t0}", "loop") for t0 in (8_600, 9_700, 9_900, 14_000))
    window = Window(8_500, 15_000, (), set_aside=aside, states=np.arange(325, dtype=np.float32).reshape(-1, 1))
    inside = joined(window, Span(CUT, 14_000), None)
    assert (inside.t0, inside.t1) == (CUT, 14_000)
    assert inside.states is not None
    assert inside.states[:, 0].tolist() == list(range(75, 275))
    assert [one.text for one in inside.set_aside] == ["at 9900"]
    assert joined(window, Span(0, 20_000), None).set_aside == aside


def test_a_window_that_lies_beyond_the_cut_gives_nothing() -> None:
    beyond = joined(Window(CUT, CUT + 1_500, words("one two", CUT)), Span(0, CUT), None)
    assert beyond.words == ()
    assert beyond.t0 == beyond.t1 == CUT


def test_the_last_word_is_that_of_the_last_segment() -> None:
    segments = [Segment(0, 600, "a b", "A", words("a b", 0)), Segment(900, 1_200, "c", "A", words("c", 900))]
    assert last_word(segments) == Word(900, 1_200, "c", 0.9)
    assert last_word([]) is None
