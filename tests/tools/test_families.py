"""Each family's value is computed from rows and fits the schema that is published for it."""

from typing import Any

import jsonschema
import pytest

from store.database import Database
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.families import FAMILIES, value

TALK = Made(
    [Segment(0, 2_000, "red red", "Ada"), Segment(2_000, 4_500, "red", "Ben"), Segment(9_000, 9_001, "blue", None)],
    [Turn(0, 2_000, "Ada"), Turn(1_000, 4_500, "Ben"), Turn(9_000, 10_000, "Ada")],
    [
        Emotion(0, 1_000, "anger", 0.9, "Ada"),
        Emotion(1_000, 9_000, "no clear emotion", 0.1, "Ada"),
        Emotion(1_000, 9_000, "no clear emotion", 0.1, "Ben"),
    ],
    [Event(5_000, 5_250, "Bell", 0.9), Event(500, 800, "Bark", 0.9), Event(7_000, 7_001, "Bell", 0.9)],
)
RED = {"keywords": ["red"]}


@pytest.mark.parametrize(
    ("family", "call", "fuse", "expected"),
    [
        ("count", ("transcript", RED), {"aggregate": "count"}, 3),
        ("count", ("transcript", RED), {}, 2),
        ("count", ("transcript", {"keywords": ["red", "blue"]}), {"aggregate": "count"}, 4),
        ("count", ("transcript", {"keywords": ["red", "blue"], "match": "all"}), {"aggregate": "count"}, 0),
        ("count", ("transcript", {"keywords": ["red red", "red"], "match": "all"}), {"aggregate": "count"}, 1),
        ("count", ("transcript", {"keywords": ["plum"]}), {"aggregate": "count"}, 0),
        ("count", ("speaker", {}), {"aggregate": "count_distinct"}, 2),
        ("count", ("events", {"labels": ["bell"]}), {"aggregate": "count"}, 2),
        ("duration", ("speaker", {"names": ["Ada"]}), {"aggregate": "total_duration"}, 3.0),
        ("duration", ("speaker", {}), {"aggregate": "total_duration"}, 5.5),
        ("duration", ("speaker", {"end": 3.0}), {}, 3.0),
        ("duration", ("speaker", {}), {"aggregate": "longest_gap"}, 4.5),
        ("duration", ("events", {"labels": ["plum"]}), {"aggregate": "total_duration"}, 0.0),
        ("duration", ("speaker", {"names": ["Ada"]}), {"aggregate": "overlap_duration"}, 0.0),
        ("count", ("speaker", {"names": ["Ada"]}), {"aggregate": "overlaps"}, 0),
        ("duration", ("events", {"labels": ["plum"]}), {"aggregate": "longest_gap"}, 0.0),
        ("who", ("transcript", RED), {}, ["Ada", "Ben"]),
        ("who", ("transcript", {"keywords": ["blue"]}), {}, None),
        ("who", ("transcript", RED), {"limit": 1}, "Ada"),
        ("who", ("transcript", RED), {"aggregate": "count", "group": "speaker", "order": "-value", "limit": 1}, "Ada"),
        ("who", ("speaker", {}), {"aggregate": "total_duration", "group": "speaker", "order": "value"}, ["Ada", "Ben"]),
        ("when", ("events", {"labels": ["bell"]}), {}, [[5.0, 5.25], [7.0, 7.001]]),
        ("when", ("events", {"labels": ["bell"]}), {"aggregate": "first_occurrence"}, [[5.0, 5.25]]),
        ("when", ("events", {"labels": ["bell"]}), {"aggregate": "longest_gap"}, [[5.25, 7.0]]),
        ("when", ("events", {"labels": ["plum"]}), {}, []),
        (
            "order",
            ("events", {"labels": ["bell", "bark"]}),
            {"aggregate": "first_occurrence", "group": "label"},
            ["bark", "bell"],
        ),
        (
            "order",
            ("transcript", {"keywords": ["blue", "red"]}),
            {"aggregate": "first_occurrence", "group": "label"},
            ["red", "blue"],
        ),
        ("which_events", ("events", {}), {}, ["Bark", "Bell"]),
        ("which_events", ("events", {"start": 1.0}), {"aggregate": "count", "group": "label"}, ["Bell"]),
        ("emotion", ("emotion", {"speaker": "Ada"}), {"aggregate": "majority"}, "anger"),
        ("emotion", ("emotion", {"speaker": "Ben"}), {"aggregate": "majority"}, "no clear emotion"),
        ("emotion", ("emotion", {"speaker": "Ada"}), {}, "anger"),
        ("emotion", ("emotion", {"labels": ["fear"]}), {"aggregate": "majority"}, None),
        ("yes_no", ("transcript", RED), {}, True),
        ("yes_no", ("transcript", {"keywords": ["plum"]}), {}, False),
        (
            "speaker_turns",
            ("speaker", {"start": 1.5, "end": 9.5}),
            {},
            [[1.5, 2.0, "Ada"], [1.5, 4.5, "Ben"], [9.0, 9.5, "Ada"]],
        ),
        ("quote", ("transcript", RED), {}, "red red"),
        ("quote", ("transcript", {"keywords": ["plum"]}), {}, None),
        ("summary", ("transcript", {}), {}, None),
        ("text", ("transcript", {}), {}, None),
        ("options", ("transcript", RED), {}, None),
    ],
)  # fmt: skip
def test_a_family_s_value(
    database: Database, family: str, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], expected: Any
) -> None:
    asked = plan(call, answer_schema=family, **fuse)
    with Session(database, made(database, TALK)) as session:
        found = value(asked, session.run(asked))
    assert found == expected
    if found is not None:
        jsonschema.validate(found, FAMILIES[family])


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([(0, 1_000, "Ada"), (1_499, 2_000, "Ada")], [[0.0, 2.0, "Ada"]]),
        ([(0, 1_000, "Ada"), (1_500, 2_000, "Ada")], [[0.0, 1.0, "Ada"], [1.5, 2.0, "Ada"]]),
        ([(0, 1_000, "Ada"), (1_100, 1_300, "Ben"), (1_400, 2_000, "Ada")],
         [[0.0, 1.0, "Ada"], [1.1, 1.3, "Ben"], [1.4, 2.0, "Ada"]]),
        ([(0, 3_000, "Ada"), (1_000, 2_000, "Ada")], [[0.0, 3.0, "Ada"]]),
    ],
)  # fmt: skip
def test_a_breath_makes_no_new_turn(
    database: Database, turns: list[tuple[int, int, str]], expected: list[list[Any]]
) -> None:
    asked = plan(("speaker", {}), answer_schema="speaker_turns")
    scope = made(database, Made([], [Turn(*turn) for turn in turns], [], []))
    with Session(database, scope) as session:
        assert value(asked, session.run(asked)) == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_a_published_schema_is_one(family: str) -> None:
    jsonschema.Draft202012Validator.check_schema(FAMILIES[family])


@pytest.mark.parametrize(
    ("family", "wrong"),
    [
        ("count", -1),
        ("count", True),
        ("duration", "3"),
        ("who", ["Ada"]),
        ("when", [[1.0]]),
        ("when", [[1.0, 2.0, 3.0]]),
        ("order", "Bell"),
        ("yes_no", 1),
        ("options", "E"),
        ("speaker_turns", [[1.0, 2.0]]),
    ],
)
def test_a_schema_refuses_what_is_no_value_of_its_family(family: str, wrong: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, FAMILIES[family])


def test_an_own_schema_is_for_the_brain_to_fill(database: Database) -> None:
    asked = plan(("transcript", RED), answer_schema={"type": "object"})
    with Session(database, made(database, TALK)) as session:
        assert value(asked, session.run(asked)) is None
