"""Other forms of a word."""

import pytest

from agent.brains.rules.forms import inflections, synonyms
from agent.brains.rules.language import language


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("budget", "budgets"),
        ("budgets", "budget"),
        ("city", "cities"),
        ("cities", "city"),
        ("plan", "planning"),
        ("planned", "plan"),
        ("bridge", "bridges"),
        ("bridges", "bridge"),
        ("boxes", "box"),
        ("walked", "walking"),
        ("decide", "deciding"),
    ],
)
def test_a_form_is_found(word: str, form: str) -> None:
    assert form in inflections(word)
    assert word not in inflections(word)


@pytest.mark.parametrize(("word", "other"), [("parking", "park"), ("notes", "not"), ("bass", "bas")])
def test_another_word_is_no_form(word: str, other: str) -> None:
    assert other not in inflections(word)


@pytest.mark.parametrize("word", ["50%", "李雷", "UN", "don't", "mp3"])
def test_what_is_no_plain_word_has_no_forms(word: str) -> None:
    assert inflections(word) == ()


def test_synonyms_are_of_the_table() -> None:
    assert "vehicle" in synonyms("Car", language())
    assert synonyms("carpet", language()) == ()
