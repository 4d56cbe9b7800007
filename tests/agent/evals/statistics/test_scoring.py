"""What a reply is worth, case by case, and what always holds of the scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.statistics.scoring import Mark, abstention, accuracy, false_refusal, passed, rs

ROUNDING = 1e-9  # of sums of costs that are no whole numbers
MARKS = st.builds(Mark, st.booleans(), st.booleans(), st.booleans()).filter(
    lambda mark: not (mark.answerable and mark.abstained and mark.right)
)


@pytest.mark.parametrize(
    ("answerable", "abstained", "right", "points"),
    [
        (True, False, True, 1), (True, False, False, -10), (True, True, False, 0),
        (False, True, True, 1), (False, False, False, -10),
        # Refused for a wrong reason: no pass, and yet nobody was told anything false.
        (False, True, False, 1),
        # An answer to what cannot be answered is never right, whatever marked it.
        (False, False, True, -10),
    ],
)  # fmt: skip
def test_what_a_reply_is_worth(answerable: bool, abstained: bool, right: bool, points: float) -> None:
    assert Mark(answerable, abstained, right).points() == points


def test_the_scores_of_a_small_table() -> None:
    marks = [
        Mark(True, False, True), Mark(True, False, True), Mark(True, False, False), Mark(True, True, False),
        Mark(False, True, True), Mark(False, False, False),
    ]  # fmt: skip
    assert rs(marks) == pytest.approx(100 * (1 + 1 - 10 + 0 + 1 - 10) / 6)
    assert rs(marks, cost=0) == pytest.approx(50)
    assert (passed(marks), accuracy(marks)) == (0.5, 0.5)
    assert (abstention(marks), false_refusal(marks)) == (0.5, 0.25)


@given(st.lists(MARKS, min_size=1, max_size=40), st.floats(0, 100))
def test_a_dearer_error_never_makes_a_score_better(marks: list[Mark], cost: float) -> None:
    worst, dearer, dear = -100 * (cost + 1), rs(marks, cost + 1), rs(marks, cost)
    assert worst - ROUNDING <= dearer <= dear + ROUNDING <= 100 + 2 * ROUNDING


@given(st.lists(MARKS, min_size=1, max_size=40))
def test_refusing_everything_is_worth_what_cannot_be_answered(marks: list[Mark]) -> None:
    refused = [Mark(mark.answerable, True, not mark.answerable) for mark in marks]
    assert rs(refused) == pytest.approx(100 * sum(not mark.answerable for mark in marks) / len(marks))
