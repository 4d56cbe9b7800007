"""What a value is computed by: which column counts, which seconds become milliseconds, when nothing counts as zero."""

from typing import Any

import pytest

from store.database import Database
from store.record import Event
from tests.tools.made import Made, made, plan
from tools.compiler.measure import Measure, within_bounds
from tools.compiler.selection import selection

CALLS: dict[str, dict[str, Any]] = {"transcript": {}, "speaker": {}, "emotion": {}, "events": {}}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Any:
    database = Database.open(tmp_path_factory.mktemp("measure") / "library")
    scope = made(database, Made([], [], [], [Event(0, 1, "Bell", 0.9)]))

    def measure(stream: str, **fuse: Any) -> Measure:
        asked = plan((stream, CALLS[stream]), **fuse)
        return Measure(asked.fuse, selection("s", asked.calls[0].query, scope), (), {1: 1})

    return measure


@pytest.mark.parametrize(
    ("stream", "fuse", "group", "counted", "turns"),
    [
        ("emotion", {"aggregate": "majority"}, "label", "speaker", "label"),
        ("events", {"aggregate": "majority"}, "label", "label", "label"),
        ("speaker", {"aggregate": "majority"}, "speaker", "speaker", "voice"),
        ("transcript", {"aggregate": "majority"}, "speaker", "speaker", "voice"),
        ("speaker", {"aggregate": "majority", "group": "recording"}, "recording", "speaker", "rec"),
        ("events", {"aggregate": "count_distinct"}, None, "label", "label"),
        ("speaker", {"aggregate": "count_distinct"}, None, "speaker", "voice"),
        ("speaker", {"aggregate": "count_distinct", "fields": ["start", "recording"]}, None, "recording", "rec"),
        ("speaker", {"aggregate": "count"}, None, "speaker", None),
        ("speaker", {"aggregate": "count", "group": "time"}, "time", "speaker", "slice"),
        ("emotion", {"group": "label"}, "label", "speaker", "label"),
    ],
)
def test_what_is_grouped_counted_and_shown_of_each(
    measured: Any, stream: str, fuse: dict[str, Any], group: str | None, counted: str, turns: str | None
) -> None:
    measure = measured(stream, **fuse)
    assert (measure.group, measure.counted, measure.turns) == (group, counted, turns)


@pytest.mark.parametrize(
    ("stream", "fuse", "conditions"),
    [
        ("events", {"aggregate": "count", "group": "label", "min_value": 2}, ["value >= 2.0"]),
        ("events", {"aggregate": "count", "group": "label", "max_value": 2.5}, ["value <= 2.5"]),
        ("events", {"aggregate": "count_distinct", "group": "time", "min_value": 0}, ["value >= 0.0"]),
        ("speaker", {"aggregate": "total_duration", "group": "speaker", "min_value": 1.5}, ["value >= 1500"]),
        # inwards, so that no group is within bounds that it is not within to the millisecond
        ("speaker", {"aggregate": "average", "group": "speaker", "min_value": 0.0001}, ["value >= 1"]),
        ("speaker", {"aggregate": "average", "group": "speaker", "max_value": 0.0019}, ["value <= 1"]),
        (
            "speaker",
            {"aggregate": "gaps", "min_value": 1, "max_value": 2},
            ["also - value >= 1000", "also - value <= 2000"],
        ),
        ("speaker", {"aggregate": "longest_gap", "group": "speaker", "min_value": 1}, ["also - value >= 1000"]),
        ("emotion", {"aggregate": "majority", "group": "speaker", "min_value": 1}, ["also >= 1000"]),
        ("emotion", {"aggregate": "majority", "group": "label", "min_value": 1}, ["value >= 1000"]),
        ("events", {"aggregate": "first_occurrence", "group": "label", "max_value": 90_000}, ["value <= 90000000"]),
        ("events", {"aggregate": "count", "group": "label"}, []),
    ],
)
def test_bounds_are_seconds_of_what_lasts_and_numbers_of_what_is_counted(
    measured: Any, stream: str, fuse: dict[str, Any], conditions: list[str]
) -> None:
    assert [one.sql() for one in within_bounds(measured(stream, **fuse))] == conditions


@pytest.mark.parametrize(
    ("fuse", "bounded", "from_zero", "several"),
    [
        ({"aggregate": "count", "group": "time", "max_value": 0}, True, True, True),
        ({"aggregate": "count", "group": "time", "order": "value"}, False, True, True),
        ({"aggregate": "count", "group": "time", "order": "-value", "min_value": 1}, True, False, True),
        ({"aggregate": "average", "group": "time", "max_value": 1}, True, False, True),
        ({"aggregate": "count", "group": "speaker", "max_value": 1}, True, False, True),
        ({"aggregate": "count", "max_value": 1}, False, False, False),
        ({"aggregate": "gaps", "max_value": 1}, False, False, True),
        ({"group": "speaker", "min_value": 1}, False, False, True),
    ],
)
def test_when_only_some_groups_are_kept_and_when_none_is_a_value(
    measured: Any, fuse: dict[str, Any], bounded: bool, from_zero: bool, several: bool
) -> None:
    measure = measured("speaker", **fuse)
    assert (measure.bounded, measure.from_zero, measure.several) == (bounded, from_zero, several)
