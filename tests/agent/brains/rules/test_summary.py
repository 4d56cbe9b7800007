"""The summary is made of rows that say most, in time order, of all voices that matter."""

from agent.brains.rules.language import language
from agent.brains.rules.summary import central
from tools.evidence import EvidenceRow

TEXTS = (
    ("Anna", "well hello everybody"),
    ("Anna", "the bridge over the river needs a new budget this year"),
    ("Ben", "yes yes"),
    ("Ben", "the budget for the bridge is larger than the budget of last year"),
    ("Anna", "what a lovely garden you have"),
    ("Carl", "the river bridge will be closed in April for repairs"),
    ("Ben", "mm"),
    ("Anna", "so the bridge closes in April and the budget is agreed"),
    ("Ben", "goodbye"),
    ("Carl", "thanks"),
)


def test_central_rows_are_chosen_in_time_order() -> None:
    said = enumerate(TEXTS)
    rows = [EvidenceRow("transcript", i, "r", i * 1000, i * 1000 + 900, who, text) for i, (who, text) in said]
    picks = central(rows, language(), 4)
    assert list(picks) == sorted(picks)
    assert len(picks) == 4
    assert {0, 2, 6, 8, 9}.isdisjoint(picks)
    assert {rows[i].speaker for i in picks} == {"Anna", "Ben", "Carl"}


def test_one_row_and_no_row() -> None:
    assert central([EvidenceRow("transcript", 1, "r", 0, 9, "Anna", "only this")], language()) == (0,)
    assert central([], language()) == ()
