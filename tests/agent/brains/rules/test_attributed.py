"""What holds according to somebody is what they say of it, in whatever words it is limited to them."""

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.attributed import source
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.language import language
from agent.brains.rules.meaning import Scene
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import PEOPLE, small_catalog


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize(
    "wording",
    [
        "According to Anna, what is the colour of the harbour?",
        "What is the colour of the harbour according to Anna?",
        "What, according to Anna, is the colour of the harbour?",
        "Which colour has the harbour in Anna's opinion?",
        "In the words of Anna, which colour has the harbour?",
        "As Anna tells it, what colour is the harbour?",
        "What colour is the harbour, as told by Anna?",
        "From what Anna said, what colour is the harbour?",
        "Going by what Anna says, what colour is the harbour?",
        "Why is the harbour that colour, according to Anna?",
        "How would the harbour get its colour according to Anna",
        "Is the colour of the harbour right, as Anna said?",
    ],
)
def test_it_is_asked_of_what_they_say(wording: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    transcript, fuse = (call["args"] for call in planned.tool_calls)
    assert planned.understood
    assert transcript["speaker"] == "Anna"
    assert {"colour", "harbour"} <= set(transcript["keywords"])
    assert transcript["match"] == "all"
    assert fuse["answer_schema"] == "quote"


@pytest.mark.parametrize(
    "wording", ["Selon Anna, quelle est la couleur du port ?", "De quelle couleur est le port d'après Anna ?"]
)
def test_it_is_in_french_too(wording: str, small: Catalog) -> None:
    transcript = RulesBrain().plan(Question(wording), small, None).tool_calls[0]["args"]
    assert (transcript["speaker"], set(transcript["keywords"])) == ("Anna", {"couleur", "port"})


@pytest.mark.parametrize(
    ("question", "people", "rest"),
    [
        ("According to Ben and Anna, what went wrong?", ("Ben", "Anna"), "what went wrong?"),
        ("According to Dmitry Orlov, what went wrong?", ("Dmitry Orlov",), "what went wrong?"),
        ("What went wrong, according to 李雷?", ("李雷",), "What went wrong ?"),
        ("What went wrong in Will's view between 1:00 and 2:00?", ("Will",), "What went wrong between 1:00 and 2:00?"),
        ("What went wrong, according to anyone?", (), "What went wrong ?"),
        ("According to O'Brien; --, what is “a b”?", ("O'Brien; --",), "what is “a b”?"),
    ],
)
def test_whose_words_and_what_is_left(question: str, people: tuple[str, ...], rest: str) -> None:
    found = source(question, Scene(PEOPLE, {}, lambda text: False, 600.0), language())
    assert found is not None
    assert (found.people, found.rest) == (people, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Arrange the siren and the bell according to when each is heard.",
        "What is best according to you?",
        "What was agreed according to “the plan”?",
        "How often does Anna mention the harbour?",
        "Who speaks in Anna's place?",
    ],
)
def test_nobody_is_named_so(question: str) -> None:
    assert source(question, Scene(PEOPLE, {}, lambda text: False, 600.0), language()) is None


def test_a_stretch_limits_it(small: Catalog) -> None:
    question = Question("According to Anna, what is the colour of the harbour between 1:00 and 2:00?")
    transcript = RulesBrain().plan(question, small, None).tool_calls[0]["args"]
    assert (transcript["start"], transcript["end"]) == (60, 120)


def test_a_summary_is_of_what_they_say(small: Catalog) -> None:
    transcript, fuse = (
        RulesBrain().plan(Question("According to Anna, what are the main points?"), small, None).tool_calls
    )
    assert (transcript["args"], fuse["args"]["answer_schema"]) == ({"speaker": "Anna"}, "summary")


@pytest.mark.parametrize(
    "wording",
    [
        "Why did Anna say that the harbour is closed?",
        "Why did Anna say the harbour is closed?",
        "Why does Anna say the harbour was closed?",
        "Why did Anna claim the harbour has to be closed?",
        "Why does Anna think the harbour will stay closed?",
    ],
)
def test_why_somebody_said_so_is_found_where_they_say_it(wording: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    transcript = planned.tool_calls[0]["args"]
    assert planned.understood
    assert transcript["speaker"] == "Anna"
    assert {"harbour", "closed"} <= set(transcript["keywords"])
    assert planned.tool_calls[-1]["args"]["answer_schema"] == "quote"
