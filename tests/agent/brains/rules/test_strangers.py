"""Whoever is named is a person, on the roster or not: only then can it be said that nobody of that name is known."""

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog

ASKED = (
    "When was {} angry?",
    "Was {} bored?",
    "how did {} sound",
    "Is {} angry at any point?",
    "{} angry?",
    "Did {} talk about the budget?",
    "How long did {} speak?",
    "How many turns does {} have?",
    "Which emotion does {} show most?",
    "Who talks more, {} or Théo?",
    "By how many seconds does {} outtalk Théo?",
    "Does {} talk more than Théo?",
    "What share of the talking is {}'s?",
    "summarize what {} says",
    "Longest turn of {}",
)
STRANGERS = ("O'Brien", "Solveig", "Dr Smith", "Jean-Luc")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.parametrize("wording", ASKED)
def test_who_is_on_no_roster_is_a_person_all_the_same(wording: str, name: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording.format(name)), small, None)
    args = planned.tool_calls[0]["args"]
    assert planned.understood
    assert name in (args.get("speaker"), *args.get("names", []))


@pytest.mark.parametrize("wording", ["Was anyone angry?", "When was the meeting sad?", "Who was ever bored?"])
def test_what_names_nobody_asks_of_everybody(wording: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    assert planned.understood
    assert not planned.tool_calls[0]["args"].keys() & {"speaker", "names"}
