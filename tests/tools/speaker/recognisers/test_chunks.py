"""Chunks: every frame is where its sound is, each chunk is heard once, and the last one is heard with what precedes."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.media.audio import read
from tools.speaker.recognisers.chunks import CHUNK, LEAST, Chunks
from tools.speaker.recognisers.networks import Networks, mel_energies

SAMPLE = Path(__file__).resolve().parents[3] / "data/speaker/two_voices.flac"
Array = NDArray[np.float32]


class Echo(Networks):
    """Gives every second mel energy back, so that a frame tells where it was heard."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths: list[int] = []

    def frames(self, mel: Array) -> Array:
        self.lengths.append(len(mel))
        return np.repeat(mel[::2, :1], 512, 1)


def numbered(count: int) -> Array:
    return np.repeat(np.arange(count, dtype=np.float32)[:, None], 80, 1)


@pytest.mark.parametrize("count", [LEAST, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7, 3 * CHUNK + 500])
def test_frames_lie_where_their_sound_is(count: int) -> None:
    networks = Echo()
    chunks = Chunks(networks, numbered(count))
    for begin in range(0, count * 160, 40_000):
        frames, middles = chunks.between(begin, begin + 160_000)
        assert frames.shape == (len(middles), 512)
        assert (middles == frames[:, 0] * 160 + 200).all()
        assert ((middles >= begin) & (middles < begin + 160_000)).all()
    whole, middles = Chunks(Echo(), numbered(count)).between(0, count * 160 + 400)
    assert len(whole) == count // 2
    assert networks.lengths == [min(count, CHUNK)] * -(-(count // 2) // (CHUNK // 2))


@pytest.mark.parametrize("count", [0, 1, LEAST - 1])
def test_too_little_sound_has_no_frames(count: int) -> None:
    networks = Echo()
    frames, middles = Chunks(networks, numbered(count)).between(0, 160_000)
    assert frames.shape == (0, 512)
    assert not len(middles)
    assert not networks.lengths


def test_a_chunk_pooled_whole_is_the_network_s_vector() -> None:
    networks = Networks()
    mel = np.random.default_rng(1).normal(size=(400, 80)).astype(np.float32)
    frames, _ = Chunks(networks, mel).between(0, 400 * 160 + 400)
    assert np.allclose(networks.vector(frames), networks.voice(mel), atol=1e-5)


def test_half_a_second_is_told_apart_better_among_what_surrounds_it_than_alone() -> None:
    networks = Networks()
    mel = mel_energies(read(SAMPLE, 0, 10_000))
    frames, _ = Chunks(networks, mel).between(0, 160_000)
    half = len(frames) // 2
    voices = [networks.vector(frames[:half]), networks.vector(frames[half:])]
    margins: dict[str, list[float]] = {"alone": [], "among": []}
    for begin in range(0, len(frames) - 25, 25):
        own, other = voices[begin >= half], voices[begin < half]
        spoken = mel[2 * begin : 2 * begin + 50]
        for how, vector in (("alone", networks.voice(spoken)), ("among", networks.vector(frames[begin : begin + 25]))):
            margins[how].append(float(vector @ own - vector @ other))
    assert np.mean(margins["among"]) > np.mean(margins["alone"])
    assert min(margins["among"]) > min(margins["alone"])
