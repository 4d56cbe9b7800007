"""The summary is made of rows that say most, in time order, of all voices that matter."""

import os
import subprocess
import sys
import time

from agent.brains.rules.language import language
from agent.brains.rules.summary import central
from tests.conftest import ROOT
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


FILLER = [
    "well",
    "perhaps",
    "the",
    "river",
    "under",
    "the",
    "table",
    "often",
    "in",
    "the",
    "evening",
    "or",
    "later",
    "in",
    "the",
    "garden",
    "by",
    "the",
    "window",
]


def talked(said: dict[int, str], rows: int = 40) -> list[EvidenceRow]:
    """Give rows of five seconds that share their words, but for those given."""
    texts = (said.get(i, " ".join(FILLER[i % 7 :] + FILLER[: i % 5])) for i in range(rows))
    return [
        EvidenceRow("transcript", i, "r", i * 5000, i * 5000 + 4900, "AB"[i % 2], text) for i, text in enumerate(texts)
    ]


def test_what_tells_something_is_chosen_and_not_what_everybody_says_all_the_time() -> None:
    said = {
        4: "The bridge closes in April for repairs.",
        13: "I heard that the harbour festival is cancelled.",
        22: "We ordered 48 crates from Castellan.",
        37: "The auditor rejected the pension contract.",
    }
    assert said.keys() <= set(central(talked(said), language()))


def test_a_point_that_is_repeated_is_told_once() -> None:
    said = dict.fromkeys((3, 11, 19, 27), "The bridge closes in April for repairs.") | {
        33: "We ordered 48 crates from Castellan."
    }
    picks = central(talked(said), language(), 2)
    assert 33 in picks
    assert len(picks) == 2


def test_longer_stretches_give_more_rows_up_to_ten() -> None:
    assert [len(central(talked({}, rows), language())) for rows in (4, 12, 40, 400)] == [2, 4, 8, 10]


def test_rows_of_a_long_recording_are_chosen_in_no_time() -> None:
    rows = talked({i: f"Point {i} is about the harbour number {i}." for i in range(0, 2000, 50)}, 2000)
    began = time.process_time()
    central(rows, language())
    assert time.process_time() - began < 2


TIED = """
import random
from agent.brains.rules.language import language
from agent.brains.rules.summary import central
from tests.conftest import ROOT
from tools.evidence import EvidenceRow
chance = random.Random(3)
words = [f"topic{n}" for n in range(60)]
said = [chance.sample(words, 9) for _ in range(120)]
said += [chance.sample(row, 9) for row in said]  # each a tie with another, but for the order of its words
rows = [EvidenceRow("transcript", i, "r", i * 1000, i * 1000 + 900, "Ada", " ".join(row)) for i, row in enumerate(said)]
print(central(rows, language(), 40))
"""


def test_the_same_rows_give_the_same_summary_in_every_process() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", TIED], env={**os.environ, "PYTHONHASHSEED": str(seed)}, cwd=ROOT,
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in range(1, 6)
    }  # fmt: skip
    assert len(told) == 1
    assert len(told.pop().split(",")) == 40
