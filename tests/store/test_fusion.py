"""Each relation at its edges: touching, nesting, the tolerance to the millisecond, ties, and long rows."""

from collections.abc import Mapping

import pytest

from store.database import Database
from store.link import RANKED_MS, SPLIT_MS, Relation
from store.record import Event, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import EvidenceRow

A = (10_000, 20_000)


def partners(
    database: Database, anchor: tuple[int, int], others: list[tuple[int, int]], join: Mapping[str, object]
) -> list[EvidenceRow]:
    turns = [Turn(*anchor, "Ada")]
    scope = made(database, Made(speaker=turns, events=[Event(*other, f"e{n}", 0.5) for n, other in enumerate(others)]))
    with Session(database, scope) as session:
        evidence = session.run(plan(("speaker", {}), ("events", {}), joins=[{"stream": "b", **join}]))
    assert evidence.total == (1 if evidence.rows else 0)
    return list(evidence.rows[0].partners) if evidence.rows else []


@pytest.mark.parametrize(
    ("relation", "tolerance", "other", "found"),
    [
        ("overlaps", None, (19_999, 30_000), True),
        ("overlaps", None, (20_000, 30_000), False),
        ("overlaps", None, (5_000, 10_000), False),
        ("overlaps", None, (5_000, 10_001), True),
        ("overlaps", None, (12_000, 12_001), True),
        ("overlaps", 0.5, (20_499, 30_000), True),
        ("overlaps", 0.5, (20_500, 30_000), False),
        ("nearest", None, (22_500, 23_000), True),
        ("nearest", None, (22_501, 23_000), False),
        ("nearest", None, (7_000, 7_500), True),
        ("nearest", None, (7_000, 7_499), False),
        ("nearest", 0.0, (20_000, 20_001), True),
        ("nearest", 0.0, (20_001, 20_002), False),
        ("nearest_midpoint", None, (22_500, 23_000), True),
        ("nearest_midpoint", None, (22_501, 23_000), False),
        ("contains", None, (10_000, 20_000), True),
        ("contains", None, (9_999, 20_000), False),
        ("contains", None, (10_000, 20_001), False),
        ("contains", 0.001, (9_999, 20_001), True),
        ("within", None, (10_000, 20_000), True),
        ("within", None, (0, 30_000), True),
        ("within", None, (10_001, 30_000), False),
        ("within", None, (0, 19_999), False),
        ("before", None, (20_000, 21_000), True),
        ("before", None, (19_999, 21_000), False),
        ("before", None, (999_000, 999_001), True),
        ("before", 1.0, (21_000, 22_000), True),
        ("before", 1.0, (21_001, 22_000), False),
        ("after", None, (0, 10_000), True),
        ("after", None, (0, 10_001), False),
        ("after", 1.0, (0, 9_000), True),
        ("after", 1.0, (0, 8_999), False),
        ("right_after", None, (0, 7_500), True),
        ("right_after", None, (0, 7_499), False),
        ("right_after", None, (0, 10_000), True),
        ("right_after", None, (0, 10_001), False),
    ],
)  # fmt: skip
def test_a_relation_at_its_edge(
    database: Database, relation: Relation, tolerance: float | None, other: tuple[int, int], found: bool
) -> None:
    join = {"relation": relation, "tolerance": tolerance}
    assert bool(partners(database, A, [other], join)) == found


@pytest.mark.parametrize(
    ("relation", "others", "chosen"),
    [
        ("nearest", [(20_500, 21_000), (20_400, 21_000), (9_700, 9_800)], ["e2"]),
        ("nearest", [(20_300, 21_000), (9_000, 9_700), (9_100, 9_700)], ["e1"]),
        ("nearest", [(15_000, 16_000), (11_000, 12_000), (11_000, 19_000)], ["e1"]),
        ("nearest_midpoint", [(11_000, 12_000), (14_000, 16_000)], ["e1"]),
        ("nearest_midpoint", [(12_000, 14_000), (16_000, 18_000)], ["e0"]),
        ("before", [(30_000, 31_000), (25_000, 26_000), (25_000, 40_000)], ["e1"]),
        ("after", [(1_000, 9_000), (2_000, 9_000), (0, 3_000)], ["e0"]),
        ("right_after", [(1_000, 9_000), (0, 9_500)], ["e1"]),
        ("overlaps", [(15_000, 16_000), (9_000, 12_000)], ["e1", "e0"]),
        ("contains", [(15_000, 16_000), (10_000, 12_000), (0, 15_000)], ["e1", "e0"]),
    ],
)
def test_ties_go_to_the_smaller_gap_then_the_earlier_start_then_the_smaller_number(
    database: Database, relation: Relation, others: list[tuple[int, int]], chosen: list[str]
) -> None:
    assert [row.label for row in partners(database, A, others, {"relation": relation})] == chosen


@pytest.mark.parametrize("late", [0, 1_000 * 3_600_000])
@pytest.mark.parametrize("tolerance", [RANKED_MS / 1000, (RANKED_MS + 1) / 1000])
def test_a_tie_ends_alike_whether_pairs_are_ranked_by_one_number_or_by_three(
    database: Database, tolerance: float, late: int
) -> None:
    others = [(20_500, 21_000), (9_000, 9_500), (8_000, 9_500), (8_000, 9_500), (7_999, 9_499), (0, 5_905)]
    moved = [(start + late, end + late) for start, end in others]
    anchor = (A[0] + late, A[1] + late)
    join = {"relation": "nearest", "tolerance": tolerance}
    for first in range(len(moved)):
        chosen = [row.label for row in partners(database, anchor, moved[first:], join)]
        # by gap, then start, then number
        best = min(moved[first:], key=lambda other: (max(other[0] - anchor[1], anchor[0] - other[1]), other[0]))
        assert chosen == [f"e{moved[first:].index(best)}"], first


@pytest.mark.parametrize("relation", ["overlaps", "nearest", "nearest_midpoint", "within"])
def test_a_row_as_long_as_the_recording_is_found_beside_short_ones(database: Database, relation: Relation) -> None:
    others = [(0, 50 * SPLIT_MS), (9_000, 21_000), (3_000_000, 3_000_001)]
    found = [row.label for row in partners(database, A, others, {"relation": relation})]
    assert found == {"overlaps": ["e0", "e1"], "within": ["e0", "e1"], "nearest": ["e0"]}.get(relation, ["e1"])


def test_nothing_matches_across_recordings(database: Database) -> None:
    one, two = Made(speaker=[Turn(0, 1000, "Ada")], events=[]), Made(speaker=[], events=[Event(0, 1000, "bell", 0.5)])
    scope = made(database, one, two)
    with Session(database, scope) as session:
        for relation in (
            "overlaps",
            "nearest",
            "nearest_midpoint",
            "contains",
            "within",
            "before",
            "after",
            "right_after",
        ):
            joins = [{"stream": "b", "relation": relation}]
            assert session.run(plan(("speaker", {}), ("events", {}), joins=joins)).total == 0


def test_several_partners_count_an_anchor_once(database: Database) -> None:
    events = [Event(n * 100, n * 100 + 50, "bell", 0.5) for n in range(20)]
    scope = made(database, Made(speaker=[Turn(0, 2000, "Ada"), Turn(5000, 6000, "Ben")], events=events))
    joins = [{"stream": "b"}, {"stream": "c", "relation": "contains"}]
    with Session(database, scope) as session:
        asked = plan(("speaker", {}), ("events", {}), ("events", {"labels": ["bell"]}), joins=joins, aggregate="count")
        evidence = session.run(asked)
        apart = session.run(plan(("speaker", {}), ("events", {}), joins=[{"stream": "b", "kind": "without"}]))
        beside = session.run(plan(("speaker", {}), ("events", {}), joins=[{"stream": "b", "kind": "left"}]))
    assert evidence.total == 1
    assert evidence.groups[0].value == 1
    assert len(evidence.rows[0].partners) == 40
    assert [row.speaker for row in apart.rows] == ["Ben"]
    assert [(row.speaker, len(row.partners)) for row in beside.rows] == [("Ada", 20), ("Ben", 0)]


def test_partners_of_the_same_voice_or_another(database: Database) -> None:
    turns = [Turn(0, 2000, "Ada"), Turn(1000, 3000, "Ben"), Turn(9000, 9500, "Ada")]
    scope = made(database, Made(speaker=turns))
    with Session(database, scope) as session:
        joins = [{"stream": "b", "voice": "other"}]
        crossing = session.run(plan(("speaker", {}), ("speaker", {}), joins=joins))
        joins = [{"stream": "b", "voice": "same", "relation": "before"}]
        again = session.run(plan(("speaker", {}), ("speaker", {}), joins=joins))
    assert [(row.speaker, [p.speaker for p in row.partners]) for row in crossing.rows] == [
        ("Ada", ["Ben"]),
        ("Ben", ["Ada"]),
    ]
    assert [(row.speaker, [p.t0 for p in row.partners]) for row in again.rows] == [("Ada", [9000])]


@pytest.mark.parametrize(
    ("relation", "tolerance", "turn", "kept"),
    [
        ("right_after", None, (5_520, 6_000), True),
        ("right_after", None, (5_519, 6_000), False),
        ("right_after", None, (8_500, 9_000), True),
        ("right_after", None, (8_501, 9_000), False),
        ("right_after", 0.0, (5_600, 9_000), True),
        ("after", None, (5_520, 6_000), True),
        ("after", None, (5_519, 6_000), False),
        ("after", None, (60_000, 61_000), True),
        ("before", None, (1_000, 4_480), True),
        ("before", None, (1_000, 4_481), False),
        ("overlaps", None, (5_999, 7_000), True),
        ("overlaps", None, (6_000, 7_000), False),
    ],
)
def test_an_order_in_time_allows_for_edges_that_are_not_sure(
    database: Database, relation: Relation, tolerance: float | None, turn: tuple[int, int], kept: bool
) -> None:
    bell = Event(4_000, 6_000, "Bell", 0.9)
    scope = made(database, Made(speaker=[Turn(*turn, "Ada")], events=[bell], resolution_ms={"events": 480}))
    join = {"stream": "b", "relation": relation, "tolerance": tolerance}
    with Session(database, scope) as session:
        found = session.run(plan(("speaker", {}), ("events", {}), joins=[join]))
    assert [row.partners[0].label for row in found.rows] == (["Bell"] if kept else [])
    assert all((row.partners[0].t0, row.partners[0].t1) == (4_000, 6_000) for row in found.rows)


@pytest.mark.parametrize("length", [1, 2, 959, 960, 961])
def test_a_row_shorter_than_its_blur_is_sure_in_its_middle(database: Database, length: int) -> None:
    turns = [Turn(4_000 + length // 2 + 1, 9_000, "Ada"), Turn(1_000, 4_000 + length // 2, "Ben")]
    bell = Event(4_000, 4_000 + length, "Bell", 0.9)
    scope = made(database, Made(speaker=turns, events=[bell], resolution_ms={"events": 480}))
    with Session(database, scope) as session:
        for relation, name in (("after", "Ada"), ("before", "Ben")):
            asked = plan(("speaker", {}), ("events", {}), joins=[{"stream": "b", "relation": relation}])
            assert [row.speaker for row in session.run(asked).rows] == [name]
