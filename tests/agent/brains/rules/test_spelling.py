"""A slip of spelling is one letter of a longer word; a topic is no slip."""

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.language import language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.spelling import nearest, spelt
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize(
    ("written", "meant"),
    [("mentoined", "mentioned"), ("wich", "which"), ("speeks", "speaks"), ("secnod", "second"), ("menton", "mention")],
)
def test_one_letter_is_a_slip(written: str, meant: str) -> None:
    assert nearest(written, language()) == meant


@pytest.mark.parametrize("word", ["budget", "orchard", "ben", "hte", "works", "Hiếu", "李雷"])
def test_other_words_are_none(word: str) -> None:
    assert nearest(word, language()) is None


@pytest.mark.parametrize("topic", ["bread", "sides", "stork", "mood-swing"])
def test_a_topic_that_resembles_a_known_word_stays_as_it_is(topic: str, small: Catalog) -> None:
    calls = RulesBrain().plan(Question(f"Did Anna mention the {topic}?"), small, None).tool_calls
    assert calls[0]["args"] == {"keywords": [topic], "speaker": "Anna"}


def test_a_name_is_never_taken_for_another(small: Catalog) -> None:
    calls = RulesBrain().plan(Question("What did Anne say about the budget?"), small, None).tool_calls
    assert calls[0]["args"]["speaker"] == "Anne"


@pytest.mark.parametrize("first", ["menton", "speeks", "secnod"])
@pytest.mark.parametrize("question", ["{} speaks for how long", "what does {} say about the budget"])
def test_a_name_of_the_roster_is_never_read_as_a_slip_of_another_word(first: str, question: str) -> None:
    asked, table = question.format(first), language()
    stranger, known = (Scene(roster, {}, lambda _: False, None) for roster in ((), (f"{first.title()} Moor",)))
    assert any(first not in written for written in spelt(asked, stranger, table))
    assert set(spelt(asked, known, table)) == {asked}
