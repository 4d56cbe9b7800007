"""Amounts have one form, and what may be written otherwise is looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.figures import in_figures, one_word, ways

SAME = {
    "9000 dollars": ["$9,000", "9,000 dollars", "nine thousand dollars", "Nine thousand bucks", "$9k", "US$9,000"],
    "4500000 euros": ["€4.5m", "4.5 million euros", "4,500,000 €", "four million five hundred thousand euros"],
    "3 pounds": ["£3", "three quid", "three pounds"],
    "10 percent": ["10%", "10 %", "ten per cent", "ten percent"],
    "105 people": ["one hundred and five people", "a hundred and five people", "105 people"],
    "1990": ["nineteen ninety", "1990", "1,990"],
    "_5": ["fifth", "5th"],
}
APART = ["9000 dollars", "9000", "9000 euros", "9 dollars", "29000 dollars", "9000 percent", "_9", "9"]


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in SAME.items() for text in texts])
def test_an_amount_has_one_form(form: str, text: str) -> None:
    assert in_figures(text) == form


def test_what_differs_stays_apart() -> None:
    assert [in_figures(text) for text in APART] == APART


@pytest.mark.parametrize(
    "text", ["9:30", "twice", "1,2,3", "12345678901234567890", "case_1", "version 3.", "one of them", ""]
)
def test_what_is_no_amount_stays_as_it_is(text: str) -> None:
    assert in_figures(text) == text


def test_words_around_numbers_stay() -> None:
    assert in_figures("It was two three and ß nine thousand, or so.") == "It was 2 3 and ß 9000, or so."


@given(st.text(max_size=60))
def test_a_form_is_its_own_form(text: str) -> None:
    once = in_figures(text)
    assert in_figures(once) == once


@given(st.integers(min_value=2, max_value=9_999) | st.integers(min_value=10_000, max_value=10**11))
def test_every_way_to_write_a_number_has_its_form(value: int) -> None:
    assert {in_figures(f"${way}") for way in ways(str(value))} == {f"{value} dollars"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who mentioned US$9,000?", "Who mentioned $9,000?"),
        ("nine thousand dollars and ten per cent", "$9,000 and 10%"),
        ("the first twenty five minutes, 2,000 visitors", "the first 25 minutes, 2000 visitors"),
        ("five people at 12:30 on the 5th", "five people at 12:30 on the 5th"),
        ("the twenty-fifth time", "the twenty-fifth time"),
        ("3.5 million, €2m", "3500000, €2,000,000"),
        ("2.5 s, 1-2", "2.5 s, 1-2"),
    ],
)
def test_an_amount_is_one_word(text: str, word: str) -> None:
    assert one_word(text) == word
