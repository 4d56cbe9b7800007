"""A figure that a row holds is no ground for a sentence about what the row gives another figure."""

import pytest

from agent.graph.figured import misplaced
from agent.graph.ground import Ground
from tools.evidence import EvidenceRow

SAID = "The budget for this year is $40,000. Last year we spent $35,000. The stage alone will cost twelve thousand."
ROW = EvidenceRow("transcript", 1, "r", 34_000, 42_000, "Ben", SAID)
GROUND = Ground((frozenset({"Ben"}), frozenset({"Ada"})), question="What did Ben say about the budget?", spare=(ROW,))

SOUND = [
    "Ben said that the budget for this year is $40,000.",
    "The stage will cost $12,000.",
    "The stage costs twelve thousand of a budget of $40,000.",
    "Ben says that the budget is $40,000, last year they spent $35,000, and the stage alone will cost $12,000.",
    "They spent $35,000 last year.",
    "Ben speaks about the budget for this year.",
]
MISPLACED = [
    "Ben said that the budget for this year will cost $12,000.",
    "The budget for this year is $35,000.",
    "The stage alone will cost $40,000.",
    "Last year they spent 12,000.",
    "The budget for this year is twelve thousand.",
]


@pytest.mark.parametrize("sentence", SOUND)
def test_a_figure_told_of_what_it_was_said_of_stands(sentence: str) -> None:
    assert not misplaced(sentence, [SAID])
    assert GROUND.verdict(sentence, [ROW]) == "supported"


@pytest.mark.parametrize("sentence", MISPLACED)
def test_a_figure_told_of_something_else_does_not(sentence: str) -> None:
    assert misplaced(sentence, [SAID])
    assert GROUND.verdict(sentence, [ROW]) == "doubtful"


def test_a_sentence_without_a_mark_is_not_given_such_a_row() -> None:
    assert GROUND.best("Ben said that the budget for this year will cost $12,000.", [ROW]) is None


@pytest.mark.parametrize(
    "told",
    [
        ["What does it cost?", "It is $40,000.", "We meet at 10 about the stage."],
        ["The number is 7."],
        [],
    ],
)
def test_a_figure_said_by_itself_may_be_told_of_what_was_asked(told: list[str]) -> None:
    assert not misplaced("It costs $40,000.", told)
