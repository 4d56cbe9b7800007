"""What is computed from rows: ties, overlaps, one row, nothing, rows that a stretch cuts, several recordings."""

from collections.abc import Iterator
from typing import Any

import pytest

from store.database import Database
from store.record import Emotion, Event, Segment, Turn
from store.speakers import Profile
from tests.tools.made import Made, made, plan
from tools.call import Session

DAY = 24 * 3_600_000
ONE = Made(
    [Segment(0, 500, "tea, tea. Tea?", "Ada"), Segment(500, 501, "no", None)],
    [
        Turn(0, 1_000, "Ada"),
        Turn(0, 1_000, "Ben"),  # at once, and as long
        Turn(250, 750, "Ada"),  # inside
        Turn(1_000, 1_001, "Cleo"),  # touches
        Turn(3_000, 4_000, "Ada"),
        Turn(6_000, 6_500, "Ben"),  # after a gap of two seconds, as one before it
        Turn(DAY, DAY + 1, "SPEAKER_03"),
    ],
    [
        Emotion(0, 2_000, "fear", 0.9, "Ada"),
        Emotion(1_000, 3_000, "anger", 0.9, "Ada"),
        Emotion(0, 9_000, "no clear emotion", 0.2, "Ada"),
    ],
    [Event(7_000, 8_000, "Bell", 0.9)],
    profiles=[Profile("SPEAKER_03", doubt="no clean turn of 1.5 s")],
    minutes=25 * 60,
)
TWO = Made([Segment(100, 200, "tea", "Ada")], [Turn(10_000, 10_500, "Ada")], events=[], minutes=1)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Session]]:
    opened = {}
    for name, content in {"one": [ONE], "both": [ONE, TWO]}.items():
        database = Database.open(tmp_path_factory.mktemp(name) / "library")
        opened[name] = Session(database, made(database, *content)).__enter__()
    yield opened
    for session in opened.values():
        session.__exit__()


ADA, NOBODY = ("speaker", {"names": ["Ada"]}), ("speaker", {"names": ["Zoe"]})
TEA = ("transcript", {"keywords": ["tea"]})


@pytest.mark.parametrize(
    ("call", "aggregate", "one", "both"),
    [
        (TEA, "count", [3], [4]),
        (("transcript", {"keywords": ["tea"], "end": 0.1}), "count", [3], [3]),
        (("transcript", {}), "count", [2], [3]),
        (("transcript", {}), "count_distinct", [1], [2]),  # nobody is no voice; namesakes are not known to be one
        (ADA, "count", [3], [4]),
        (ADA, "total_duration", [2_000], [2_500]),
        (ADA, "average", [833], [750]),  # of 1000, 500 and 1000, and 500
        (("speaker", {"names": ["Ada"], "start": 0.5, "end": 3.5}), "total_duration", [1_000], [1_000]),
        (("speaker", {"names": ["Ada"], "start": 0.5, "end": 3.5}), "average", [417], [417]),  # 500, 250, 500
        (("speaker", {"end": 0.001}), "total_duration", [1], [1]),
        (("speaker", {}), "count_distinct", [3], [4]),
        (("speaker", {"start": DAY / 1000}), "count_distinct", [0], [0]),
        (("speaker", {}), "first_occurrence", [[0, 1_000]], [[0, 1_000]]),
        (("speaker", {"start": 0.9}), "first_occurrence", [[0, 1_000]], [[0, 1_000]]),
        (ADA, "longest_gap", [[1_000, 3_000]], [[1_000, 3_000]]),
        (("speaker", {"end": 7.0}), "longest_gap", [[4_000, 6_000]], [[4_000, 6_000]]),
        (("speaker", {"end": 7.0}), "gaps", [[1_001, 3_000], [4_000, 6_000]], [[1_001, 3_000], [4_000, 6_000]]),
        (("speaker", {"names": ["Cleo"]}), "longest_gap", [], []),
        (("speaker", {"end": 1.001}), "gaps", [], []),
        (("events", {}), "longest_gap", [], []),
        (("events", {}), "average", [1_000], [1_000]),
        (("speaker", {}), "overlap_duration", [1_000], [1_000]),  # Ada's turn inside her own adds nothing
        (("speaker", {}), "overlaps", [[0, 1_000]], [[0, 1_000]]),  # whoever begins where another ends is not at once
        (("speaker", {"start": 0.25, "end": 0.5}), "overlap_duration", [250], [250]),
        (("speaker", {"start": 0.25, "end": 0.5}), "overlaps", [[250, 500]], [[250, 500]]),
        (ADA, "overlap_duration", [], []),
        (ADA, "overlaps", [], []),
        (("speaker", {"names": ["Ada", "Cleo"]}), "overlap_duration", [], []),
        (NOBODY, "overlaps", [], []),
        (NOBODY, "count", [], []),
        (NOBODY, "average", [], []),
        (NOBODY, "gaps", [], []),
        (NOBODY, "first_occurrence", [], []),
        (NOBODY, "total_duration", [], []),
        (("emotion", {}), "majority", [2_000, 2_000], [2_000, 2_000]),
        (("emotion", {"end": 1.0}), "majority", [1_000], [1_000]),
        (("emotion", {"start": 3.0}), "majority", [], []),
    ],
)
def test_a_value_of_one_recording_and_of_two(
    sessions: dict[str, Session], call: tuple[str, dict[str, Any]], aggregate: str, one: list[Any], both: list[Any]
) -> None:
    found = {name: session.run(plan(call, aggregate=aggregate)).groups for name, session in sessions.items()}
    assert {name: [group.value for group in groups] for name, groups in found.items()} == {"one": one, "both": both}


@pytest.mark.parametrize(
    ("fuse", "expected"),
    [
        ({}, [[1_001, 3_000], [4_000, 6_000], [6_500, DAY]]),
        ({"order": "-value"}, [[6_500, DAY], [4_000, 6_000], [1_001, 3_000]]),
        ({"order": "value", "limit": 1}, [[1_001, 3_000]]),
        ({"min_value": 2.0}, [[4_000, 6_000], [6_500, DAY]]),
        ({"min_value": 1.999, "max_value": 1.999}, [[1_001, 3_000]]),
        ({"max_value": 1.0}, []),
        ({"limit": 2}, [[1_001, 3_000], [4_000, 6_000]]),
    ],
)
def test_gaps_within_bounds(sessions: dict[str, Session], fuse: dict[str, Any], expected: list[Any]) -> None:
    evidence = sessions["one"].run(plan(("speaker", {}), aggregate="gaps", **fuse))
    assert [group.value for group in evidence.groups] == expected
    edges = {at for gap in expected for at in gap}
    if "limit" not in fuse:
        assert edges <= {at for row in evidence.rows for at in (row.t0, row.t1)}
        assert all({row.t0, row.t1} & edges for row in evidence.rows)


@pytest.mark.parametrize(
    ("call", "fields", "one", "both"),
    [
        (("events", {}), [], 1, 1),
        (("events", {}), ["recording"], 1, 1),
        (("speaker", {}), ["recording"], 1, 2),
        (("emotion", {}), ["label"], 3, 3),
        (("speaker", {}), ["text", "speaker"], 3, 4),
        (("events", {}), ["speaker"], 0, 0),
    ],
)
def test_different_ones_are_counted_of_what_is_asked_for(
    sessions: dict[str, Session], call: tuple[str, dict[str, Any]], fields: list[str], one: int, both: int
) -> None:
    asked = plan(call, aggregate="count_distinct", fields=fields)
    assert [sessions[name].run(asked).groups[0].value for name in ("one", "both")] == [one, both]


def test_both_of_two_that_tie_for_the_most_are_given_first_to_begin_first(sessions: dict[str, Session]) -> None:
    mostly = sessions["one"].run(plan(("emotion", {}), aggregate="majority"))
    assert [group.key for group in mostly.groups] == ["fear", "anger"]
    each = sessions["one"].run(plan(("emotion", {}), aggregate="majority", group="speaker"))
    assert [(group.key, group.value) for group in each.groups] == [("Ada", "fear")]


def test_a_gap_lies_in_one_recording(sessions: dict[str, Session]) -> None:
    """The end of one recording and the start of the next are not a silence."""
    evidence = sessions["both"].run(plan(ADA, aggregate="longest_gap", group="recording"))
    assert [(group.key, group.value) for group in evidence.groups] == [("talk-0-00000000", [1_000, 3_000])]
    (best,) = sessions["both"].run(plan(ADA, aggregate="longest_gap")).groups
    assert best.recording == "talk-0-00000000"


THREE = Made(
    [],
    [
        Turn(0, 4_000, "Ada"),
        Turn(1_000, 3_000, "Ben"),
        Turn(2_000, 3_500, "Cleo"),  # three at once are one overlap
        Turn(3_500, 5_000, "Ben"),  # Ada is still on: the overlap goes on
        Turn(6_000, 7_000, "Ada"),
        Turn(6_900, 8_000, "Cleo"),
    ],
    events=[],
    minutes=1,
)


@pytest.mark.parametrize(
    ("names", "fuse", "expected"),
    [
        ([], {}, [[1_000, 4_000], [6_900, 7_000]]),
        (["Ada", "Ben"], {}, [[1_000, 3_000], [3_500, 4_000]]),
        (["Ben", "Cleo"], {}, [[2_000, 3_000]]),
        ([], {"min_value": 1}, [[1_000, 4_000]]),
        ([], {"max_value": 1}, [[6_900, 7_000]]),
        ([], {"order": "-value"}, [[1_000, 4_000], [6_900, 7_000]]),
        ([], {"order": "value", "limit": 1}, [[6_900, 7_000]]),
    ],
)
def test_overlaps_are_of_two_voices_or_more(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], fuse: dict[str, Any], expected: list[Any]
) -> None:
    database = Database.open(tmp_path_factory.mktemp("three") / "library")
    with Session(database, made(database, THREE)) as session:
        evidence = session.run(plan(("speaker", {"names": names}), aggregate="overlaps", **fuse))
        lasting = session.run(plan(("speaker", {"names": names}), aggregate="overlap_duration"))
    assert [group.value for group in evidence.groups] == expected
    if not fuse:
        assert [group.value for group in lasting.groups] == [sum(end - start for start, end in expected)]
        edges = {at for stretch in expected for at in stretch}
        assert edges <= {at for row in evidence.rows for at in (row.t0, row.t1)}
