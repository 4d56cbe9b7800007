"""Words come back from their cell as they were, with the text's own words or with others, in any order of time."""

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import timed
from store.record import Segment, Word

DAY = 30 * 3_600_000
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TIMES = st.integers(0, DAY)
WORDS = st.lists(st.builds(Word, TIMES, TIMES, TEXTS, st.none() | st.floats(0, 1)), max_size=5)


def _segment(*words: Word, text: str | None = None, t0: int = 0) -> Segment:
    said = " ".join(word.text for word in words) if text is None else text
    return Segment(t0, t0 + 1, said, words=words)


@given(WORDS, TEXTS | st.none(), TIMES)
def test_words_come_back_as_they_were(words: list[Word], text: str | None, t0: int) -> None:
    segment = _segment(*words, text=text, t0=t0)
    assert timed.unpacked(timed.packed(segment), t0, segment.text) == tuple(words)


def test_a_usual_word_takes_five_bytes() -> None:
    words = [Word(DAY + 200 * n, DAY + 200 * n + 190, "budget,", 0.874) for n in range(20)]
    cell = timed.packed(_segment(*words, t0=DAY))
    assert cell is not None
    assert len(cell) <= 1 + 5 * len(words)


@pytest.mark.parametrize("text", ["字字", "so  then", "So then.", "", "so then again"])
def test_words_that_are_not_the_text_s_own_keep_theirs(text: str) -> None:
    words = (Word(1, 2, "so"), Word(2, 3, "then\0", 0.5))
    assert timed.unpacked(timed.packed(_segment(*words, text=text)), 0, text) == words


def test_a_view_reads_words_as_json() -> None:
    connection = sqlite3.connect(":memory:")
    timed.provide(connection)
    words = (Word(5, 9, "'so'", 0.25), Word(9, 12, "字", float("inf")))
    cell = timed.packed(_segment(*words, t0=4))
    (found,) = connection.execute(f"SELECT {timed.FUNCTION}(?, ?, ?)", (cell, 4, "'so' 字")).fetchone()
    assert json.loads(found) == [[5, 9, "'so'", 0.25], [9, 12, "字", None]]
    assert connection.execute(f"SELECT {timed.FUNCTION}(NULL, 4, 'so')").fetchone() == (None,)
    connection.close()


def test_the_words_of_a_segment_that_is_not_there_are_none() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE segment(id INTEGER PRIMARY KEY, t0, text, words)")
    connection.execute("INSERT INTO segment VALUES(1, 3, 'so', ?)", (timed.packed(_segment(Word(4, 5, "so"), t0=3)),))
    assert timed.of_segment(connection, 1) == (Word(4, 5, "so"),)
    assert timed.of_segment(connection, 2) == ()
    connection.close()
