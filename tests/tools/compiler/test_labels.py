"""What people call sounds and emotions finds the labels that are stored, theirs or an importer's own."""

import pytest

from store.database import Database
from store.record import Emotion, Event
from tests.tools.made import Made, made
from tools.compiler.labels import known, meant, stored

SOUNDS = Made(
    events=[Event(n, n + 1, name, 0.9) for n, name in enumerate(["Bark", "Dog", "Guitar", "Siren", "kazoo solo"])],
    emotion=[Emotion(0, 1, "anger", 0.9), Emotion(1, 2, "Joyful", 0.9)],
)


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("dog", ("Bark", "Dog")),
        ("Guitar", ("Guitar",)),
        ("music", ("Guitar",)),
        ("KAZOO solo", ("kazoo solo",)),
        ("a siren", ("Siren",)),
    ],
)
def test_sounds_as_people_call_them(database: Database, asked: str, labels: tuple[str, ...]) -> None:
    assert stored("events", [asked], made(database, SOUNDS)) == ((asked, labels),)


@pytest.mark.parametrize(("asked", "labels"), [("furious", ("anger",)), ("happy", ("Joyful",)), ("anger", ("anger",))])
def test_emotions_as_people_call_them(database: Database, asked: str, labels: tuple[str, ...]) -> None:
    assert stored("emotion", [asked], made(database, SOUNDS)) == ((asked, labels),)


def test_a_narrower_label_asked_beside_a_wider_one_keeps_its_own(database: Database) -> None:
    scope = made(database, SOUNDS)
    assert stored("events", ["dog", "bark"], scope) == (("dog", ("Dog",)), ("bark", ("Bark",)))
    assert stored("events", ["music", "guitar"], scope)[1] == ("guitar", ("Guitar",))
    assert "Guitar" not in stored("events", ["music", "guitar"], scope)[0][1]


def test_what_is_not_there_is_asked_for_by_its_own_name(database: Database) -> None:
    ((asked, labels),) = stored("events", ["xylophone quintet"], made(database, SOUNDS))
    assert asked == "xylophone quintet"
    assert labels == ("xylophone quintet",)
    assert "xylophone quintet" not in SOUNDS.rows()


@pytest.mark.parametrize(
    ("stream", "label", "is_known"),
    [
        ("events", "dog", True),
        ("events", "kazoo of doom", False),
        ("emotion", "angry", True),
        ("emotion", "hangry", False),
    ],
)
def test_a_vocabulary_has_a_place_for_a_label_or_not(stream: str, label: str, is_known: bool) -> None:
    assert stream in ("events", "emotion")
    assert known("events" if stream == "events" else "emotion", label) == is_known
    assert meant("events" if stream == "events" else "emotion", label)[0] == label


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("crying baby", True),
        ("baby cry", True),
        ("crying_baby", True),
        ("dog", False),
    ],
)
def test_a_label_that_others_chose_is_matched_by_all_it_means(database: Database, asked: str, found: bool) -> None:
    scope = made(database, Made(events=[Event(0, 1_000, "crying_baby", 0.9)]))
    assert (dict(stored("events", [asked], scope))[asked] == ("crying_baby",)) is found
