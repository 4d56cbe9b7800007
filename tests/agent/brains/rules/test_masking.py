"""What a question names is put aside, in every way that it may be taken."""

import pytest

from agent.brains.rules.language import Token, language
from agent.brains.rules.masking import Masked, masked, words
from agent.brains.rules.meaning import Scene
from tools.events.labels import resolve

SCENE = Scene(("Ann", "Ben"), {("siren",): Token("SOUND", "Siren")}, lambda phrase: bool(resolve(phrase)), 600.0)
COMMON = "who says when is heard does speak how often in the last than more a at and sound"
KNOWN = frozenset(COMMON.split())


def ways(question: str, code: str = "en") -> list[Masked]:
    return list(masked(question, SCENE, language(code), KNOWN))


def asked(question: str, code: str = "en") -> list[tuple[str, dict[str, str]]]:
    return [(" ".join(way.words), dict(way.slots)) for way in ways(question, code)]


@pytest.mark.parametrize(
    ("question", "plain", "slots"),
    [
        ("Who says budget?", "who says {X} ?", {"{X}": "budget"}),
        ("Who says travel insurance?", "who says {X} ?", {"{X}": "travel insurance"}),
        ('Who says "the end of it"?', "who says {X} ?", {"{X}": '"the end of it"'}),
        ("When is the siren heard?", "when is the {E} heard ?", {"{E}": "siren"}),
        ("When is a church bell heard?", "when is a {E} heard ?", {"{E}": "church bell"}),
        ("Does Ann sound angry?", "does {S} sound {F} ?", {"{S}": "Ann", "{F}": "angry"}),
        ("Who speaks 4:30 to 2:00?", "who speaks {T2} to {T1} ?", {"{T1}": "2:00", "{T2}": "4:30"}),
        ("in the last 5 minutes", "in the last {L}", {"{L}": "300"}),
        ("more than a minute", "more than {L}", {"{L}": "60"}),
    ],
)
def test_what_is_named_has_a_place(question: str, plain: str, slots: dict[str, str]) -> None:
    assert asked(question)[0] == (plain, slots)


def test_a_length_may_have_its_adjective_inside() -> None:
    assert "dernières {L}" in asked("dans les cinq dernières minutes", "fr")[0][0]


def test_a_feeling_may_be_of_several_words() -> None:
    assert asked("Ann semble en colère", "fr")[0][1]["{F}"] == "en colère"


def test_two_people_may_be_meant_in_either_order() -> None:
    assert [slots for _, slots in asked("Ann more than Ben")] == [
        {"{S}": "Ann", "{S2}": "Ben"},
        {"{S}": "Ben", "{S2}": "Ann"},
    ]


def test_the_same_thing_said_twice_is_one_thing() -> None:
    assert asked("Ann and Ann")[0][1] == {"{S}": "Ann"}


def test_a_sound_may_be_a_topic_too() -> None:
    assert {tuple(slots) for _, slots in asked("Who says siren?")} == {("{E}",), ("{X}",)}


def test_a_name_that_nobody_bears_may_be_a_name() -> None:
    assert {"{S}": "Zoltan"} in [slots for _, slots in asked("does Zoltan speak")]


def test_a_topic_may_begin_with_a_sound() -> None:
    assert ("who says {X} ?", {"{X}": "fire insurance"}) in asked("Who says fire insurance?")


def test_a_word_that_has_no_place_is_counted_unless_it_is_a_slip() -> None:
    assert [way.left for way in ways("who says budget")] == [0, 1]
    assert ("when is the {E} heard", 0) in [(" ".join(way.words), way.left) for way in ways("wehn is the siren heard")]


def test_the_ways_to_take_a_long_question_are_bounded() -> None:
    assert len(ways(" then ".join(f"w{letter}rd" * 2 for letter in "abcdefghijklmnop"))) <= 2 * 96


def test_a_wording_is_cut_as_a_question_is() -> None:
    assert words("Who says {X} for 60 seconds?", language()) == ("who", "says", "{X}", "for", "{L}", "?")
