"""Quotation marks of many languages; apostrophes and inches are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.quotes import quotes

PAIRED = [
    ('He said "we ship" and "we stay".', ["we ship", "we stay"]),
    (
        "“we ship”, „wir liefern“, „płyniemy”, «on livre», »vi sejler«",
        ["we ship", "wir liefern", "płyniemy", "on livre", "vi sejler"],
    ),
    ("« on livre »", [" on livre "]),
    ("「发货」『五』", ["发货", "五"]),
    ("他说：“我们发货”。", ["我们发货"]),
    ("‘we ship now’ and 'we do'", ["we ship now", "we do"]),
    ("the boys' house isn't Ben's, rock 'n' roll", []),
    ('a 5" pipe and a 6" one', []),
    ('"he called it “late” again"', ["he called it “late” again"]),
    ("“I don’t know,” she said", ["I don’t know,"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "inner"), PAIRED)
def test_pairs(text: str, inner: list[str]) -> None:
    assert [text[q.first : q.last] for q in quotes(text) if q.closed] == inner


@pytest.mark.parametrize("text", ['He said "we ship. Anna said "no".', "“never closed", '"'])
def test_a_mark_that_is_never_closed_takes_nothing_else_with_it(text: str) -> None:
    found = quotes(text)
    assert [q.closed for q in found] == [False, True][: len(found)]


@given(st.text(alphabet="ab \"“”„«»'‘’「」", max_size=80))
def test_quotes_are_apart_and_in_order(text: str) -> None:
    found = quotes(text)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert all(q.start < q.first <= q.last <= q.end <= len(text) for q in found)
