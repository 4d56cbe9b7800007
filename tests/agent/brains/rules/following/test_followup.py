"""What a question of a conversation leaves out is put back from the turns before it, or it is left as it is."""

import pytest

from agent.brains.rules.following.followup import OPEN, followed
from agent.brains.rules.following.referents import Earlier
from agent.brains.rules.language import Token, language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.plans import tool_calls
from agent.brains.rules.reading import read

SCENE = Scene(
    ("Anna", "Ben", "Marie", "John Carter", "John Reyes", "Will"),
    {("siren",): Token("SOUND", "siren"), ("applause",): Token("SOUND", "applause")},
    lambda phrase: phrase in ("siren", "applause"),
    600.0,
)


def said(text: str, code: str = "en", told: tuple[str, ...] = ()) -> Earlier:
    reading = read(text, SCENE, language(code))
    assert reading is not None
    return Earlier(text, tool_calls(reading, language(code)) or (), told)


ABOUT = said("What did Anna say about the budget?")
COUNT = said("How often did Anna mention the budget in the first half?")
SIREN = said("How often was the siren heard?")
TWO = said("Who mentioned the budget more often, Anna or Ben?")


@pytest.mark.parametrize(
    ("before", "asked", "meant"),
    [
        (ABOUT, "and Ben?", "What did Ben say about the budget?"),
        (ABOUT, "Only Ben, please.", "What did Ben say about the budget?"),
        (ABOUT, "only Will", "What did Will say about the budget?"),
        (ABOUT, "and Ben and Marie?", "What did Ben and Marie say about the budget?"),
        (ABOUT, "And Pedro?", "What did Pedro say about the budget?"),
        (ABOUT, "what about the orchard?", "What did Anna say about the orchard?"),
        (ABOUT, "And “red ink”?", "What did Anna say about “red ink”?"),
        (ABOUT, "when?", "When did Anna mention the budget?"),
        (ABOUT, "Who else?", "Who mentioned the budget?"),
        (ABOUT, "how often?", "How often did Anna mention the budget?"),
        (ABOUT, "Why?", "Why did Anna mention the budget?"),
        (ABOUT, "say more", "What did Anna say about the budget?"),
        (ABOUT, "before that?", "What was said right before Anna mentioned the budget?"),
        (ABOUT, "And after that?", "What was said right after Anna mentioned the budget?"),
        (ABOUT, "the second one", "What did Anna say about the budget the second time?"),
        (ABOUT, "no, I meant Marie", "What did Marie say about the budget?"),
        (ABOUT, "Did Ben mention it?", "Did Ben mention the budget?"),
        (ABOUT, "What was her longest turn?", "What was Anna's longest turn?"),
        (ABOUT, "Who mentioned it first?", "Who mentioned the budget first?"),
        (COUNT, "and in the last five minutes?", "How often did Anna mention the budget in the last five minutes?"),
        (COUNT, "overall?", "How often did Anna mention the budget?"),
        (COUNT, "when?", "When did Anna mention the budget in the first half?"),
        (SIREN, "and the applause?", "How often was the applause heard?"),
        (SIREN, "Who spoke right after that?", "Who spoke right after the siren?"),
        (SIREN, "and the budget?", "How often was the budget mentioned?"),
        (SIREN, "how long?", "How long was the siren heard?"),
    ],
)
def test_what_is_left_out_comes_from_the_turn_before(before: Earlier, asked: str, meant: str) -> None:
    found = followed(asked, [before], SCENE)
    assert found is not None
    assert (found.text, found.choices) == (meant, ())


@pytest.mark.parametrize(
    "asked",
    [
        "What did Ben say about the orchard?",
        "Who speaks most?",
        "What did Ben say about the orchard before it was sold?",
        "Does Ben say that the orchard is for sale?",
        "How long is the recording?",
        "How long is it?",
        "When does Ben say he is angry?",
        "What do they say about the orchard and the train?",
        "Is it true that Ben mentioned the train?",
        "Which of them speaks most?",
        "thanks!",
        "Hello",
        "",
        "?",
        "{}",
        OPEN,
        "\ue000 and \ue001",
        "and " * 400,
    ],
)
def test_what_stands_alone_is_left_as_it_is(asked: str) -> None:
    assert followed(asked, [TWO], SCENE) is None


@pytest.mark.parametrize("asked", ["and Ben?", "when?", "What did she say about it?", "the other John", "say more"])
def test_without_a_turn_before_there_is_nothing_to_follow(asked: str) -> None:
    assert followed(asked, [], SCENE) is None


def test_who_several_may_be_is_left_open() -> None:
    found = followed("What did she say about the orchard?", [TWO], SCENE)
    assert found is not None
    assert (found.text, found.word) == (f"What did {OPEN} say about the orchard?", "she")
    assert found.choices == ("Anna", "Ben")


def test_whom_the_answer_named_is_meant_before_others() -> None:
    who = said("Who mentioned the budget first?", told=("Ben",))
    found = followed("What did he say about it?", [ABOUT, who], SCENE)
    assert found is not None
    assert found.text == "What did Ben say about the budget?"


def test_the_other_of_one_name_is_found_in_the_roster_and_asked_for_among_several() -> None:
    john = said("How often did John Carter mention the train?")
    found = followed("no, the other John", [john], SCENE)
    assert found is not None
    assert found.text == "How often did John Reyes mention the train?"
    pedro = followed("the other Pedro", [john], SCENE)
    assert pedro is not None
    assert pedro.text == "How often did Pedro mention the train?"


def test_an_answer_is_that_of_the_other_person_spoken_of() -> None:
    found = followed("and what did she answer?", [said("When did Marie speak?"), ABOUT], SCENE)
    assert found is not None
    assert found.text == "What did Marie say right after Anna mentioned the budget?"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("et Ben ?", "Combien de fois Ben a-t-il parlé du budget ?"),
        ("quand ?", "Quand Anna a-t-il parlé du budget ?"),
        ("qui d'autre ?", "Qui a parlé du budget ?"),
    ],
)
def test_french_follows_up_as_well(asked: str, meant: str) -> None:
    found = followed(asked, [said("Combien de fois Anna a-t-il parlé du budget ?", "fr")], SCENE, "fr")
    assert found is not None
    assert found.text == meant
