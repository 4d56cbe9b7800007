"""What the brain without a network does with what is no plain question."""

import time

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize("text", ["", "   ", "?", "!!!", "\u202e", "...?"])
def test_nothing_asked_is_out_of_scope(text: str, small: Catalog) -> None:
    assert RulesBrain().plan(Question(text), small, None).out_of_scope


@pytest.mark.parametrize(
    "text",
    [
        "did " + "a " * 290 + "mention",
        "what did " + "x y " * 140 + "say about",
        "between 1 and " * 40,
        "(" * 500,
        "who said " + "it, " * 3_000,
        "why " * 5_000,
    ],
)
def test_no_question_takes_long_to_read(text: str, small: Catalog) -> None:
    began = time.process_time()
    RulesBrain().plan(Question(text), small, None)
    assert time.process_time() - began < 1.5


def test_the_same_question_is_the_same_plan_and_feedback_changes_nothing(small: Catalog) -> None:
    brain = RulesBrain()
    assert brain.plan(Question("Who spoke?"), small, None) == brain.plan(Question("Who spoke?"), small, None)


def test_several_people_are_asked_as_several(small: Catalog) -> None:
    calls = RulesBrain().plan(Question("How long did Anna and Ben speak?"), small, None).tool_calls
    assert calls[0]["args"]["names"] == ["Anna", "Ben"]
    _, spoke, fuse = RulesBrain().plan(Question("What did Anna and Ben say about the budget?"), small, None).tool_calls
    assert spoke["args"]["names"] == ["Anna", "Ben"]
    assert fuse["args"]["joins"] == [{"stream": spoke["id"], "voice": "same"}]


def test_options_with_a_speaker_and_a_stretch(small: Catalog) -> None:
    question = Question(
        "According to Anna, what is the colour of the kite between 1:00 and 2:00?", {"A": "x", "B": "y"}
    )
    (transcript, fuse) = RulesBrain().plan(question, small, None).tool_calls
    assert transcript["args"] == {"keywords": ["colour", "kite"], "speaker": "Anna", "start": 60.0, "end": 120.0}
    assert fuse["args"]["answer_schema"] == "options"


def test_work_on_the_utterance_of_a_speaker(small: Catalog) -> None:
    question = Question("Work on the utterance from speaker Ben. What is the price of the kite?", {"A": "1", "B": "2"})
    args = RulesBrain().plan(question, small, None).tool_calls[0]["args"]
    assert args == {"keywords": ["price", "kite"], "speaker": "Ben"}


@pytest.mark.parametrize("name", ["Ben", "李雷", "Zeta"])
def test_options_by_whose_words_are_not_taken_for_another_question(name: str, small: Catalog) -> None:
    text = f"According to {name}, what is the password of Obsidian between 0:00 and 1:00?"
    args = RulesBrain().plan(Question(text, {"A": "saddle", "B": "pebble"}), small, None).tool_calls[0]["args"]
    assert args["speaker"] == name
    assert args["keywords"] == ["password", "Obsidian"]


def test_options_of_words_that_only_another_language_may_know_are_planned(small: Catalog) -> None:
    planned = RulesBrain().plan(Question(f"Who was{' y' * 40}?", {"A": "y", "B": "x"}), small, None)
    assert [call["name"] for call in planned.tool_calls] == ["transcript", "fuse"]


@pytest.mark.parametrize(
    "text", ["What did he say?", "how often?", "repeat that", "help", "How long is the recording?"]
)
def test_a_question_that_leans_on_another_is_told_so_and_searches_for_nothing(text: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(text), small, None)
    assert (planned.tool_calls, planned.understood, planned.out_of_scope) == ([], False, False)
    assert "each question stands alone" in str(planned.note)
