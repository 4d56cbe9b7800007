"""Sounds that were laid are found or missed, and what was heard besides is false; voices are held against the turns."""

from agent.evals.meetings.perception import perception
from store.record import Event, Turn
from tests.agent.evals.meetings.made import small

MADE = small()
TURNS = [Turn(t.t0, t.t1, f"SPEAKER_{t.speaker}") for t in MADE.world.turns]


def test_what_was_heard_rightly_has_no_fault() -> None:
    found = perception(MADE, TURNS, MADE.world.events)
    assert (found.voices, found.heard, found.error, found.false) == (3, 3, 0, ())
    assert all(sound.found for sound in found.sounds)


def test_a_label_that_the_words_mean_finds_a_sound_and_another_does_not() -> None:
    events = [Event(22_400, 23_000, "Dog", 0.9), Event(92_000, 95_000, "Music", 0.9)]
    bark, rain, *_ = perception(MADE, TURNS, events).sounds
    assert (bark.found, rain.found, rain.heard_as) == (True, False, ("Music",))


def test_a_sound_where_none_of_its_kind_lies_is_false() -> None:
    events = [*MADE.world.events, Event(300_000, 302_000, "Rain", 0.9), Event(310_000, 312_000, "Sneeze", 0.9)]
    assert perception(MADE, TURNS, events).false == ("person_sneeze", "rain")


def test_another_voice_is_confused() -> None:
    turns = [Turn(t.t0, t.t1, "one") for t in TURNS]
    found = perception(MADE, turns, [])
    assert (found.heard, round(found.confused, 3)) == (1, round(160 / 360, 3))
