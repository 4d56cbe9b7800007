"""The order in which rows are listed, held against sorting in Python, and ranks held against their formula."""

from collections.abc import Callable
from typing import Any

import pytest

from store.database import Database
from store.record import Emotion, Segment
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import EvidenceRow

FELT = [
    Emotion(0, 900, "anger", 0.5, "Ada"), Emotion(400, 700, "fear", 0.9, "Ben"), Emotion(400, 900, "anger", 0.9, "Ada"),
    Emotion(2_000, 2_900, "fear", 0.5, "Ben"), Emotion(2_000, 2_100, "anger", 0.1, "Ada"),
]  # fmt: skip
KEYS: dict[str, Callable[[EvidenceRow], Any]] = {
    "time": lambda row: (row.t0, row.id),
    "-time": lambda row: (-row.t0, -row.id),
    "value": lambda row: (row.score, row.t0, row.id),
    "-value": lambda row: (-(row.score or 0), row.t0, row.id),
    "length": lambda row: (row.t1 - row.t0, row.t0, row.id),
    "-length": lambda row: (row.t0 - row.t1, row.t0, row.id),
}


@pytest.mark.parametrize("order", KEYS)
def test_rows_of_one_recording(database: Database, order: str) -> None:
    asked = plan(("emotion", {}), order=order)
    with Session(database, made(database, Made(emotion=FELT))) as session:
        rows = session.run(asked).rows
    assert len(rows) == len(FELT)
    assert list(rows) == sorted(rows, key=KEYS[order])


def test_recordings_come_one_after_the_other_in_time(database: Database) -> None:
    asked = plan(("emotion", {}))
    with Session(database, made(database, Made(emotion=FELT), Made(emotion=FELT))) as session:
        rows = session.run(asked).rows
    places = [(row.recording, row.t0) for row in rows]
    assert places == sorted(places)
    assert len({recording for recording, _ in places}) == 2


def test_what_holds_rarer_words_and_more_of_them_comes_first(database: Database) -> None:
    about = ["the budget", "the train", "the budget of the train", "the budget again", "the budget"]
    said = [*about, *["the cat sat on the mat"] * 20]
    rows = [Segment(n * 1_000, n * 1_000 + 900, text, "Ada") for n, text in enumerate(said)]
    asked = plan(("transcript", {"keywords": ["budget", "train"]}), order="rank")
    with Session(database, made(database, Made(rows))) as session:
        found = [row.text for row in session.run(asked).rows]
    assert found[:2] == ["the budget of the train", "the train"]
    assert sorted(str(text) for text in found) == sorted(about)
