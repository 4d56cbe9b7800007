"""Things in a list are each looked for: sounds joined by "and", topics and people in a numbered list."""

from typing import Any

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.numbered import unnumbered
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


def planned(wording: str, small: Catalog) -> tuple[list[tuple[str, dict[str, Any]]], dict[str, Any]]:
    found = RulesBrain().plan(Question(wording), small, None)
    assert found.understood, wording
    *streams, fuse = found.tool_calls
    return [(call["name"], call["args"]) for call in streams], fuse["args"]


@pytest.mark.parametrize(
    "wording",
    [
        "When were the siren and the doorbell heard?",
        "When are the siren and the doorbell heard?",
        "At what times do the siren and the doorbell occur?",
        "When do the siren or the doorbell sound?",
        "When do we hear the siren and the doorbell?",
        "Give me the times of the siren and the doorbell.",
    ],
)
def test_when_two_sounds_are_heard_is_when_either_is(wording: str, small: Catalog) -> None:
    streams, fuse = planned(wording, small)
    ((stream, args),) = streams
    assert (stream, {label.casefold() for label in args["labels"]}) == ("events", {"siren", "doorbell"})
    assert fuse == {"anchor": "events_1", "answer_schema": "when"}


@pytest.mark.parametrize(
    "wording",
    [
        "When are the siren and the doorbell heard at the same time?",
        "When are the siren and the doorbell heard together?",
    ],
)
def test_two_sounds_at_once_are_joined(wording: str, small: Catalog) -> None:
    streams, fuse = planned(wording, small)
    assert [args["labels"] for _, args in streams] == [["siren"], ["doorbell"]]
    assert fuse["joins"] == [{"stream": "events_2", "relation": "overlaps"}]


def test_the_first_of_each_of_two_sounds(small: Catalog) -> None:
    _, fuse = planned("When were the siren and the doorbell first heard?", small)
    assert (fuse["aggregate"], fuse["group"], fuse["answer_schema"]) == ("first_occurrence", "label", "when")


@pytest.mark.parametrize(
    "wording",
    [
        "In which order were these first mentioned: (1) harbour (2) pension (3) railway tunnel",
        "In which order were these topics first mentioned: 1) harbour 2) pension 3) railway tunnel?",
        "Put these topics in the order in which they were first mentioned: harbour, pension, railway tunnel.",
        "Sort by first mention: harbour, pension and railway tunnel",
        "In what order were the harbour, the pension and the railway tunnel brought up?",
        "What is the order of first mention for: (a) harbour (b) pension (c) railway tunnel",
        "In what sequence are these first mentioned: 1. harbour 2. pension 3. railway tunnel",
    ],
)
def test_topics_come_in_the_order_of_their_first_mention(wording: str, small: Catalog) -> None:
    ((stream, args),), fuse = planned(wording, small)
    assert (stream, args) == ("transcript", {"keywords": ["harbour", "pension", "railway tunnel"]})
    assert (fuse["aggregate"], fuse["group"], fuse["order"]) == ("first_occurrence", "label", "value")
    assert fuse["answer_schema"] == "order"


@pytest.mark.parametrize(
    "wording",
    [
        "In which order did these first speak: (1) Ben (2) Anna (3) Will",
        "In what order do Ben, Anna and Will first speak?",
    ],
)
def test_people_come_in_the_order_in_which_they_first_speak(wording: str, small: Catalog) -> None:
    ((stream, args),), fuse = planned(wording, small)
    assert (stream, args) == ("speaker", {"names": ["Ben", "Anna", "Will"]})
    assert (fuse["aggregate"], fuse["group"], fuse["answer_schema"]) == ("first_occurrence", "speaker", "order")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("first: (1) a b (2) c", "first, a b, c"),
        ("first: 1. tea 2. cake", "first, tea, cake"),
        ("first: (a) tea (b) cake", "first, tea, cake"),
        ("between 1:20 and 2:30", "between 1:20 and 2:30"),
        ("(2) tea (1) cake", "(2) tea (1) cake"),
        ("part 1. What was said?", "part 1. What was said?"),
        ("the 2) second", "the 2) second"),
    ],
)
def test_the_marks_of_a_numbered_list_are_commas(text: str, plain: str) -> None:
    assert unnumbered(text) == plain
