"""What no two rows can be is told before anything runs, and nothing that some rows could be."""

from typing import Any

import pytest

from store.database import Database
from store.record import Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.validation.contradictions import contradictions

TALK = Made(
    [Segment(0, 4_000, "one", "Ada"), Segment(10_000, 12_000, "two", "Ben")],
    [Turn(0, 4_000, "Ada"), Turn(10_000, 12_000, "Ben")],
    events=[Event(4_000, 5_000, "Bell", 0.9)],
    minutes=26 * 60,
)


def told(
    database: Database, ours: dict[str, Any], theirs: dict[str, Any], join: dict[str, Any], *content: Made
) -> list[str]:
    asked = plan(("transcript", ours), ("speaker", theirs), joins=[{"stream": "b"} | join])
    scope = made(database, *(content or (TALK,)))
    return [problem.message for problem in contradictions(asked.fuse.joins[0], asked, scope)]


@pytest.mark.parametrize(
    ("ours", "theirs", "join", "apart"),
    [
        ({"end": 5}, {"start": 5}, {}, False),  # rows of four and two seconds may reach over the border
        ({"end": 5}, {"start": 11}, {}, False),
        ({"end": 5}, {"start": 13.001}, {}, True),  # but not over eight
        ({"end": 5}, {"start": 13.001}, {"tolerance": 0.001}, False),
        ({"end": 5}, {"start": 15}, {"relation": "nearest"}, False),
        ({"end": 5}, {"start": 16}, {"relation": "nearest"}, True),
        ({"end": 5}, {"start": 90_000}, {"relation": "anywhere"}, False),
        ({"end": 5}, {"start": 90_000}, {"kind": "left"}, False),
        ({"end": 5}, {"start": 90_000}, {"kind": "without"}, False),
        ({"end": 5}, {"start": 90_000}, {"relation": "before"}, False),
        ({"start": 90_000}, {"end": 5}, {"relation": "before"}, True),
        ({"start": 5}, {"end": 5}, {"relation": "before"}, True),
        ({"start": 4.999}, {"end": 5}, {"relation": "before"}, False),
        ({"end": 5}, {"start": 90_000}, {"relation": "after"}, True),
        ({"start": 90_000}, {"end": 5}, {"relation": "after"}, False),
        ({"start": -10}, {"end": 60}, {}, True),
        ({"start": -10}, {"start": -5}, {}, False),
        ({"start": -10}, {"start": 93_595}, {}, False),  # the recording lasts 26 hours
        ({}, {"start": 90_000}, {}, False),
    ],
)
def test_ranges_too_far_apart_are_told(
    database: Database, ours: dict[str, Any], theirs: dict[str, Any], join: dict[str, Any], apart: bool
) -> None:
    messages = told(database, ours, theirs, join)
    assert len(messages) == apart
    assert all("no row can be both; widen one of the ranges" in message for message in messages)


@pytest.mark.parametrize(
    ("ours", "theirs", "voice", "never"),
    [
        ({"speaker": "Ada"}, {"names": ["Ben"]}, "same", True),
        ({"speaker": "Ada"}, {"names": ["Ben"]}, "other", False),
        ({"speaker": "Ada"}, {"names": ["Ben"]}, "any", False),
        ({"speaker": "Ada"}, {"names": ["ada"]}, "other", True),
        ({"speaker": "Ada"}, {"names": ["Ada"]}, "same", False),
        ({"speaker": "Ada"}, {"names": ["Ada", "Ben"]}, "same", False),
        ({"speaker": "Ada"}, {"names": ["Ada", "Ben"]}, "other", False),
        ({"speaker": "Ada"}, {}, "other", False),
        ({"speaker": "Nobody"}, {"names": ["Ben"]}, "same", False),  # who is unknown is told elsewhere
    ],
)
def test_voices_that_cannot_be_are_told(
    database: Database, ours: dict[str, Any], theirs: dict[str, Any], voice: str, never: bool
) -> None:
    assert len(told(database, ours, theirs, {"voice": voice})) == never


def test_a_stretch_that_one_recording_is_long_enough_for_is_none(database: Database) -> None:
    """The last ten seconds lie far from 0:50 in a long recording, and in a short one they are the same."""
    short = Made(TALK.transcript, TALK.speaker, minutes=1)
    assert told(database, {"start": -10}, {"start": 50, "end": 60}, {}, TALK, short) == []


@pytest.mark.parametrize("blur", [0, 480])
def test_what_rows_can_be_is_never_a_contradiction(database: Database, blur: int) -> None:
    """A sound whose edges may be off is surely heard only a little later than it is written down."""
    scope = made(
        database, Made(TALK.transcript, [], events=[Event(3_900, 5_000, "Bell", 0.9)], resolution_ms={"events": blur})
    )
    asked = plan(
        ("transcript", {"start": 3.95}), ("events", {"end": 3.95}), joins=[{"stream": "b", "relation": "before"}]
    )
    problems = list(contradictions(asked.fuse.joins[0], asked, scope))
    with Session(database, scope) as session:
        found = session.run(asked).total
    assert (found > 0) == bool(blur)
    assert not (found and problems)
    assert bool(problems) == (blur == 0)
