"""What is asked of a meeting follows from its turns and sounds, and its words are those of people."""

from collections import Counter
from pathlib import Path

import pytest

from agent.evals.meetings.items import Question, questions, speaking
from agent.evals.meetings.meeting import called, meeting
from agent.evals.tasks.item import Item
from agent.evals.tasks.rederive import disagreements
from scripts.event_sets import CLASSES
from tests.agent.evals.meetings.made import small, told

MADE = small()
RAIN_UNTIL_ANOTHER_SPEAKS = {
    "start": 96, "end": 100.5, "kind": "rain", "label": "Rain", "snr_db": 5, "over_speech": 1.0,
}  # fmt: skip


def of(task: str) -> list[Item]:
    return [one.item for one in questions(MADE) if one.item.task == task]


def test_the_same_items_are_made_again() -> None:
    assert questions(MADE) == questions(small())
    ids = [one.item.id for one in questions(MADE)]
    assert len(ids) == len(set(ids)) > 15


@pytest.mark.parametrize(
    ("kind", "sure", "near"),
    [
        ("dog_bark", {"34"}, {"34"}),
        ("rain", {"12"}, {"12"}),
        ("rooster", {"12", "34"}, {"12", "34"}),
        ("sea_waves", set(), set()),
    ],
)
def test_who_speaks_at_a_sound(kind: str, sure: set[str], near: set[str]) -> None:
    assert speaking(MADE, kind) == (sure, near)


def test_counts_are_those_of_the_turns() -> None:
    found = {item.kind: item.gold for item in of("count") if item.kind != "span"}
    assert found["file"] == 3
    assert found["long talkers"] in (1, 3)
    assert all(1 <= item.gold <= 3 for item in of("count"))


def test_an_order_is_that_of_first_sounds() -> None:
    first = {called()[kind].thing: MADE.first(kind) for kind in MADE.kinds}
    for item in of("order"):
        assert item.gold == sorted(item.gold, key=lambda thing: first[thing])
        assert all(thing.lower() in item.question for thing in item.gold)


def test_half_of_the_sounds_are_not_there() -> None:
    assert Counter(item.gold for item in of("heard")) == {True: 4, False: 4}
    whens = of("events")
    assert Counter(item.answerable for item in whens) == {True: 2, False: 2}
    assert [item.gold for item in whens if not item.answerable] == [None, None]
    absent = [item for item in of("beside") if item.kind == "absent"]
    assert absent
    assert all(not item.answerable and item.gold is None for item in absent)


def test_counts_come_out_again_by_brute_force() -> None:
    assert disagreements(of("count"), MADE.world) == []


def test_a_voice_that_only_touches_a_sound_may_be_named() -> None:
    made = meeting(Path("touched.flac"), told() | {"events": [RAIN_UNTIL_ANOTHER_SPEAKS]})
    assert speaking(made, "rain") == ({"12"}, {"12", "56"})
    asked = next(one for one in questions(made) if one.item.kind == "voices")
    assert asked.item.gold == ["12"]
    assert asked.optional == {"56"}


def test_nobody_is_asked_for_where_a_voice_only_touches_a_sound() -> None:
    for one in questions(MADE):
        if one.item.task == "beside":
            _right_beside(one)


def _right_beside(one: Question) -> None:
    item = one.item
    assert not one.optional & set(item.gold or ())
    assert item.answerable == bool(item.gold)


def test_people_s_words_mean_the_sounds_they_are_for_and_no_others() -> None:
    meant = {kind: words.labels for kind, words in called().items()}
    for kind, labels in meant.items():
        assert CLASSES[kind] in labels
        others = frozenset().union(*(meant[other] for other in meant if other != kind))
        assert not labels & others
