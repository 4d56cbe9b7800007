"""Results in groups: who is in which, in what order, with ties, unnamed voices, and labels as they were asked."""

from collections.abc import Iterator
from typing import Any

import pytest

from store.database import Database
from store.edits import merge
from store.record import Emotion, Event, Segment, Turn
from store.speakers import Profile
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import Evidence

DAY = 24 * 3_600_000
TALK = Made(
    [
        Segment(0, 1_000, "red red blue", "Ada"),
        Segment(1_000, 2_000, "red", None),
        Segment(2_000, 3_000, "Red blue blue", "Ben"),
        Segment(DAY + 1, DAY + 1_001, "blue", "Cleo"),
    ],
    [
        Turn(0, 1_000, "Ada"),
        Turn(1_000, 2_000, "Ben"),
        Turn(DAY, DAY + 500, "Cleo"),
        Turn(DAY + 400, DAY + 1_000, "Cleo"),
        Turn(DAY + 2_000, DAY + 2_100, "SPEAKER_07"),
    ],
    [
        Emotion(0, 1_000, "sadness", 0.9, "Ada"),
        Emotion(2_000, 4_000, "anger", 0.9, "Ben"),
        Emotion(3_000, 4_000, "sadness", 0.9, "Ben"),
        Emotion(4_000, 5_000, "fear", 0.9, None),
        Emotion(5_000, 65_000, "no clear emotion", 0.1, "Ada"),
        Emotion(DAY, DAY + 3_000, "happiness", 0.9, "Cleo"),
    ],
    [Event(0, 10, "Bell", 0.9), Event(5, 15, "Bark", 0.9), Event(DAY, DAY + 10, "Bell", 0.9)],
    profiles=[Profile("SPEAKER_07", doubt="no clean turn of 1.5 s")],
    minutes=25 * 60,
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    database = Database.open(tmp_path_factory.mktemp("groups") / "library")
    with Session(database, made(database, TALK)) as session:
        yield session


def groups(evidence: Evidence) -> list[tuple[str | None, Any]]:
    return [(group.key, group.value) for group in evidence.groups]


@pytest.mark.parametrize(
    ("call", "fuse", "expected"),
    [
        (("transcript", {}), {"group": "speaker"}, [("Ada", 1), (None, 1), ("Ben", 1), ("Cleo", 1)]),
        (("transcript", {}), {"group": "speaker", "order": "-time"}, [("Cleo", 1), ("Ben", 1), (None, 1), ("Ada", 1)]),
        (("transcript", {}), {"group": "speaker", "min_value": 1}, [("Ada", 1), (None, 1), ("Ben", 1), ("Cleo", 1)]),
        (("transcript", {}), {"group": "speaker", "min_value": 1.5}, []),
        (("transcript", {"keywords": ["red"]}), {"group": "speaker", "order": "-value", "limit": 1}, [("Ada", 2)]),
        # equal ones are not cut apart: who spoke of it least is two people, and nobody
        (
            ("transcript", {"keywords": ["red", "blue"]}),
            {"group": "speaker", "order": "value", "limit": 1},
            [(None, 1), ("Cleo", 1)],
        ),
        (("transcript", {"keywords": ["blue", "red", "plum"]}), {"group": "label"}, [("blue", 4), ("red", 4)]),
        (("transcript", {"keywords": ["RED", "red"]}), {"group": "label"}, [("RED", 4)]),
        (("transcript", {"keywords": ["red", "blue"], "match": "all"}), {"group": "label"}, [("blue", 3), ("red", 3)]),
        (("transcript", {"keywords": ["red", "blue"], "match": "phrase"}), {"group": "label"}, [("red blue", 2)]),
        (("events", {"labels": ["bell", "BELL"]}), {"group": "label"}, [("bell", 2)]),
        (("events", {"labels": ["BELL", "bark", "plum"]}), {"group": "label"}, [("BELL", 2), ("bark", 1)]),
        (("events", {}), {"group": "speaker"}, [(None, 3)]),
        (("speaker", {}), {"group": "speaker"}, [("Ada", 1), ("Ben", 1), ("Cleo", 2)]),
        (("events", {"labels": ["plum"]}), {"group": "label"}, []),
        (("events", {"labels": ["plum"]}), {}, []),
    ],
)
def test_counts_by_group(
    talk: Session, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], expected: list[tuple[str | None, Any]]
) -> None:
    assert groups(talk.run(plan(call, aggregate="count", **fuse))) == expected


@pytest.mark.parametrize(
    ("fuse", "expected"),
    [
        ({}, [("Cleo", "happiness"), ("Ben", "anger"), ("Ada", "sadness"), (None, "fear")]),
        ({"limit": 1}, [("Cleo", "happiness")]),
        ({"limit": 1, "order": "-value"}, [("Cleo", "happiness")]),
        (
            {"limit": 3, "order": "-value"},
            [("Cleo", "happiness"), ("Ben", "anger"), ("Ada", "sadness"), (None, "fear")],
        ),
        ({"min_value": 2}, [("Cleo", "happiness"), ("Ben", "anger")]),
        ({"max_value": 1}, [("Ada", "sadness"), (None, "fear")]),
        ({"min_value": 3.001}, []),
    ],
)
def test_how_each_mostly_sounded_comes_in_order_of_how_long(
    talk: Session, fuse: dict[str, Any], expected: list[tuple[str | None, str]]
) -> None:
    """An emotion's name has no order: those who sounded so for longest come first, and equal ones together."""
    assert groups(talk.run(plan(("emotion", {}), aggregate="majority", group="speaker", **fuse))) == expected


def test_bounds_keep_the_rows_of_the_groups_within_them(talk: Session) -> None:
    twice = talk.run(plan(("speaker", {}), aggregate="count", group="speaker", min_value=2))
    assert groups(twice) == [("Cleo", 2)]
    assert [row.t0 for row in twice.rows] == [DAY, DAY + 400]
    assert twice.total == 2
    nobody = talk.run(plan(("transcript", {}), aggregate="total_duration", group="speaker", min_value=1, max_value=1))
    assert [key for key, _ in groups(nobody)] == ["Ada", None, "Ben", "Cleo"]
    assert nobody.total == 4


@pytest.mark.parametrize(
    ("most", "expected"),
    [(0, [str(n) for n in range(5, 86_400, 5)][:3]), (1, ["0", "5", "10"])],
)
def test_the_least_counts_slices_in_which_there_is_nothing(talk: Session, most: int, expected: list[str]) -> None:
    asked = plan(("events", {}), aggregate="count", group="time", every=5, max_value=most, limit=3, order="time")
    found = [key for key, _ in groups(talk.run(asked))]
    assert found == ([key for key in expected if key != "0"] if most == 0 else ["5", "10", "15"])


def test_slices_after_a_day_are_told_by_their_second(talk: Session) -> None:
    busy = talk.run(plan(("events", {}), aggregate="count", group="time", every=3_600))
    assert groups(busy) == [("0", 2), (str(DAY // 1000), 1)]


def test_a_merged_voice_is_one_group_and_counts_once(database: Database) -> None:
    scope = made(database, TALK)
    with database.writing() as connection:
        merge(connection, 1, "Ada", "Cleo")
    with Session(database, scope) as session:
        spoke = session.run(plan(("speaker", {}), aggregate="total_duration", group="speaker"))
        many = session.run(plan(("speaker", {}), aggregate="count_distinct"))
    assert groups(spoke) == [("Ada", 2_000), ("Ben", 1_000)]
    assert groups(many) == [(None, 2)]


def test_namesakes_of_two_recordings_are_two_groups(database: Database) -> None:
    other = Made(speaker=[Turn(0, 5_000, "Ada")])
    with Session(database, made(database, TALK, other)) as session:
        spoke = session.run(plan(("speaker", {"names": ["Ada"]}), aggregate="total_duration", group="speaker"))
    assert groups(spoke) == [("Ada", 1_000), ("Ada", 5_000)]
