"""Vectors of passages: parted where the voice changes unheard, like their own voice, unlike the other."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.media.audio import read
from tools.speaker.recognisers.networks import FRAME, RATE, Networks, mel_energies
from tools.speaker.recognisers.vectors import Parting, Sound

SAMPLE = Path(__file__).resolve().parents[3] / "data/speaker/two_voices.flac"
Array = NDArray[np.float32]
CHANGE = 5 * RATE // FRAME  # frames; the sample has one voice before, another after


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


@pytest.fixture(scope="module")
def mel() -> Array:
    return mel_energies(read(SAMPLE, 0, 10_000))


def test_two_voices_in_one_passage_are_parted(networks: Networks, mel: Array) -> None:
    frames = np.arange(150, 450)
    parts = Sound(networks, mel, Parting(longest=60)).parted(frames)
    assert np.concatenate(parts).tolist() == frames.tolist()
    assert min(abs(int(part[0]) - CHANGE) for part in parts[1:]) <= 15
    assert all(len(part) * FRAME / RATE > 0.75 for part in parts)


def test_long_passages_are_parted_and_short_ones_are_not(networks: Networks, mel: Array) -> None:
    sound = Sound(networks, mel, Parting(unlike=-1, longest=2))
    parts = sound.parted(np.arange(20, 280))
    assert all(one[-1] + 1 == two[0] for one, two in pairwise(parts))
    assert max(len(part) for part in parts) * FRAME / RATE < 2.05
    assert len(sound.parted(np.arange(20, 110))) == 1


def test_a_passage_is_like_its_voice_and_unlike_the_other(networks: Networks, mel: Array) -> None:
    sound = Sound(networks, mel, Parting())
    one, two, three, four = (sound.vector(np.arange(begin, begin + 100)) for begin in (30, 150, 330, 450))
    assert one is not None
    assert two is not None
    assert three is not None
    assert four is not None
    assert abs(float(np.linalg.norm(one)) - 1) < 1e-5
    assert min(float(one @ two), float(three @ four)) > max(float(one @ three), float(two @ four)) + 0.3


def test_too_little_sound_has_no_vector(networks: Networks, mel: Array) -> None:
    sound = Sound(networks, mel, Parting())
    assert sound.vector(np.arange(100, 105)) is None
    assert sound.alone(np.arange(100, 110)) is None
