"""Windows become events: one row for one sound, the most specific label, several unrelated sounds at once."""

import numpy as np
import pytest
from numpy.typing import NDArray

from store.record import Event
from tools.events.thresholds import Thresholds
from tools.events.windows import events, is_event

LABELS = (
    "Speech",
    "Silence",
    "Animal",
    "Dog",
    "Bark",
    "Alarm",
    "Siren",
    "Telephone",
    "Fire alarm",
    "Smoke detector, smoke alarm",
)


def windows(count: int, **heard: dict[int, float]) -> NDArray[np.float32]:
    table = np.zeros((count, len(LABELS)), np.float32)
    for name, at in heard.items():
        for window, probability in at.items():
            table[window, LABELS.index(name.replace("_", " "))] = probability
    return table


def found(table: NDArray[np.float32], start_ms: int = 0, end_ms: int = 10**9) -> list[Event]:
    return events(table, LABELS, 480, start_ms, end_ms)


def steady(probability: float, *at: int) -> dict[int, float]:
    return dict.fromkeys(at, probability)


def test_the_most_specific_label_wins_over_its_ancestors() -> None:
    table = windows(4, Animal=steady(0.98, 1, 2), Dog=steady(0.9, 1, 2), Bark=steady(0.6, 1, 2))
    assert found(table) == [Event(480, 1440, "Bark", 0.6)]


def test_an_ancestor_stands_when_nothing_below_is_heard() -> None:
    assert found(windows(4, Animal=steady(0.9, 1, 2))) == [Event(480, 1440, "Animal", 0.9)]


def test_silence_and_speech_are_no_events_and_hide_none() -> None:
    table = windows(4, Silence=steady(0.99, 0, 1, 2, 3), Speech=steady(1.0, 0, 1, 2, 3), Siren=steady(0.6, 1, 2))
    assert [event.label for event in found(table)] == ["Siren"]


def test_one_sound_with_two_names_of_a_family_is_one_row() -> None:
    table = windows(4, Fire_alarm=steady(0.9, 0, 1, 2), Alarm=steady(0.9, 0, 1, 2))
    table[:3, LABELS.index("Smoke detector, smoke alarm")] = 0.8
    assert [event.label for event in found(table)] == ["Fire alarm"]


def test_two_strong_sounds_at_once_are_two_rows() -> None:
    table = windows(4, Siren=steady(0.9, 0, 1, 2), Dog=steady(0.8, 0, 1, 2), Telephone=steady(0.9, 1, 2, 3))
    assert [event.label for event in found(table)] == ["Dog", "Siren", "Telephone"]


def test_a_weak_signal_inside_a_strong_one_is_the_same_signal() -> None:
    table = windows(6, Siren=steady(0.95, 0, 1, 2, 3, 4), Telephone={2: 0.6, 3: 0.3})
    assert [event.label for event in found(table)] == ["Siren"]


def test_a_pause_is_bridged_up_to_two_windows_and_an_ancestor_bridges_more() -> None:
    assert len(found(windows(9, Siren=steady(0.9, 0, 1, 4, 5)))) == 1
    assert len(found(windows(9, Siren=steady(0.9, 0, 1, 5, 6)))) == 2
    assert len(found(windows(9, Siren=steady(0.9, 0, 1, 5, 6), Alarm=steady(0.9, 2, 3, 4)))) == 1


@pytest.mark.parametrize(("probability", "heard"), [(0.5, False), (0.82, True)])
def test_one_window_alone_must_be_sure(probability: float, heard: bool) -> None:
    assert bool(found(windows(5, Siren={2: probability}))) is heard


def test_a_family_with_a_threshold_of_its_own_is_heard_from_there() -> None:
    table = windows(6, Dog=steady(0.3, 1, 2), Siren=steady(0.3, 1, 2))
    table[3, LABELS.index("Dog")] = 0.03
    limits = Thresholds(families={"Dog": 0.2})
    assert [(e.label, e.t0, e.t1) for e in events(table, LABELS, 480, 0, 10**9, limits)] == [("Dog", 480, 1920)]
    assert events(table, LABELS, 480, 0, 10**9, Thresholds(families={})) == []


def test_times_start_at_the_stretch_and_end_with_it() -> None:
    table = windows(3, Siren=steady(0.9, 1, 2))
    assert found(table, start_ms=60_000, end_ms=61_200) == [Event(60_480, 61_200, "Siren", 0.9)]
    assert found(table, start_ms=0, end_ms=480) == []


def test_no_windows_no_events() -> None:
    assert found(windows(0)) == []


def test_vocal_sounds_are_events() -> None:
    assert all(map(is_event, ("Laughter", "Shout", "Crying, sobbing", "Screaming", "Sigh")))
