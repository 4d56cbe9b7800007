"""Slices of time, bounds on values, gaps, averages, comparisons: what each gives, with its value as a family has it."""

from typing import Any

import jsonschema
import pytest

from store.database import Database
from store.errors import SqlRefused
from store.guard import PLAN, check
from store.record import Event, Segment, Turn
from store.speakers import Profile
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import Evidence
from tools.families import FAMILIES, value
from tools.plan import Plan

TALK = Made(
    [
        Segment(0, 50_000, "red red", "Ada"),
        Segment(55_000, 65_000, "red", "Ben"),
        Segment(200_000, 210_000, "blue", "Cleo"),
        Segment(280_000, 290_000, "red red red", "Ben"),
    ],
    [
        Turn(0, 50_000, "Ada"),
        Turn(40_000, 65_000, "Ben"),
        Turn(59_999, 60_000, "Cleo"),
        Turn(200_000, 260_000, "Cleo"),
        Turn(280_000, 290_000, "Ben"),
    ],
    events=[Event(1_000, 2_000, "Bark", 0.9), Event(59_000, 61_000, "Bark", 0.9), Event(70_000, 71_000, "Bark", 0.9)],
    minutes=5,
)
RED = ("transcript", {"keywords": ["red"]})
VOICES: dict[str, Any] = {"aggregate": "count_distinct", "group": "time"}


def found(database: Database, asked: Plan, *content: Made) -> tuple[list[tuple[str | None, Any]], Evidence]:
    with Session(database, made(database, *(content or (TALK,)))) as session:
        evidence = session.run(asked)
    return [(group.key, group.value) for group in evidence.groups], evidence


@pytest.mark.parametrize(
    ("call", "fuse", "groups"),
    [
        (("events", {}), {"aggregate": "count"}, [("0", 2), ("60", 1)]),
        (("events", {}), {"aggregate": "count", "every": 30}, [("0", 1), ("30", 1), ("60", 1)]),
        (("events", {}), {"aggregate": "total_duration"}, [("0", 2_000), ("60", 2_000)]),
        (("events", {}), {"aggregate": "average"}, [("0", 1_500), ("60", 1_000)]),
        (("events", {}), {"aggregate": "first_occurrence"}, [("0", [1_000, 2_000]), ("60", [70_000, 71_000])]),
        (RED, {"aggregate": "count"}, [("0", 3), ("240", 3)]),
        (("speaker", {}), VOICES, [("0", 3), ("60", 1), ("180", 1), ("240", 2)]),
        (("speaker", {}), VOICES | {"order": "-value", "limit": 1}, [("0", 3)]),
        (("speaker", {}), VOICES | {"min_value": 2}, [("0", 3), ("240", 2)]),
        (("speaker", {}), VOICES | {"max_value": 0}, [("120", 0)]),
        (("speaker", {}), VOICES | {"order": "value", "limit": 2}, [("120", 0), ("60", 1), ("180", 1)]),
        (("speaker", {"start": 50, "end": 70}), VOICES, [("0", 2), ("60", 1)]),
        (("speaker", {"start": 130, "end": 190}), VOICES | {"max_value": 0}, [("120", 0), ("180", 0)]),
        (("speaker", {"start": -120}), {"aggregate": "total_duration"}, [("180", 40_000), ("240", 30_000)]),
    ],
)
def test_slices_of_time(
    database: Database, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], groups: list[tuple[str, Any]]
) -> None:
    assert found(database, plan(call, **{"group": "time"} | fuse))[0] == groups


def test_minutes_are_stretches_that_end_with_the_recording(database: Database) -> None:
    asked = plan(("speaker", {}), **VOICES, every=120, min_value=2, answer_schema="when")
    _, evidence = found(database, asked)
    assert value(asked, evidence) == [[0.0, 120.0], [240.0, 300.0]]
    assert {row.speaker for row in evidence.rows} == {"Ada", "Ben", "Cleo"}
    assert {group.recording for group in evidence.groups} == {"talk-0-00000000"}


def test_slices_of_several_recordings_are_their_own(database: Database) -> None:
    other = Made(events=[Event(5_000, 6_000, "Bark", 0.9)], minutes=1)
    groups, evidence = found(database, plan(("events", {}), aggregate="count", group="time"), TALK, other)
    assert groups == [("0", 2), ("60", 1), ("0", 1)]
    assert [group.recording for group in evidence.groups][-1] == "talk-1-00000000"


def test_what_was_not_heard_yet_is_no_quiet_minute(database: Database) -> None:
    asked = plan(("speaker", {}), **VOICES, max_value=0)
    half = Made(speaker=[Turn(0, 1_000, "Ada")], minutes=5, heard_ms=150_000)
    assert found(database, asked, half)[0] == [("60", 0), ("120", 0)]


@pytest.mark.parametrize(
    ("fuse", "groups", "rows"),
    [
        ({"aggregate": "count", "min_value": 3}, [("Ben", 4)], [55_000, 280_000]),
        ({"aggregate": "count", "max_value": 2}, [("Ada", 2)], [0]),
        ({"aggregate": "count", "min_value": 2, "max_value": 3}, [("Ada", 2)], [0]),
        ({"aggregate": "count", "min_value": 5}, [], []),
        ({"aggregate": "total_duration", "min_value": 20}, [("Ada", 50_000), ("Ben", 20_000)], [0, 55_000, 280_000]),
        ({"aggregate": "total_duration", "min_value": 20.001}, [("Ada", 50_000)], [0]),
        ({"aggregate": "average", "max_value": 10}, [("Ben", 10_000)], [55_000, 280_000]),
    ],
)
def test_bounds_keep_groups_and_their_rows(
    database: Database, fuse: dict[str, Any], groups: list[tuple[str, Any]], rows: list[int]
) -> None:
    got, evidence = found(database, plan(RED, group="speaker", **fuse))
    assert got == groups
    assert (sorted(row.t0 for row in evidence.rows), evidence.total) == (rows, len(rows))


@pytest.mark.parametrize(
    ("fuse", "groups", "when"),
    [
        ({}, [[65_000, 200_000], [260_000, 280_000]], [[65.0, 200.0], [260.0, 280.0]]),
        ({"min_value": 20.001}, [[65_000, 200_000]], [[65.0, 200.0]]),
        ({"max_value": 20}, [[260_000, 280_000]], [[260.0, 280.0]]),
        ({"order": "-value", "limit": 1}, [[65_000, 200_000]], [[65.0, 200.0]]),
        ({"order": "value", "limit": 1}, [[260_000, 280_000]], [[260.0, 280.0]]),
        ({"min_value": 500}, [], []),
    ],
)
def test_gaps_are_where_nobody_speaks(
    database: Database, fuse: dict[str, Any], groups: list[Any], when: list[Any]
) -> None:
    asked = plan(("speaker", {}), aggregate="gaps", answer_schema="when", **fuse)
    got, evidence = found(database, asked)
    assert [shown for _, shown in got] == groups
    assert value(asked, evidence) == when


def test_the_rows_beside_a_gap_are_cited(database: Database) -> None:
    _, evidence = found(database, plan(("speaker", {}), aggregate="gaps", min_value=100))
    assert [(row.speaker, row.t0) for row in evidence.rows] == [("Ben", 40_000), ("Cleo", 200_000)]


def test_rows_come_by_their_own_length(database: Database) -> None:
    long = plan(("speaker", {}), order="-length", limit=1, answer_schema="who")
    short = plan(("speaker", {"names": ["Ben", "Ada"]}), order="length", limit=1, answer_schema="duration")
    assert value(long, found(database, long)[1]) == "Cleo"
    assert value(short, found(database, short)[1]) == 10.0


SPOKE = (("speaker", {"names": ["Ada"]}), ("speaker", {"names": ["Ben"]}))


@pytest.mark.parametrize(
    ("calls", "fuse", "family", "expected"),
    [
        (SPOKE, {"aggregate": "total_duration"}, "yes_no", True),
        (SPOKE[::-1], {"aggregate": "total_duration"}, "yes_no", False),
        (SPOKE, {"aggregate": "total_duration", "min_value": 15}, "yes_no", True),
        (SPOKE, {"aggregate": "total_duration", "min_value": 15.5}, "yes_no", False),
        (SPOKE[::-1], {"aggregate": "total_duration"}, "who", "Ada"),
        (SPOKE[::-1], {"aggregate": "total_duration"}, "duration", 15.0),
        (SPOKE, {"aggregate": "count"}, "count", 1),
        (SPOKE, {"aggregate": "count"}, "who", "Ben"),
        (SPOKE, {"aggregate": "average"}, "duration", 32.5),
        (SPOKE, {"aggregate": "total_duration"}, "text", "a"),
        (SPOKE, {"aggregate": "count_distinct"}, "text", None),
        (SPOKE, {"aggregate": "count_distinct"}, "who", ["Ada", "Ben"]),
        ((SPOKE[0], ("speaker", {})), {"aggregate": "total_duration"}, "share", 50 / 135),
        (((RED[0], RED[1] | {"end": 150}), RED), {"aggregate": "count"}, "share", 0.5),
        ((RED, ("transcript", {"keywords": ["plum"]})), {"aggregate": "count"}, "share", 0.0),
        ((("transcript", {"keywords": ["plum"]}), RED), {"aggregate": "count"}, "count", 6),
        (((RED[0], RED[1] | {"end": 150}), (RED[0], RED[1] | {"start": 150})), {"aggregate": "count"}, "yes_no", False),
        (
            (("events", {"end": 10}), ("events", {"start": 10}), ("speaker", {"names": ["Cleo"]})),
            {"aggregate": "count", "joins": [{"stream": "c", "relation": "before", "kind": "without"}]},
            "count",
            0,
        ),
    ],
)
def test_two_calls_are_compared(
    database: Database, calls: tuple[tuple[str, dict[str, Any]], ...], fuse: dict[str, Any], family: str, expected: Any
) -> None:
    asked = plan(*calls, versus="b", answer_schema=family, **fuse)
    got, evidence = found(database, asked)
    assert [key for key, _ in got] == ["a", "b"]
    compared = value(asked, evidence)
    assert compared == (pytest.approx(expected) if isinstance(expected, float) else expected)
    if compared is not None:
        jsonschema.validate(compared, FAMILIES[family])


def test_the_rows_of_both_sides_are_listed_the_anchor_s_first(database: Database) -> None:
    _, evidence = found(database, plan(*SPOKE, versus="b", aggregate="total_duration"))
    assert [row.speaker for row in evidence.rows] == ["Ada", "Ben", "Ben"]
    assert (evidence.compared, evidence.total, evidence.found) == (1, 3, {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("call", "fuse", "family", "expected"),
    [
        ((RED[0], RED[1] | {"speaker": "Ben"}), {"aggregate": "count", "min_value": 4}, "yes_no", True),
        ((RED[0], RED[1] | {"speaker": "Ben"}), {"aggregate": "count", "min_value": 5}, "yes_no", False),
        (("transcript", {"keywords": ["plum"]}), {"aggregate": "count", "max_value": 0}, "yes_no", True),
        (RED, {"aggregate": "count", "max_value": 0}, "yes_no", False),
        (RED, {"max_value": 3}, "yes_no", True),
        (("speaker", {}), {"aggregate": "count_distinct", "min_value": 4}, "yes_no", False),
        (("speaker", {"names": ["Ada"]}), {"aggregate": "total_duration", "min_value": 60}, "yes_no", False),
        (("speaker", {"names": ["Ada"]}), {"aggregate": "total_duration", "min_value": 50}, "yes_no", True),
        (RED, {"aggregate": "count", "group": "speaker", "min_value": 4}, "yes_no", True),
        (RED, {"aggregate": "count", "group": "speaker", "min_value": 5}, "yes_no", False),
        (("speaker", {}), {"aggregate": "gaps", "min_value": 100}, "yes_no", True),
        (("speaker", {}), {"aggregate": "gaps", "min_value": 200}, "yes_no", False),
        (("speaker", {}), {"aggregate": "longest_gap", "min_value": 135}, "yes_no", True),
        (("events", {}), {"aggregate": "first_occurrence", "max_value": 1}, "yes_no", True),
        (("events", {}), {"aggregate": "first_occurrence", "min_value": 2}, "yes_no", False),
        (RED, {"aggregate": "count", "group": "speaker", "min_value": 2}, "count", 2),
        (("speaker", {}), VOICES | {"min_value": 2}, "count", 2),
        (("speaker", {}), {"aggregate": "gaps"}, "count", 2),
        (("speaker", {}), {"aggregate": "gaps"}, "duration", 155.0),
        (("speaker", {"names": ["Ben"]}), {"aggregate": "average"}, "duration", 17.5),
        (("speaker", {"names": ["Dan"]}), {"aggregate": "average"}, "duration", 0.0),
        (RED, {}, "recordings", ["talk-0-00000000"]),
        (("transcript", {"keywords": ["plum"]}), {"aggregate": "count", "group": "recording"}, "recordings", []),
        (RED, {"aggregate": "count"}, "share", None),
    ],
)
def test_values_of_the_new_families(
    database: Database, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], family: str, expected: Any
) -> None:
    asked = plan(call, answer_schema=family, **fuse)
    got = value(asked, found(database, asked)[1])
    assert got == expected
    if got is not None:
        jsonschema.validate(got, FAMILIES[family])


def test_doubtful_voices_do_not_make_a_minute_busy(database: Database) -> None:
    turns = [Turn(0, 9_000, "Ada"), Turn(9_000, 9_100, "SPEAKER_07")]
    groups, evidence = found(
        database,
        plan(("speaker", {}), **VOICES),
        Made(speaker=turns, profiles=[Profile("SPEAKER_07", doubt="no clean turn of 1.5 s")]),
    )
    assert groups == [("0", 1)]
    assert evidence.caveats == ("1 doubtful voice is left out",)


def test_a_cap_on_groups_is_told_with_their_true_number(database: Database) -> None:
    events = [Event(1_000 * n, 1_000 * n + 10, "Click", 0.9) for n in range(2_100)]
    asked = plan(("events", {}), aggregate="count", group="time", every=1, min_value=1, answer_schema="count")
    _, evidence = found(database, asked, Made(events=events))
    assert len(evidence.groups) == 2_000
    assert evidence.caveats == ("2,100 results were found, of which the first 2,000 are listed",)
    assert value(asked, evidence) == 2_100


def test_a_cap_on_partners_is_told_with_their_true_number(database: Database) -> None:
    events = [Event(1_000 * n, 1_000 * n + 10, "Click", 0.9) for n in range(2_100)]
    asked = plan(("speaker", {}), ("events", {}), joins=[{"stream": "b", "relation": "contains"}])
    _, evidence = found(database, asked, Made(speaker=[Turn(0, 3_000_000, "Ada")], events=events))
    assert len(evidence.rows[0].partners) == 2_000
    assert evidence.caveats == ("100 more rows were joined than are listed beside those found",)


def test_the_rows_of_the_busiest_minute_are_those_in_it(database: Database) -> None:
    asked = plan(("events", {}), aggregate="count", group="time", order="-value", limit=1, answer_schema="when")
    groups, evidence = found(database, asked)
    assert groups == [("0", 2)]
    assert [row.t0 for row in evidence.rows] == [1_000, 59_000]
    assert evidence.total == 3


def test_a_model_s_sql_cannot_read_the_numbers_of_compiled_plans() -> None:
    with pytest.raises(SqlRefused, match="there is no view number"):
        check("SELECT n FROM number")
    assert check("SELECT n FROM number", PLAN)
