"""A term was said when more speaks for it than for words that nobody said; no kind of evidence tells by itself."""

from dataclasses import fields, replace
from typing import Any

import pytest

from tools.transcript.evidence import Asked, Evidence, alike, mentions


@pytest.mark.parametrize(
    ("text", "term", "there"),
    [
        ("It was Thistlewood, who found it.", "thistlewood", True),
        ("It was Thistle Wood.", "thistle wood", True),
        ("It was Thistlewoods.", "Thistlewood", False),
        ("Zürich, dann Bern", "zürich", True),
        ("", "x", False),
    ],
)
def test_a_term_is_mentioned_as_a_whole(text: str, term: str, there: bool) -> None:
    assert mentions(text, term) is there


SAID = Evidence("x", (0, 1), 10.0, 20.0, 0.9, 12.0, 1.0, 1.0)
UNSAID = Evidence("x", (0, 1), -20.0, -10.0, 0.4, -5.0, 0.5, 0.0)
KINDS = [field.name for field in fields(Evidence) if field.name not in ("term", "place")]


def test_a_term_for_which_everything_speaks_was_said_and_one_for_which_nothing_does_was_not() -> None:
    assert SAID.heard
    assert not UNSAID.heard


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_evidence_is_enough_by_itself(kind: str) -> None:
    more: dict[str, Any] = {kind: 99.0}
    assert not replace(UNSAID, **more).heard


def test_what_was_but_glanced_at_was_not_heard() -> None:
    assert not Evidence("x", (0, 1), 99.0, 99.0).heard


@pytest.mark.parametrize(
    ("texts", "least", "most"),
    [
        (["The letter came from Brinnellot on the second"], 0.8, 1.0),
        (["it was brin a lot who came", "it was nobody"], 0.6, 1.0),
        (["Nobody knew that"], 0.0, 0.6),
        ([""], 0.0, 0.0),
        (["…"], 0.0, 0.0),
    ],
)
def test_of_texts_the_likest_few_words_are_held_against_a_term(texts: list[str], least: float, most: float) -> None:
    assert least <= alike(texts, "Brinnalotte") <= most


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("They asked Ravenscroft for the keys.", 1.0),
        ("They asked Ravensgate for the keys.", 0.0),
        ("Ravenscroft, Ravensgate, Ravenscroft,", 0.0),
        ("", 0.0),
    ],
)
def test_a_list_of_names_said_back_tells_nothing(text: str, share: float) -> None:
    asked = Asked("Ravenscroft", ("the", "keys", "to", "Ravens", "Rock", "before"), ((3, 5),))
    assert asked.told([text, text], (3, 5)) == share
    assert asked.told([text, "nothing"], (3, 5)) == share / 2


def test_decoys_are_made_for_the_place() -> None:
    asked = Asked("Thistlewood", ("this", "little", "would", "do"), ((0, 3),), ("morning", "Philadelphia", "chapter"))
    assert asked.decoys((0, 3))
    assert not Asked("Thistlewood", ("this", "little"), ((0, 2),)).decoys((0, 2))


def test_another_word_takes_the_place_of_those_written() -> None:
    asked = Asked("Ravenscroft", ("the", "keys", "to", "Ravens", "Rock", "before"), ((3, 5),))
    assert asked.text == "the keys to Ravens Rock before"
    assert asked.instead("Ravenscroft", (3, 5)) == "the keys to Ravenscroft before"
