"""What is only asked, or denied to have been said, supports no assertion; who and when must be in the cited rows."""

import pytest

from agent.graph.asserted import asks, asserted, reports_asking
from agent.graph.ground import Ground
from agent.graph.grounded import NOTE, grounded
from tools.evidence import EvidenceRow

DENIED = "I never said that we would sign. We don't think the budget allows it."
ROWS = {
    1: EvidenceRow("transcript", 1, "r", 0, 5_000, "Carl", "I don't like the contract. We sign it on Tuesday."),
    2: EvidenceRow("transcript", 2, "r", 6_000, 9_000, "Ana", "Are we happy with the contract from Acme?"),
    3: EvidenceRow(
        "transcript",
        3,
        "r",
        10_000,
        15_000,
        "Ben",
        "I never said that we would sign. We don't think the budget allows it.",
    ),
    4: EvidenceRow("transcript", 4, "r", 16_000, 19_000, "Ana", "The two budgets were cut by fifteen percent."),
    5: EvidenceRow("transcript", 5, "r", 20_000, 24_000, "Ben", "Everyone likes the new office, nobody complained."),
}
GROUND = Ground(tuple(frozenset({name}) for name in ("Ana", "Ben", "Carl")), spare=tuple(ROWS.values()))


@pytest.mark.parametrize(
    "text",
    [
        "Carl likes the contract [2].",
        "We are happy with the contract from Acme [2].",
        "Everybody is happy with the contract from Acme [2].",
        "We should sign the contract before Tuesday [3].",
        "We should not sign it before Friday [3].",
        "We would sign the contract [3].",
        "The budget does allow us to sign [4].",
        "The budget allows it to sign [3].",
        "Carl cut the two budgets [4].",
        "Everybody cut the two budgets [4].",
        "All cut the two budgets [4].",
        "The two budgets were cut on Tuesday [4].",
        "The two budgets were cut yesterday [4].",
    ],
)
def test_what_a_row_does_not_assert_never_passes_unmarked(text: str) -> None:
    found = grounded(f"The two budgets were cut [4]. {text}", ROWS, GROUND)
    assert found.sure == "The two budgets were cut [1]."
    assert found.text == found.sure or NOTE in found.text
    assert grounded(text, ROWS, GROUND).text == ""


@pytest.mark.parametrize(
    "text",
    [
        "Ana asks whether they are happy with the contract from Acme [2].",
        "Ben never said that they would sign [3].",
        "Ben does not think the budget allows it [3].",
        "Carl does not like the contract [1].",
        "They sign the contract on Tuesday [1].",
        "Everybody likes the new office [5].",
        "Nobody complained about the office [5].",
    ],
)
def test_what_a_row_asserts_or_asks_and_is_told_as_such_stays(text: str) -> None:
    found = grounded(text, ROWS, GROUND)
    assert found.text
    assert not found.caveats


def test_a_yes_makes_a_question_an_assertion_and_a_no_does_not() -> None:
    question = "Are we happy with it?"
    assert asserted([question, "Yes, we are."]) == [question, "Yes, we are."]
    assert asserted([question, "No."]) == ["", "No."]
    assert asserted([]) == []


def test_a_question_is_one_without_its_mark_too_and_a_tag_asserts() -> None:
    assert asks("are we happy with it")
    assert asks("What does it cost?")
    assert not asks("It is nice, isn't it?")
    assert not asks("It is nice.")


def test_a_sentence_that_only_tells_what_was_asked_or_not_said_is_known() -> None:
    assert reports_asking("Ana wonders about it.")
    assert reports_asking("Nobody said so.")
    assert not reports_asking("Ana likes it.")
