"""Keywords are literal, whole words, counted one by one, in any script and any Unicode form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import recordings, streams
from store.database import Database
from store.keywords import hits, normalise, occurrences
from store.record import Segment


@pytest.mark.parametrize(
    ("text", "term", "count"),
    [
        ("Red, red and READ: the red folder.", "red", 3),
        ("Red, red and READ: the red folder.", "red red", 1),
        ("well, you know, you know", "you know", 2),
        ("the end. The start", "end the", 0),
        ("a multi-agent system", "multi agent", 1),
        ("a multi agent system", "multi-agent", 0),
        ("who\u2019s there, who's there", "who's", 2),
        ("50% of 50 dollars", "50%", 1),
        ("50% of 50 dollars", "50", 2),
        ("case_1 and caseA1", "case_1", 1),
        ("a stage for 9000 dollars", "$9,000", 1),
        ("It costs $12,000.", "twelve thousand dollars", 1),
        ("It costs $12,000.", "12000", 1),
        ("$9,000, nine thousand dollars, 9000 dollars", "$9k", 3),
        ("29,000 dollars, $9,000,000, twenty nine thousand dollars, 9000 euros", "$9,000", 0),
        ("9.5 percent", "5%", 0),
        ("9.5 percent", "9", 0),
        ("nineteen ninety", "1990", 1),
        ("two hundred people", "hundred", 1),
        ("the fifth or the 5th element", "fifth", 2),
        ("the fifth element", "five", 0),
        ("1,2,3", "2", 1),
        ("why? why not", "why?", 1),
        ("ask @nasa", "@nasa", 1),
        ("this AND that", "AND", 1),
        ("sand and band", "and", 1),
        ("Hi\u1ebfu", "Hie\u0302\u0301u", 1),
        ("Zu\u0308rich", "Z\u00fcrich", 1),
        ("\uff21\uff22\uff23 corp", "abc", 1),
        ("\u9810\u7b97\u8d85\u652f\u4e86", "\u8d85\u652f", 1),
        ("\u9810\u7b97\u3002\u8d85\u652f", "\u7b97\u8d85", 0),
        ("aaa", "aa", 0),
        ("no no no", "no no", 1),
        ("a b", "a\0b", 1),
        ("what ever", "ever\udcff", 0),
    ],
)
def test_a_term_is_counted_where_it_is_meant(database: Database, text: str, term: str, count: int) -> None:
    """C22, C23, C25: literal search, right hits, never silently none."""
    with database.writing() as connection:
        new = recordings.NewRecording("0" * 64, "talk", "import", 1000)
        rec = recordings.add(connection, new).id
        stream = streams.new_version(connection, rec, "transcript", streams.Source("test", {}))
        streams.publish(connection, stream, [Segment(0, 10, text)])
        found = hits(connection, [(rec, stream)], [term])
    assert [hit.occurrences for hit in found] == ([count] if count else [])
    assert occurrences(normalise(text), normalise(term)) == count


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_have_the_normal_form_that_they_have_beside_others(text: str) -> None:
    assert normalise(f"\u00e9 {text}") == f"\u00e9 {normalise(text)}".strip()
