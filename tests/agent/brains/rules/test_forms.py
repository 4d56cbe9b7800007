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


@pytest.mark.parametrize(
    "pair",
    [
        "mouse mice", "child children", "man men", "woman women", "goose geese", "foot feet", "knife knives",
        "crisis crises", "go went", "going went", "buy bought", "choose chose",
        "decide decision", "decided decision", "deciding decisions", "discuss discussion", "discussed discussions",
        "elect election", "elected elections", "agree agreement", "investments invested", "propose proposal",
        "organise organize", "organising organized", "organisation organization", "organise organization",
        "colour color", "colours color", "behaviour behavior", "neighbour neighbors", "analyse analyzed",
    ],
)  # fmt: skip
def test_words_of_one_family_are_forms_of_each_other(pair: str) -> None:
    one, other = pair.split()
    assert other in inflections(one)
    assert one in inflections(other)


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("website", "web site"),
        ("website", "web-site"),
        ("websites", "web-sites"),
        ("web site", "website"),
        ("web-site", "website"),
        ("web-site", "web site"),
        ("re-election", "reelection"),
        ("reelection", "re-election"),
        ("cooperation", "co-operation"),
        ("multi-agent", "multi agent"),
    ],
)
def test_a_compound_is_written_in_several_ways(word: str, form: str) -> None:
    assert form in inflections(word)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("size", "sise"), ("promise", "promize"), ("exercised", "exercized"), ("resign", "re-sign"),
        ("report", "re-port"), ("contract", "contraction"), ("media", "medium"), ("left", "leave"), ("rose", "rise"),
        ("station", "state"), ("mission", "miss"), ("nation", "nate"), ("meeting", "met"), ("building", "built"),
    ],
)  # fmt: skip
def test_words_that_only_look_related_stay_apart(word: str, other: str) -> None:
    assert other not in inflections(word)
    assert word not in inflections(other)


@pytest.mark.parametrize(
    ("name", "other"), [("Foot", "feet"), ("Child", "children"), ("Gray", "grey"), ("Coca-Cola", "cocacola")]
)
def test_a_name_takes_no_form_of_the_table(name: str, other: str) -> None:
    assert other not in inflections(name)
