"""A term was said when the sound bears it better than words that nobody said; by itself no score tells."""

import pytest

from tools.transcript.evidence import LEAST, LEAST_BORNE, LEAST_GAIN, TOLD, Asked, Evidence, mentions


@pytest.mark.parametrize(
    ("text", "term", "there"),
    [
        ("It was Thistlewood, who found it.", "thistlewood", True),
        ("It was Thistle Wood.", "thistle wood", True),
        ("It was Thistlewoods.", "Thistlewood", False),
        ("Zürich, dann Bern", "zürich", True),
        ("", "x", False),
    ],
)
def test_a_term_is_mentioned_as_a_whole(text: str, term: str, there: bool) -> None:
    assert mentions(text, term) is there


@pytest.mark.parametrize(
    ("gain", "borne", "told", "heard"),
    [
        (0.0, LEAST, 0.0, True),
        (0.0, LEAST - 1, 0.0, False),
        (0.0, LEAST - 1, 1 / TOLD, True),
        (0.0, LEAST, -1.0, False),
        (LEAST_GAIN - 0.1, 90.0, 90.0, False),
        (0.0, LEAST_BORNE - 0.1, 90.0, False),
    ],
)
def test_a_term_must_beat_every_decoy_by_the_sound_and_when_told(
    gain: float, borne: float, told: float, heard: bool
) -> None:
    assert Evidence("x", (0, 1), gain, borne, told).heard is heard


def test_a_gain_alone_is_never_enough() -> None:
    assert not Evidence("x", (0, 1), 99.0).heard
    assert not Evidence("x", (0, 1), 99.0, 99.0).heard


def test_decoys_are_made_for_the_place() -> None:
    asked = Asked("Thistlewood", ("this", "little", "would", "do"), ((0, 3),), ("morning", "Philadelphia", "chapter"))
    assert asked.decoys((0, 3))
    assert not Asked("Thistlewood", ("this", "little"), ((0, 2),)).decoys((0, 2))


def test_another_word_takes_the_place_of_those_written() -> None:
    asked = Asked("Ravenscroft", ("the", "keys", "to", "Ravens", "Rock", "before"), ((3, 5),))
    assert asked.text == "the keys to Ravens Rock before"
    assert asked.instead("Ravenscroft", (3, 5)) == "the keys to Ravenscroft before"
