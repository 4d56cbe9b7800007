"""Speech and silence are regions: how they begin, what they bridge, how long they last, what silence gives way to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from store.record import Event
from tools.events.recogniser import merge
from tools.events.regions import REGIONS, is_region, regions
from tools.events.windows import events

LABELS = ("Speech", "Narration, monologue", "Silence", "Music", "Piano", "Siren")
HOP = 480


def windows(count: int, **heard: dict[int, float]) -> NDArray[np.float32]:
    table = np.zeros((count, len(LABELS)), np.float32)
    for name, at in heard.items():
        for window, probability in at.items():
            table[window, LABELS.index(name)] = probability
    return table


def over(first: int, last: int, probability: float = 0.99) -> dict[int, float]:
    return dict.fromkeys(range(first, last), probability)


def found(table: NDArray[np.float32], start_ms: int = 0, end_ms: int = 10**9) -> list[tuple[str, int, int]]:
    """Give regions as label, first window, end."""
    sounds = events(table, LABELS, HOP, start_ms, end_ms)
    rows = regions(table, LABELS, HOP, start_ms, end_ms, sounds)
    return [(row.label, (row.t0 - start_ms) // HOP, -(-(row.t1 - start_ms) // HOP)) for row in rows]


def test_speech_is_one_region_over_a_breath_and_two_over_a_pause() -> None:
    assert found(windows(12, Speech={**over(1, 4), **over(6, 9)})) == [("Speech", 1, 9)]
    assert found(windows(12, Speech={**over(1, 4), **over(7, 9)})) == [("Speech", 1, 4), ("Speech", 7, 9)]


def test_speech_goes_on_below_where_it_begins() -> None:
    assert found(windows(8, Speech={**over(1, 3), **over(3, 6, 0.2)})) == [("Speech", 1, 6)]
    assert found(windows(8, Speech=over(1, 6, 0.2))) == []


def test_every_kind_of_speech_is_the_region_speech() -> None:
    assert found(windows(6, **{"Narration, monologue": over(0, 3), "Speech": over(2, 5)})) == [("Speech", 0, 5)]


@pytest.mark.parametrize(("count", "heard"), [(1, []), (2, [("Silence", 2, 4)])])
def test_silence_takes_two_windows(count: int, heard: list[tuple[str, int, int]]) -> None:
    assert found(windows(8, Silence=over(2, 2 + count))) == heard


def test_one_window_of_something_else_ends_a_silence() -> None:
    assert found(windows(9, Silence={**over(0, 4), **over(5, 9)})) == [("Silence", 0, 4), ("Silence", 5, 9)]


def test_silence_gives_way_to_speech_and_to_sounds() -> None:
    table = windows(12, Silence=over(0, 12), Speech=over(0, 4), Siren=over(8, 12))
    assert found(table) == [("Speech", 0, 4), ("Silence", 4, 8)]


def test_a_breath_inside_speech_is_no_silence() -> None:
    assert found(windows(8, Speech={**over(0, 3), **over(5, 8)}, Silence=over(3, 5))) == [("Speech", 0, 8)]


def test_music_under_speech_is_both_and_rests_for_four_windows() -> None:
    table = windows(14, Speech=over(2, 9), Music={**over(0, 5), **over(9, 14)}, Piano={**over(0, 5), **over(9, 14)})
    heard = events(table, LABELS, HOP, 0, 10**9)
    assert [(event.label, event.t0 // HOP, event.t1 // HOP) for event in heard] == [("Piano", 0, 14)]
    assert found(table) == [("Speech", 2, 9)]
    table[8:10, 3:5] = 0
    assert len(events(table, LABELS, HOP, 0, 10**9)) == 2


def test_regions_lie_at_the_stretch_and_end_with_it() -> None:
    table = windows(4, Silence=over(0, 4))
    assert regions(table, LABELS, HOP, 60_000, 61_700, []) == [Event(60_000, 61_700, "Silence", 0.99)]


@given(
    arrays(
        np.float32, st.tuples(st.integers(0, 30), st.just(len(LABELS))), elements=st.sampled_from([0, 0.125, 0.5, 1])
    )
)
def test_silence_lies_in_no_speech_and_no_sound_whatever_is_heard(table: NDArray[np.float32]) -> None:
    end = len(table) * HOP
    sounds = events(table, LABELS, HOP, 0, end)
    rows = regions(table, LABELS, HOP, 0, end, sounds)
    for silent in (row for row in rows if row.label == "Silence"):
        assert silent.t1 - silent.t0 >= 2 * HOP
        assert not any(row.t0 < silent.t1 and silent.t0 < row.t1 for row in (*rows, *sounds) if row is not silent)
    assert rows == sorted(rows, key=lambda row: (row.t0, row.label))
    assert {row.label for row in rows} <= REGIONS


def test_a_cut_parts_no_region_and_joins_no_silences_around_a_sound() -> None:
    speech, silence = Event(0, 960, "Speech", 0.9), Event(0, 960, "Silence", 0.9)
    after, touching = Event(1_440, 2_400, "Silence", 0.9), Event(960, 2_400, "Silence", 0.8)
    assert merge([speech, Event(1_440, 2_400, "Speech", 0.8)], 500) == [Event(0, 2_400, "Speech", 0.9)]
    assert merge([silence, after], 500) == [silence, after]
    assert merge([silence, touching], 500) == [Event(0, 2_400, "Silence", 0.9)]


def test_a_region_is_known_by_its_name_whoever_wrote_it() -> None:
    assert all(map(is_region, ("Speech", "silence", "SILENCE")))
    assert not any(map(is_region, ("Music", "Narration, monologue", "Speech synthesizer")))
