"""Stretches of time as people write them."""

from collections.abc import Mapping

import pytest

from agent.brains.rules.language import Token, language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.ranges import Stretch
from agent.brains.rules.searching import plain

CASES = [
    ("who spoke between 2:00 and 3:30", 120, 210, "who spoke"),
    ("who spoke between 0 and 600 seconds", 0, 600, "who spoke"),
    ("who spoke between minutes 2 and 4", 120, 240, "who spoke"),
    ("who spoke between 2 and 4 minutes", 120, 240, "who spoke"),
    ("who spoke from 1:02:03 to 1:05:00", 3723, 3900, "who spoke"),
    ("who spoke 1:00-2:00", 60, 120, "who spoke"),
    ("in the first two minutes, who spoke", None, 120, ", who spoke"),
    ("who spoke in the first 30 seconds", None, 30, "who spoke"),
    ("who spoke in the first half", None, 300, "who spoke"),
    ("who spoke in the last two minutes", 480, None, "who spoke"),
    ("who spoke in the last half hour", 0, None, "who spoke"),
    ("who spoke in the second half", 300, None, "who spoke"),
    ("who spoke in the last quarter", 450, None, "who spoke"),
    ("who spoke in the third minute", 120, 180, "who spoke"),
    ("who spoke in minute 3", 180, 240, "who spoke"),
    ("who spoke before 5:00", None, 300, "who spoke"),
    ("who spoke after 5:00", 300, None, "who spoke"),
    ("who spoke after minute 5", 300, None, "who spoke"),
    ("who spoke after the 5 minute mark", 300, None, "who spoke"),
    ("who spoke until two minutes in", None, 120, "who spoke"),
    ("who spoke at 1:20", 80, 81, "who spoke"),
    ("who spoke in the first hour and 5 minutes", None, 3900, "who spoke"),
    ("who spoke after 2:00 and before 4:00", 120, 240, "who spoke"),
]
NO_SOUNDS: Mapping[tuple[str, ...], Token] = {}


def stretch(text: str, duration: float | None) -> tuple[Stretch, str]:
    left, found = plain(text, Scene((), NO_SOUNDS, lambda phrase: False, duration), language())
    return found, " ".join(token.text for token in left)


@pytest.mark.parametrize(("text", "start", "end", "rest"), CASES)
def test_a_range_is_read_and_cut_out(text: str, start: float | None, end: float | None, rest: str) -> None:
    assert stretch(text, 600.0) == (Stretch(start, end), rest)


@pytest.mark.parametrize(
    "text",
    ["what was said after the siren", "who spoke first", "before the war", "between you and me", "who has 3 dogs"],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert stretch(text, 600.0) == (Stretch(), text)


def test_the_end_of_several_recordings_is_counted_from_each_end() -> None:
    assert stretch("who spoke in the last two minutes", None)[0] == Stretch(-120.0)
    assert stretch("who spoke in the second half", None)[0] == Stretch()
