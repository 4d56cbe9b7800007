"""Who is meant by what a corrected file calls a voice."""

import pytest

from store.record import Event, Segment, Turn
from store.speakers import Profile
from tools.imports.called import labelled

KNOWN = (
    Profile("SPEAKER_00", "Ada Lovelace", ("Countess",)),
    Profile("SPEAKER_01", "John"),
    Profile("SPEAKER_02", "John"),
    Profile("Bob"),
)


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("SPEAKER_00", "SPEAKER_00"),
        ("ada  lovelace", "SPEAKER_00"),
        ("Countess", "SPEAKER_00"),
        ("John", "John"),
        ("SPEAKER_02", "SPEAKER_02"),
        ("bob", "Bob"),
        ("Carol", "Carol"),
    ],
)
def test_a_voice_is_known_by_label_name_or_alias_when_only_one_is(written: str, label: str) -> None:
    assert labelled([Turn(0, 1, written), Event(0, 1, "Dog", 1.0)], KNOWN) == [
        Turn(0, 1, label),
        Event(0, 1, "Dog", 1.0),
    ]


def test_in_subrip_a_known_voice_may_stand_before_the_text() -> None:
    said = [
        Segment(0, 1, "Countess: hi"),
        Segment(0, 1, "Note: hi"),
        Segment(0, 1, "Bob: "),
        Segment(0, 1, "Bob: x", "y"),
    ]
    assert labelled(said, KNOWN, before_colon=True) == [Segment(0, 1, "hi", "SPEAKER_00"), *said[1:]]
    assert labelled(said, KNOWN) == said
