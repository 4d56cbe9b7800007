"""Two calls compared: each side with the joins it shares, nothing on one side, nobody, one row counted on both."""

from typing import Any

import pytest

from store.database import Database
from store.record import Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.compiler.versus import sides
from tools.families import value

TALK = Made(
    [
        Segment(0, 1_000, "red red", "Ada"),
        Segment(1_000, 2_000, "red blue", "Ben"),
        Segment(2_000, 3_000, "blue", None),
        Segment(90_000_000, 90_001_000, "blue blue", "Ada"),
    ],
    [Turn(0, 1_000, "Ada"), Turn(500, 4_000, "Ben"), Turn(90_000_000, 90_001_000, "Ada")],
    events=[Event(500, 600, "Bell", 0.9), Event(90_000_000, 90_000_001, "Bell", 0.9)],
    minutes=1_501,
)
RED, BLUE, PLUM = (("transcript", {"keywords": [word]}) for word in ("red", "blue", "plum"))
ADA, BEN, ZOE = (("speaker", {"names": [name]}) for name in ("Ada", "Ben", "Zoe"))


@pytest.mark.parametrize(
    ("calls", "fuse", "values", "total", "more"),
    [
        ((RED, BLUE), {"aggregate": "count"}, [3, 4], 5, 1),
        ((BLUE, RED), {"aggregate": "count"}, [4, 3], 5, 1),
        ((RED, PLUM), {"aggregate": "count"}, [3, 0], 2, 3),
        ((PLUM, RED), {"aggregate": "count"}, [0, 3], 2, 3),
        ((PLUM, ("transcript", {"keywords": ["pear"]})), {"aggregate": "count"}, [0, 0], 0, 0),
        ((RED, RED), {"aggregate": "count"}, [3, 3], 4, 0),
        ((ADA, BEN), {"aggregate": "total_duration", "answer_schema": "duration"}, [2_000, 3_500], 3, 1.5),
        ((ADA, ZOE), {"aggregate": "average", "answer_schema": "duration"}, [1_000, 0], 2, 1.0),
        ((ADA, ("speaker", {})), {"aggregate": "count_distinct"}, [1, 2], 5, 1),
    ],
)
def test_each_side_is_a_plan_of_its_own(
    database: Database, calls: Any, fuse: dict[str, Any], values: list[int], total: int, more: float
) -> None:
    asked = plan(*calls, versus="b", **({"answer_schema": "count"} | fuse))
    with Session(database, made(database, TALK)) as session:
        evidence = session.run(asked)
        assert session.count(asked)[0] == total
        alone = [session.run(side).groups for side in sides(asked)]
    assert [(group.key, group.value) for group in evidence.groups] == list(zip("ab", values, strict=True))
    assert evidence.total == total
    assert value(asked, evidence) == more
    assert [groups[0].value if groups else 0 for groups in alone] == values
    assert evidence.compared is not None
    assert len(evidence.rows) == total


@pytest.mark.parametrize("to", [None, "a"])
def test_both_sides_have_the_joins_of_the_anchor(database: Database, to: str | None) -> None:
    """While the bell rang: also those of the call that is compared with it."""
    asked = plan(ADA, BEN, ("events", {}), versus="b", joins=[{"stream": "c", "to": to}], aggregate="count")
    with Session(database, made(database, TALK)) as session:
        evidence = session.run(asked)
    assert [group.value for group in evidence.groups] == [2, 1]
    assert [[partner.label for partner in row.partners] for row in evidence.rows] == [["Bell"]] * 3


def test_what_is_not_compared_is_one_side() -> None:
    assert sides(plan(RED)) == (plan(RED),)
    one, two = sides(plan(RED, BLUE, versus="b", aggregate="count"))
    assert (one.fuse.anchor, two.fuse.anchor) == ("a", "b")
    assert (one.fuse.versus, two.fuse.versus) == (None, None)
