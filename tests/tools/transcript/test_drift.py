"""A clock that runs late, early, fast or slow is found on the pauses of speech, and nothing without them."""

import json
from pathlib import Path

import numpy as np
import pytest

from store.record import Span
from tools.imports.rttm import read
from tools.transcript.drift import SURE, Drift, drift

SAMPLE = Path(__file__).parents[3] / "agent" / "evals" / "sample" / "truth.json"


def words(turns: list[Span], seed: int = 0) -> list[Span]:
    """Words of 0.3 s that fill turns, their edges off by some 50 ms."""
    rng = np.random.default_rng(seed)
    spans = [Span(at, min(at + 300, turn.t1)) for turn in turns for at in range(turn.t0, turn.t1 - 100, 330)]
    return [Span(max(0, s.t0 + int(rng.normal(0, 50))), s.t1 + int(rng.normal(0, 50))) for s in spans]


def on_clock(spans: list[Span], offset_ms: int, ppm: int) -> list[Span]:
    """Put spans on a clock from which `Drift(offset_ms, ppm)` leads back."""
    scale = 1 + ppm / 1e6
    moved = [Span(round((s.t0 - offset_ms) / scale), round((s.t1 - offset_ms) / scale)) for s in spans]
    return [span for span in moved if span.t0 >= 0 and span]


def talk(minutes: int, seed: int = 1) -> list[Span]:
    """Turns of a few seconds with pauses of about one, as people talk."""
    rng = np.random.default_rng(seed)
    turns, at = [], 1_000
    while at < minutes * 60_000:
        length = int(rng.lognormal(8, 0.7))
        turns.append(Span(at, at + length))
        at += length + 200 + int(rng.exponential(900))
    return turns


@pytest.mark.parametrize(
    ("offset_ms", "ppm"), [(2_000, 0), (-700, 0), (10_000, 0), (0, 5_000), (0, -10_000), (-4_000, 1_500)]
)
def test_a_planted_clock_is_found(offset_ms: int, ppm: int) -> None:
    turns = talk(12)
    spoken = words(turns)
    found = drift(on_clock(spoken, offset_ms, ppm), turns)
    assert found is not None
    assert found.margin >= SURE
    truth = Drift(offset_ms, ppm, 0, 0, 0)
    assert all(abs(found.moved(at) - truth.moved(at)) <= 200 for at in (0, turns[-1].t1))


def test_streams_that_agree_have_no_drift() -> None:
    turns = talk(12)
    found = drift(words(turns), turns)
    assert found is not None
    assert found.shift_ms(Span(0, turns[-1].t1)) < 200
    assert found.gain < 0.01


def test_an_hour_at_a_wrong_rate_are_followed_to_the_end() -> None:
    turns = talk(60)
    found = drift(on_clock(words(turns), 3_000, 2_500), turns)
    assert found is not None
    assert abs(found.moved(round(turns[-1].t1 / 1.0025)) - (round(turns[-1].t1 / 1.0025 * 1.0025) + 3_000)) <= 200


def test_speech_without_a_pause_fits_anywhere_and_is_no_reason_to_move_a_word() -> None:
    turns = [Span(0, 600_000)]
    found = drift(on_clock(words(turns), 5_000, 0), turns)
    assert found is None or found.margin < SURE


def test_streams_that_have_nothing_to_do_with_each_other_are_not_matched() -> None:
    found = drift(words(talk(12, 1)), talk(12, 2))
    assert found is not None
    assert found.margin < SURE


@pytest.mark.parametrize(("said", "heard"), [([], [Span(0, 90_000)]), ([Span(0, 90_000)], []), ([Span(0, 9)] * 3, [])])
def test_too_little_tells_nothing(said: list[Span], heard: list[Span]) -> None:
    assert drift(said, heard) is None


def test_the_sample_meeting_two_seconds_late() -> None:
    truth = json.loads(SAMPLE.read_text(encoding="utf-8"))["segments"]
    turns = [Span(round(row["start"] * 1000), round(row["end"] * 1000)) for row in truth]
    found = drift(on_clock(words(turns), -2_000, 0), turns)
    assert found is not None
    assert abs(found.moved(60_000) - 58_000) <= 200


def test_a_real_meeting_half_a_percent_fast(data: Path) -> None:
    text = (data / "ami_rttm" / "IS1008a.rttm").read_text(encoding="utf-8")
    turns = [Span(placed.row.t0, placed.row.t1) for placed in read(text).rows]
    found = drift(on_clock(words(turns), 0, 5_000), turns)
    assert found is not None
    assert found.margin >= SURE
    assert (abs(found.ppm - 5_000) <= 200, abs(found.offset_ms) <= 200) == (True, True)
