"""Made meetings are the same again, hold what their truth says, and use one half of readers, sounds and timelines."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.evals.meetings.asking import Asking
from agent.evals.meetings.meeting import read
from agent.evals.meetings.perception import perception
from agent.library import Library
from scripts import measure_meetings
from scripts.make_meetings import Knobs, make, write
from scripts.meeting_seats import LEAST_TALK_MS, moved, ranked, seated, timelines
from scripts.speaker_cases import reader_files
from store.record import Turn
from tools.media.audio import RATE

LOUD = Knobs("development", kinds=(2, 2), every_s=10, snr_db=(10, 10))


@pytest.fixture(scope="module")
def minute(data: Path) -> tuple[np.ndarray, dict[str, Any]]:
    return make(data, 1, 5, LOUD)


def test_the_same_seed_gives_the_same_meeting(data: Path, minute: tuple[np.ndarray, dict[str, Any]]) -> None:
    samples, truth = make(data, 1, 5, LOUD)
    assert truth == minute[1]
    assert np.array_equal(samples, minute[0])


def test_every_sound_is_apart_and_stands_out(minute: tuple[np.ndarray, dict[str, Any]]) -> None:
    samples, truth = minute
    sounds = truth["events"]
    assert len({sound["kind"] for sound in sounds}) == 2
    assert all(after["start"] - before["end"] >= 8 for before, after in pairwise(sounds))
    for sound in sounds:
        inside = samples[round(sound["start"] * RATE) : round(sound["end"] * RATE)]
        assert np.abs(inside).max() > 0.01
        spoken = [t for t in truth["turns"] if t["start"] < sound["end"] and sound["start"] < t["end"]]
        assert (sound["over_speech"] > 0) == bool(spoken)
    assert np.abs(samples).max() <= 1


def test_voices_are_readers_of_the_half(data: Path, minute: tuple[np.ndarray, dict[str, Any]]) -> None:
    speakers = {turn["speaker"] for turn in minute[1]["turns"]}
    assert speakers == set(minute[1]["readers"].values())
    assert speakers <= set(reader_files(data, "development"))
    assert not speakers & set(reader_files(data, "test"))


def test_halves_share_no_timeline(data: Path) -> None:
    halves = [set(timelines(data, part)) for part in ("development", "test")]
    assert min(map(len, halves)) > 30
    assert not halves[0] & halves[1]


@pytest.mark.parametrize("seed", range(5))
def test_an_hour_keeps_its_cast(data: Path, seed: int) -> None:
    seats = seated(timelines(data, "development"), 3_600_000, np.random.default_rng(seed))
    assert 2 <= len(seats.names) <= 10
    assert 3_500_000 < max(turn.t1 for turn in seats.turns) <= 3_600_000
    for name in seats.names:
        assert sum(turn.t1 - turn.t0 for turn in seats.turns if turn.speaker == name) >= LEAST_TALK_MS


def test_who_talks_most_sits_first() -> None:
    turns = [Turn(5_000, 6_000, "b"), Turn(6_000, 9_000, "a"), Turn(9_500, 10_000, "b")]
    assert ranked(turns) == ["a", "b"]
    assert list(moved(turns, 100)) == [
        Turn(100, 1_100, "seat 02"), Turn(1_100, 4_100, "seat 01"), Turn(4_600, 5_100, "seat 02"),
    ]  # fmt: skip


def test_a_made_meeting_is_heard_end_to_end(data: Path, weights: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("whisper-base", "yamnet"):
        weights(name)
    meeting = read(write(tmp_path, data, 0.5, 5, LOUD))
    library = Library(tmp_path / "heard")
    recording = measure_meetings.heard(library, meeting.audio)
    asking = Asking(meeting, library, recording.public_id, tmp_path / "truth")
    rows = asking.heard()
    found = perception(meeting, rows.turns, rows.events)
    assert any(sound.found for sound in found.sounds)
    assert found.error is not None
    assert found.error < 0.5
    assert {one.record.minutes for one in asking.answered()} == {0.5}
    assert measure_meetings.heard(library, meeting.audio) == recording
