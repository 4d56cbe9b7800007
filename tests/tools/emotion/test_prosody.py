"""Prosody is measured from the sound: the pitch of a made voice, its syllables a second, its level."""

from dataclasses import astuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.emotion.prosody import RATE, prosody


def voice(pitch_hz: float, rate_hz: float, seconds: float = 3.0, gain: float = 0.1) -> NDArray[np.float32]:
    """Make a voice of ten harmonics whose level swings once a syllable, with faint noise under it."""
    t = np.arange(int(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * n * pitch_hz * t) / n for n in range(1, 11))
    swing = 0.55 - 0.45 * np.cos(2 * np.pi * rate_hz * t)
    noise = 1e-4 * np.random.default_rng(0).standard_normal(t.size)
    return (gain * tone * swing + noise).astype(np.float32)


@pytest.mark.parametrize("pitch_hz", [85.0, 120.0, 210.0, 330.0])
@pytest.mark.parametrize("rate_hz", [3.0, 5.0])
def test_pitch_and_rate_of_a_made_voice(pitch_hz: float, rate_hz: float) -> None:
    found = prosody(voice(pitch_hz, rate_hz))
    assert found is not None
    assert found.pitch_hz == pytest.approx(pitch_hz, rel=0.03)
    assert found.rate_hz == pytest.approx(rate_hz, abs=0.7)
    assert {type(value) for value in astuple(found)} == {float}


def test_twice_the_level_is_six_decibels_and_the_same_pitch_and_rate() -> None:
    soft, loud = prosody(voice(150, 4)), prosody(voice(150, 4, gain=0.2))
    assert soft is not None
    assert loud is not None
    assert loud.energy_db - soft.energy_db == pytest.approx(6.0, abs=0.1)
    assert (loud.pitch_hz, loud.rate_hz) == (soft.pitch_hz, soft.rate_hz)


@pytest.mark.parametrize("kind", ["empty", "short", "silence", "noise", "nan"])
def test_what_is_no_voice_is_not_measured(kind: str) -> None:
    noise = 0.1 * np.random.default_rng(1).standard_normal(RATE)
    made = {"empty": noise[:0], "short": noise[:600], "silence": noise * 0, "noise": noise, "nan": noise * np.nan}
    assert prosody(made[kind].astype(np.float32)) is None
