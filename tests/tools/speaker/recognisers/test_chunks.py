"""Chunks: every frame is where its sound is, each chunk is heard once, and the last one is heard with what precedes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.speaker.recognisers.chunks import CHUNK, LEAST, Chunks
from tools.speaker.recognisers.networks import Networks

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
