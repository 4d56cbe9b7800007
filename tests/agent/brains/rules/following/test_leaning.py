"""What was learned of questions that lean on the one before."""

import pytest

from agent.brains.rules.following.leaning import ALONE, SAME, STRETCHES, Leaning, Leanings, columns, leanings, pieces
from agent.brains.rules.following.standing import forms
from agent.brains.rules.language import language


def learned(code: str = "en") -> Leanings:
    found = leanings(language(code))
    assert found is not None
    return found


@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_wording_and_what_becomes_of_a_stretch_can_be_weighed(code: str) -> None:
    found = learned(code)
    assert set(STRETCHES) <= set(found.columns)
    assert all(set(columns(key, key)) & set(found.columns) for key in (*forms(code), ALONE))
    assert len(found.weights) % len(found.columns) == 0


def test_a_language_without_a_file_has_learned_nothing() -> None:
    spoken = language("en")
    assert leanings(type(spoken)("xx", spoken.table, spoken.families)) is None


def test_a_key_says_what_is_asked_how_and_of_what() -> None:
    assert pieces("who said X more S S2") == ("who", "said more", "S X")
    assert pieces("") == ("", "", "")


def test_a_meaning_is_made_of_its_pieces_and_of_what_it_keeps_and_leaves() -> None:
    assert columns(ALONE, "who said X") == [ALONE]
    assert {"when", "said", "X", "keeps manner", "leaves S"} <= set(columns("when said X", "what said S X"))
    assert "keeps ask" not in columns("when said X", "what said S X")
    assert {"keeps same", "keeps ask", "keeps slots"} <= set(columns(SAME, "when said X"))


def test_the_likeliest_meaning_is_found_among_those_that_are_possible() -> None:
    asked = Leaning(("when", "?"), "what said S X")
    likely, place, key = learned().likeliest([(asked, ("what said S X", "when said S X", "often said S X", ALONE))])
    assert (place, key) == (0, "when said S X")
    assert 0.5 < likely <= 1
    assert learned().likeliest([]) == (0.0, 0, ALONE)


def test_what_becomes_of_a_stretch_is_one_of_what_is_possible() -> None:
    asked = Leaning(("in", "total", "?"), "often said S X")
    assert learned().becomes(asked, STRETCHES[:2]) == STRETCHES[1]


@pytest.mark.parametrize("key", ["often said S X", "who said X never", "when said S X first", "who said who"])
def test_what_a_meaning_is_made_of_comes_in_one_order_in_every_process(key: str) -> None:
    words = list(dict.fromkeys(key.split()))
    assert columns(key, "")[: len(words)] == words
