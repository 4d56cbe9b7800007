"""Which names a sentence gives: said of oneself, or called to somebody; what only looks so gives none."""

import pytest

from tools.voicing.introductions import introductions, namings

GIVEN = [
    ("Good morning, everyone. I'm Ada, and I am in charge.", "own Ada"),
    ("Hi, my name is Oliver. I am responsible for the stage.", "own Oliver"),
    ("And I\u2019m Victor.", "own Victor"),
    ("This is Diane Keaton speaking.", "own Diane Keaton"),
    ("Hello, Ben here.", "own Ben"),
    ("I'm Dr. Smith.", "own Dr. Smith"),
    ("Je m'appelle Hélène de Villiers, et je commence.", "own Hélène de Villiers"),
    ("Moi c'est Zoé.", "own Zoé"),
    ("Thanks, Ben. Next.", "thanked Ben"),
    ("Thank you very much, Lynne.", "thanked Lynne"),
    ("Hi, nice to meet you Dmitry.", "called Dmitry"),
    ("Victor, can you talk to the bakery?", "called Victor"),
    ("Enchanté, Paul.", "called Paul"),
]
NONE = [
    "I'm Canadian.", "I'm OK.", "I am BBC staff.", "If I'm Ben, then who are you?", 'She said, "I\'m Diane".',
    "They say I'm Ben.", "I'm Ben's boss.", "i'm ben", "This is Stephane.", "Same here.", "Native speaking.",
    "Basically, you could say so.", "Thank you, Mr. Speaker.", "Thank you Ben is what he said", "I'm sorry, Ben.",
    "Maria cannot be here today.", "Ben's here.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), GIVEN)
def test_names_are_found(text: str, found: str) -> None:
    assert [f"{naming.kind} {naming.name}" for naming in namings(text)] == [found]


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_so_gives_none(text: str) -> None:
    assert namings(text) == []


def test_a_name_that_is_asked_for_may_be_said_in_more_ways() -> None:
    assert {"I'm Ben", "Ben speaking", "it's Ben", "je m'appelle Ben"} <= set(introductions("Ben"))
