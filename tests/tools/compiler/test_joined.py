"""Joins: half-open edges, nobody's voice, chains, exclusions, and partners that are never multiplied."""

from collections.abc import Iterator
from typing import Any

import pytest

from store.database import Database
from store.edits import merge
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import EvidenceRow

H = 24 * 3_600_000
TALK = Made(
    [
        Segment(0, 1_000, "one", "Ada"),
        Segment(1_000, 2_000, "two", "Ben"),
        Segment(5_000, 6_000, "three", None),
        Segment(H, H + 1_000, "four", "Ada"),
    ],
    [Turn(0, 1_000, "Ada"), Turn(1_000, 2_000, "Ben"), Turn(1_500, 6_000, "Cleo"), Turn(H, H + 1_000, "Ada")],
    [Emotion(0, 1_000, "anger", 0.9, "Ada"), Emotion(5_000, 6_000, "anger", 0.9, None)],
    [
        Event(1_000, 1_001, "Bell", 0.9),
        Event(1_000, 1_001, "Bark", 0.9),
        Event(8_500, 9_000, "Bell", 0.9),
        Event(8_501, 9_000, "Siren", 0.9),
        Event(H + 1_000, H + 1_500, "Bell", 0.9),
    ],
    minutes=26 * 60,
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    database = Database.open(tmp_path_factory.mktemp("joined") / "library")
    with Session(database, made(database, TALK)) as session:
        yield session


def beside(session: Session, join: dict[str, Any], *calls: tuple[str, dict[str, Any]]) -> dict[Any, list[int]]:
    rows = session.run(plan(*calls, joins=[{"stream": "b"} | join])).rows
    return {row.text or row.label or row.speaker: [partner.t0 for partner in row.partners] for row in rows}


SAID: tuple[str, dict[str, Any]] = ("transcript", {})
HEARD: tuple[str, dict[str, Any]] = ("events", {})


@pytest.mark.parametrize(
    ("join", "expected"),
    [
        ({}, {"two": [1_000, 1_000]}),  # what ends when the bell rings does not overlap it
        ({"tolerance": 0.001}, {"one": [1_000, 1_000], "two": [1_000, 1_000], "four": [H + 1_000]}),
        ({"relation": "contains"}, {"two": [1_000, 1_000]}),
        ({"relation": "nearest", "tolerance": 0}, {"one": [1_000], "two": [1_000], "four": [H + 1_000]}),
        ({"relation": "nearest"}, {"one": [1_000], "two": [1_000], "three": [8_500], "four": [H + 1_000]}),
        ({"relation": "nearest", "tolerance": 2.499}, {"one": [1_000], "two": [1_000], "four": [H + 1_000]}),
        ({"relation": "before", "tolerance": 0}, {"one": [1_000], "four": [H + 1_000]}),
        ({"relation": "before"}, {"one": [1_000], "two": [8_500], "three": [8_500], "four": [H + 1_000]}),
        ({"relation": "after"}, {"three": [1_000], "four": [8_500]}),
        ({"relation": "after", "tolerance": 3.998}, {}),
        ({"relation": "after", "tolerance": 3.999}, {"three": [1_000]}),
        ({"relation": "right_after"}, {}),
        ({"relation": "right_after", "tolerance": 4}, {"three": [1_000]}),
        ({"relation": "anywhere"}, {"one": [1_000], "two": [1_000], "three": [1_000], "four": [1_000]}),
        ({"kind": "without"}, {"one": [], "three": [], "four": []}),
        ({"kind": "without", "relation": "anywhere"}, {}),
        ({"kind": "left", "relation": "contains"}, {"one": [], "two": [1_000, 1_000], "three": [], "four": []}),
    ],
)
def test_relations_at_their_edges(talk: Session, join: dict[str, Any], expected: dict[str, list[int]]) -> None:
    assert beside(talk, join, SAID, HEARD) == expected


@pytest.mark.parametrize(
    ("join", "expected"),
    [
        ({"voice": "same"}, {"one": [0], "two": [1_000], "four": [H]}),
        ({"voice": "other"}, {"two": [1_500]}),
        ({"voice": "same", "kind": "without"}, {"three": []}),
        ({"voice": "other", "relation": "anywhere"}, {"one": [1_000], "two": [0], "four": [1_000]}),
        ({"voice": "other", "relation": "before"}, {"one": [1_000], "two": [H]}),
        ({"voice": "same", "relation": "before"}, {"one": [H]}),
    ],
)
def test_nobodys_words_are_neither_the_same_voices_nor_anothers(
    talk: Session, join: dict[str, Any], expected: dict[str, list[int]]
) -> None:
    assert beside(talk, join, SAID, ("speaker", {})) == expected


def test_nobody_and_nobody_are_not_one_voice(talk: Session) -> None:
    found = beside(talk, {"voice": "same"}, ("emotion", {}), SAID)
    assert list(found) == ["anger"]
    rows = talk.run(plan(("emotion", {}), SAID, joins=[{"stream": "b", "voice": "same"}])).rows
    assert [row.speaker for row in rows] == ["Ada"]


def test_partners_never_multiply_what_is_counted(talk: Session) -> None:
    joins = [{"stream": "b"}, {"stream": "c"}]
    counted = talk.run(plan(SAID, HEARD, ("speaker", {}), joins=joins, aggregate="count"))
    assert counted.total == 1
    assert [group.value for group in counted.groups] == [1]
    (row,) = counted.rows
    assert len(row.partners) == 4  # two sounds, and the two who speak


def test_a_partner_counts_only_with_its_own_partners(talk: Session) -> None:
    """Whose turns hold a word that a bell follows: a chain of three."""
    joins = [{"stream": "b", "voice": "same"}, {"stream": "c", "to": "b", "relation": "before", "tolerance": 0}]
    found = talk.run(plan(("speaker", {}), SAID, ("events", {"labels": ["bell"]}), joins=joins))
    assert [(row.speaker, row.t0) for row in found.rows] == [("Ada", 0), ("Ada", H)]

    def chain(row: EvidenceRow) -> list[int]:
        return [row.t0, *(at for partner in row.partners for at in chain(partner))]

    assert [chain(row) for row in found.rows] == [[0, 0, 1_000], [H, H, H + 1_000]]
    without = [{"stream": "b"}, {"stream": "c", "to": "b", "relation": "before", "tolerance": 0, "kind": "without"}]
    others = talk.run(plan(("speaker", {}), SAID, ("events", {"labels": ["bell"]}), joins=without))
    assert [row.speaker for row in others.rows] == ["Ben", "Cleo"]


def test_a_row_of_the_same_call_twice_is_its_own_partner_only_when_asked_again(talk: Session) -> None:
    found = beside(talk, {"relation": "nearest", "tolerance": 0}, ("events", {"labels": ["bell"]}), HEARD)
    assert found == {"Bell": [H + 1_000]}  # by label: the last of the three bells stands for them
    assert beside(talk, {"relation": "anywhere"}, HEARD, ("emotion", {"labels": ["fear"]})) == {}


def test_merged_voices_are_the_same_voice(database: Database) -> None:
    scope = made(database, TALK)
    with database.writing() as connection:
        merge(connection, 1, "Ben", "Cleo")
    with Session(database, scope) as session:
        assert beside(session, {"voice": "other"}, SAID, ("speaker", {})) == {}
        assert beside(session, {"voice": "same"}, SAID, ("speaker", {}))["two"] == [1_000, 1_500]


def test_nothing_matches_across_recordings(database: Database) -> None:
    bells, words = Made([], events=[Event(0, 500, "Bell", 0.9)]), Made([Segment(0, 500, "one", "Ada")], events=[])
    with Session(database, made(database, bells, words)) as session:
        for relation in ("overlaps", "nearest", "anywhere", "contains"):
            assert beside(session, {"relation": relation}, SAID, HEARD) == {}
        assert beside(session, {"kind": "without", "relation": "anywhere"}, SAID, HEARD) == {"one": []}
