"""Samples as files: decoded again they are the samples, exactly where nothing is compressed away."""

from pathlib import Path

import numpy as np
import pytest

from tools.media import audio
from tools.media.encoder import BYTES_A_SECOND, FORMATS, Format, encoded


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("length", [16_000, 16_000 * 3 + 345])
def test_a_file_holds_the_samples(form: Format, length: int, tmp_path: Path) -> None:
    samples = (0.3 * np.sin(np.arange(length) / 9)).astype(np.float32)
    path = tmp_path / f"sound.{form}"
    path.write_bytes(encoded(samples, form))
    heard = audio.read(path, 0, 60_000)
    if form == "mp3":
        assert abs(len(heard) - length) < 1_600
        assert np.corrcoef(heard[800 : length - 800], samples[800 : length - 800])[0, 1] > 0.99
    else:
        assert np.abs(heard - samples).max() < 2 / 32_768


def test_what_is_too_loud_is_cut_and_wraps_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "loud.wav"
    path.write_bytes(encoded(np.array([2.0, -2.0, 1.0, -1.0] * 400, np.float32), "wav"))
    heard = audio.read(path, 0, 1_000)
    assert (heard[::2] > 0.99).all()
    assert (heard[1::2] < -0.99).all()


@pytest.mark.parametrize("form", ["wav", "mp3"])
def test_sizes_are_as_told(form: Format) -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, 16_000 * 20).astype(np.float32)
    assert len(encoded(noise, form)) == pytest.approx(20 * BYTES_A_SECOND[form], rel=0.02)
