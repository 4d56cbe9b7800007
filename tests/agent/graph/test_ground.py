"""A sentence stands on rows when its numbers, times, quotes and people are in them, and says no more than they do."""

import pytest

from agent.graph.ground import Ground, longest_part, trimmed
from agent.graph.grounded import NOTE, grounded
from tools.evidence import EvidenceRow

ROWS = {
    1: EvidenceRow("transcript", 1, "r", 61_000, 66_000, "Anna Keller", "The budget is cut by ten percent, I fear."),
    2: EvidenceRow("transcript", 2, "r", 70_000, 75_000, "Ben", "The rent there is two thousand one hundred a month."),
    3: EvidenceRow("transcript", 3, "r", 80_000, 85_000, "Ben", "We do not sell the orchard, Marie told me so."),
    4: EvidenceRow("events", 4, "r", 90_000, 91_000, None, None, "Siren", 0.9),
    5: EvidenceRow("transcript", 5, "r", 95_000, 99_000, "Ben", "We can also lend you 40 tables."),
}
FAR = EvidenceRow("transcript", 9, "r", 900_000, 905_000, "Carla", "Nobody asked me about the contracts.")
PEOPLE = tuple(frozenset(names) for names in (("Anna Keller", "Anna"), ("Ben",), ("Carla",), ("Will",)))
GROUND = Ground(
    PEOPLE, computed=(7.0, 41.53), times=(120.0,), question="What about the lift?", spare=(*ROWS.values(), FAR)
)

SUPPORTED = [
    "Anna says that the budget is cut by 10% [1].",
    "The rent is 2,100 a month [2].",
    "At 1:10 Ben names the rent [2].",
    "It was said 7 times, the budget [1].",
    "It took 41.5 s until the budget came up [1].",
    "Ben says that they do not sell the orchard [3].",
    "Marie told Ben about the orchard [3].",
    "“The budget is cut by ten percent” [1].",
    "The siren was heard at 1:30 [4].",
    "Will it be ten percent of the budget [1]?",
    "Ben can lend forty tables [5].",
    "(C) forty tables: “We can also lend you 40 tables.” [5]",
    "The rent there is 2,100 a month [2].",
]
UNSUPPORTED = [
    "Anna says that the budget is cut by 12% [1].",
    "Anna says that the budget is cut by 4711 euros [1].",
    "At 5:00 Anna speaks of the budget [1].",
    "Ben says that the budget is cut [1].",
    "Carla is for the budget [1].",
    "The budget goes to Zebulon [1].",
    "“The budget is doubled” [1].",
    "Everybody was delighted [1].",
    "The weather will be fine [99].",
]
DOUBTFUL = [
    "Ben says that they sell the orchard [3].",
    "The budget is not cut by ten percent [1].",
    "The rent there is two thousand one hundred a week [2].",
    "We can also lend you forty chairs [5].",
]


@pytest.mark.parametrize("text", SUPPORTED)
def test_what_rows_say_stays_as_it_is(text: str) -> None:
    found = grounded(text, ROWS, GROUND)
    assert found.text
    assert NOTE not in found.text
    assert not found.caveats


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_what_no_cited_row_says_is_left_out(text: str) -> None:
    found = grounded(f"{text} The budget is cut [1].", ROWS, GROUND)
    assert found.text == "The budget is cut [1]."
    assert found.caveats == ("sentences that no row supports were left out: 1",)
    assert grounded(text, ROWS, GROUND).text == ""


@pytest.mark.parametrize("text", DOUBTFUL)
def test_what_differs_in_one_word_or_in_a_no_is_marked(text: str) -> None:
    found = grounded(f"The budget is cut [1]. {text}", ROWS, GROUND)
    assert found.text.endswith(f"{NOTE}.")
    assert found.sure == "The budget is cut [1]."


def test_an_invented_tail_or_head_of_a_quote_is_cut() -> None:
    """C32: a quote keeps its longest part that is really there."""
    said = grounded("Anna says “The budget is cut by ten percent and nothing else” [1].", ROWS, GROUND)
    assert said.text == "Anna says “The budget is cut by ten percent” [1]."
    assert said.caveats == ("a quote was cut down to what is there",)
    assert longest_part("well, the rent THERE is huge", "The rent there is two thousand") == "The rent there is"
    assert trimmed("“wholly made up words”", ["The rent there is two thousand"]) is None


def test_a_sentence_without_a_mark_gets_that_of_its_row_or_goes() -> None:
    found = grounded("The rent there is 2100 a month. Everybody is glad. The budget is cut [1].", {1: ROWS[1]}, GROUND)
    assert found.text == "The rent there is 2100 a month [1]. The budget is cut [2]."
    assert [row.id for row in found.rows] == [2, 1]


def test_an_answer_cut_off_in_the_middle_loses_its_last_sentence() -> None:
    found = grounded("The budget is cut [1]. The rent there is two thou", ROWS, GROUND)
    assert found.text == "The budget is cut [1]."


def test_a_person_who_is_only_meant_around_the_row_may_be_named_but_says_nothing() -> None:
    rows = {1: ROWS[2]}
    assert grounded("The rent is news to Anna [1].", rows, GROUND).text
    assert not grounded("Anna says that the rent is two thousand one hundred [1].", rows, GROUND).text
    assert not grounded("The rent is news to Carla [1].", rows, GROUND).text


DAYS = EvidenceRow("transcript", 11, "r", 5_000, 9_000, "Ben", "We open on Sundays from the first of March. Okay, 250.")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("They open on a Sunday", "supported"),
        ("They open on the first of March", "supported"),
        ("They open on a Monday", "unsupported"),
        ("They open on the first of May", "unsupported"),
        ("The price settles at 250", "doubtful"),
        ("The price settles at 350", "unsupported"),
        ("The price settles", "unsupported"),
    ],
)
def test_days_and_figures_are_compared_as_such(text: str, verdict: str) -> None:
    assert Ground(PEOPLE).verdict(text, [DAYS]) == verdict
