"""Meaning is searched among the rows that the other filters leave, so that what is rare is never lost."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from store.catalog import Catalog
from store.database import Database
from store.record import Segment
from store.vectors import WIDTH, save
from tests.tools.made import Made, made, plan
from tools.call import Session

if TYPE_CHECKING:
    from store.vectors import Vectors


def embed(text: str) -> "Vectors":
    """A tiny embedder: each different word is a direction of its own, as far as 384 directions go."""
    vector = np.zeros(WIDTH, np.float32)
    for word in text.casefold().split():
        vector[sum(ord(letter) * 31**place for place, letter in enumerate(word)) % WIDTH] += 1
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


def meant(database: Database, *said: Sequence[Segment]) -> Catalog:
    scope = made(database, *(Made(segments) for segments in said))
    with database.writing() as connection:
        rows = connection.execute("SELECT id, text FROM segment").fetchall()
        save(connection, [row["id"] for row in rows], np.stack([embed(row["text"]) for row in rows]))
    return scope


def found(database: Database, scope: Catalog, **args: object) -> list[int]:
    with Session(database, scope, embed=embed) as session:
        return [row.t0 for row in session.run(plan(("transcript", args), order="rank")).rows]


TALK = [
    Segment(0, 10, "the budget is red", "Ada"),
    Segment(20, 30, "a dog barks", "Ben"),
    Segment(40, 50, "red folder", "Ben"),
]


@pytest.mark.parametrize(
    ("args", "starts"),
    [
        ({"semantic": "red"}, [40, 0]),
        ({"semantic": "red", "speaker": "Ada"}, [0]),
        ({"semantic": "red", "start": 0.02}, [40]),
        ({"semantic": "red", "keywords": ["dog"]}, [20, 40, 0]),
        ({"semantic": "plum"}, []),
    ],
)
def test_meaning_filters_and_ranks(database: Database, args: dict[str, object], starts: list[int]) -> None:
    assert found(database, meant(database, TALK), **args) == starts


def test_c33_a_speaker_of_one_row_in_a_thousand_is_found_whatever_others_say(database: Database) -> None:
    """C33: filtered recall is whole, and the same query gives the same order."""
    crowd = [Segment(n * 10, n * 10 + 5, "the red budget", "Ben") for n in range(999)]
    rare = [Segment(99_990, 99_999, "the red words here", "Ada")]
    scope = meant(database, [*crowd, *rare])
    assert found(database, scope, semantic="the red budget", speaker="Ada") == [99_990]
    once = found(database, scope, semantic="the red budget")
    assert len(once) == 24
    assert once == found(database, scope, semantic="the red budget")


def test_hits_of_two_speakers_do_not_mix(database: Database) -> None:
    scope = meant(database, TALK)
    calls = [("transcript", {"semantic": "red", "speaker": name}) for name in ("Ada", "Ben")]
    with Session(database, scope, embed=embed) as session:
        evidence = session.run(plan(*calls, joins=[{"stream": "b", "relation": "before"}]))
    assert [(row.t0, [p.t0 for p in row.partners]) for row in evidence.rows] == [(0, [40])]
