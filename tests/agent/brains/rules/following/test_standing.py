"""The plain wordings of what a question of a conversation may mean are read as they mean."""

import pytest

from agent.brains.rules.following.standing import ended, example, filled, forms, key, put, tidy, without
from agent.brains.rules.language import language
from agent.brains.rules.plans import tool_calls
from agent.brains.rules.reading import read

UNREAD = {"why felt S F"}  # no plan tells why somebody sounds as they do
ALIKE = {  # planned like the other: an answer of this kind says when, not what
    "what said S X second": "when said S X second", "what said S X third": "when said S X third",
    "what said X second": "when said X second", "what said X third": "when said X third",
    "who spoke longest": "who spoke most",
}  # fmt: skip


@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_wording_is_read_as_its_key(code: str) -> None:
    spoken, wrong = language(code), {}
    for name, wording in forms(code).items():
        text, scene = example(wording, spoken)
        reading = read(text, scene, spoken)
        calls = tool_calls(reading, spoken) if reading else None
        found = key(text, calls or (), scene, spoken)
        if found != ALIKE.get(name, name) and name not in UNREAD:
            wrong[name] = found
    assert wrong == {}


def test_a_time_that_may_be_asked_for_makes_a_wording_of_its_own() -> None:
    assert forms("en")["when said X"] == "When was {X} mentioned?"
    assert forms("en")["when said X last"] == "When was {X} mentioned the last time?"
    assert forms("en")["what said S X last"] == "What was the last thing {S} said about {X}?"


def test_a_question_is_changed_in_one_thing() -> None:
    assert filled("Did {S} mention {X}?", {"S": "Ann", "X": "the siren"}) == "Did Ann mention the siren?"
    assert put("Who said a+b?", "a+b", "c") == "Who said c?"
    assert without("Who spoke in the first half?", ["in the first half"]) == "Who spoke?"
    assert ended("Qui parle ?", "avant 2:00") == "Qui parle avant 2:00 ?"
    assert tidy("qui parle de  le train ?") == "Qui parle du train ?"
