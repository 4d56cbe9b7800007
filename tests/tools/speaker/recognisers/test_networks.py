"""The shipped networks give what torch gave from the published checkpoints (scripts/export_speaker_networks.py)."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.media.audio import read
from tools.speaker.recognisers.networks import CLASSES, FRAMES, WINDOW, Networks, mel_energies

SAMPLE = Path(__file__).resolve().parents[3] / "data/speaker"
Array = NDArray[np.float32]


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


@pytest.fixture(scope="module")
def samples() -> Array:
    return read(SAMPLE / "two_voices.flac", 0, 10_000)


@pytest.fixture(scope="module")
def golden() -> dict[str, Array]:
    with np.load(SAMPLE / "golden.npz", allow_pickle=False) as kept:
        return dict(kept)


def test_segmentation_is_torch(networks: Networks, samples: Array, golden: dict[str, Array]) -> None:
    found = networks.activity(samples[None])
    assert found.shape == (1, FRAMES, 3)
    assert np.abs(found[0] - np.exp(golden["segments"]) @ CLASSES).max() < 1e-3


def test_voice_vectors_are_torch(networks: Networks, samples: Array, golden: dict[str, Array]) -> None:
    for part, wanted in zip((samples[:48_000], samples[80_000:]), golden["vectors"], strict=True):
        found = networks.voice(mel_energies(part))
        # float16 weights: 1e-3 of the unit vector's length, not of each number
        assert np.linalg.norm(found - wanted / np.linalg.norm(wanted)) < 2e-3


def test_a_batch_is_its_windows_one_by_one(networks: Networks, samples: Array) -> None:
    quiet = np.zeros(WINDOW, np.float32)
    both = networks.activity(np.stack([samples, quiet]))
    assert np.abs(both[0] - networks.activity(samples[None])[0]).max() < 1e-3
    assert both[1].max() < 0.5


def test_mel_energies_come_every_ten_milliseconds(samples: Array) -> None:
    assert mel_energies(samples[:16_000]).shape == (98, 80)
    assert mel_energies(samples[:100]).shape == (0, 80)


def test_mel_energies_do_not_depend_on_what_follows(samples: Array) -> None:
    assert np.allclose(mel_energies(samples[:16_000]), mel_energies(samples)[:98], atol=1e-4)
