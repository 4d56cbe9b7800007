"""A call's stretch as SQL: constants in one recording, looked up in several, nothing where it is empty."""

from collections.abc import Iterator
from typing import Any

import pytest

from store.catalog import Catalog
from store.database import Database
from store.record import Event
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.compiler.bounds import bounds
from tools.events.query import EventsQuery

HOUR = 3_600


def clicks(minutes: int) -> Made:
    """A click at the start, the middle and the last second, and a siren all through."""
    whole = minutes * 60_000
    at = (0, whole // 2, whole - 1_000)
    rows = [*(Event(t0, t0 + 1_000, "Click", 0.9) for t0 in at), Event(0, whole, "Siren", 0.9)]
    return Made(events=rows, minutes=minutes)


@pytest.fixture(scope="module")
def scopes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Session]]:
    """One short recording, one of 30 hours, and both."""
    contents = {"short": [clicks(1)], "long": [clicks(1_800)], "both": [clicks(1), clicks(1_800)]}
    sessions = {}
    for name, content in contents.items():
        database = Database.open(tmp_path_factory.mktemp(name) / "library")
        sessions[name] = Session(database, made(database, *content)).__enter__()
    yield sessions
    for session in sessions.values():
        session.__exit__()


@pytest.mark.parametrize(
    ("stretch", "short", "long"),
    [
        ({}, [0, 30, 59], [0, 54_000, 107_999]),
        ({"start": 1}, [30, 59], [54_000, 107_999]),
        ({"end": 1}, [0], [0]),
        ({"start": -1}, [59], [107_999]),
        ({"start": -0.001}, [59], [107_999]),
        ({"end": -1}, [0, 30], [0, 54_000]),
        ({"end": -0.999}, [0, 30, 59], [0, 54_000, 107_999]),
        ({"start": -30, "end": -1}, [30], []),
        ({"start": -31 * HOUR}, [0, 30, 59], [0, 54_000, 107_999]),
        ({"end": -30 * HOUR}, [], []),
        ({"start": 25 * HOUR}, [], [107_999]),
        ({"start": 30, "end": -1}, [30], [54_000]),
        ({"start": 45, "end": -30}, [], [54_000]),  # in a minute, nothing is after 0:45 and before 0:30
        ({"start": 30, "end": -30}, [], [54_000]),
        ({"start": -60, "end": 30}, [0], []),
    ],
)
def test_a_stretch_means_the_same_alone_and_beside_others(
    scopes: dict[str, Session], stretch: dict[str, Any], short: list[int], long: list[int]
) -> None:
    expected = {"short": short, "long": long, "both": [*short, *long]}
    for name, session in scopes.items():
        rows = session.run(plan(("events", {"labels": ["click"]} | stretch))).rows
        assert [row.t0 // 1000 for row in rows] == expected[name], name


@pytest.mark.parametrize(
    ("stretch", "seconds"),
    [
        ({}, 60 + 108_000),
        ({"start": -10}, 20),
        ({"end": -10}, 50 + 107_990),
        ({"start": 45, "end": -30}, 107_970 - 45),
        ({"start": -61, "end": -59}, 1 + 2),  # a minute has no more than its first second of it
    ],
)
def test_what_lasts_is_cut_to_the_stretch_of_each_recording(
    scopes: dict[str, Session], stretch: dict[str, Any], seconds: int
) -> None:
    sirens = plan(("events", {"labels": ["siren"]} | stretch), aggregate="total_duration")
    assert [group.value for group in scopes["both"].run(sirens).groups] == [seconds * 1_000]


@pytest.mark.parametrize("stretch", [{"start": -60}, {"end": -60}, {"start": 1, "end": -1}, {"start": -2, "end": 1}])
def test_nothing_is_asked_of_no_recordings(stretch: dict[str, float]) -> None:
    found = bounds(EventsQuery.model_validate(stretch), Catalog(()), 0)
    assert found.tables == ()
    assert found.conditions


def test_only_what_is_said_becomes_a_condition(database: Database) -> None:
    scope = made(database, clicks(1))
    assert bounds(EventsQuery(), scope, 5).conditions == ()
    start = bounds(EventsQuery(start=2.0), scope, 5)
    assert [one.sql() for one in start.conditions] == ["t0 > 1995", "t1 > 2000"]
    assert [one.sql() for one in bounds(EventsQuery(end=2.0), scope, 5).conditions] == ["t0 < 2000"]
    early = bounds(EventsQuery(start=0.001), scope, 5)
    assert [one.sql() for one in early.conditions] == ["t0 > -4", "t1 > 1"]
