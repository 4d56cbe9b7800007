"""YAMNet hears real and made sounds, in the right place, and nothing but speech in speech."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.evals.sample.sounds import sound
from tools.audio import decode
from tools.events import recogniser
from tools.events.hierarchy import family
from tools.events.labels import emits
from tools.events.recogniser import EventRecogniser
from tools.events.recognisers.yamnet import YamNet, log_mel, mel_weights


@pytest.fixture(scope="module")
def ear(weights: Callable[[str], Path]) -> EventRecogniser:
    weights("yamnet")
    return recogniser.load("yamnet")


def samples(path: Path) -> NDArray[np.float32]:
    return np.concatenate(list(decode(path)))


def placed(name: str, at: float, seconds: float, total: float) -> NDArray[np.float32]:
    out = 0.0005 * np.random.default_rng(0).standard_normal(int(total * 16_000))
    made = 0.3 * sound(name, seconds)
    out[int(at * 16_000) :][: made.size] += made
    return out.astype(np.float32)


@pytest.mark.parametrize(
    ("name", "label"),
    [("siren", "Siren"), ("telephone", "Telephone"), ("alarm", "Fire alarm"), ("applause", "Applause")],
)
def test_a_made_sound_is_heard_within_a_second_of_its_place(ear: EventRecogniser, name: str, label: str) -> None:
    heard = [e for e in ear.hear(placed(name, 3.2, 4.0, 10.0), 60_000) if family(e.label) == family(label)]
    assert len(heard) == 1
    assert abs(heard[0].t0 - 63_200) <= 1_000
    assert abs(heard[0].t1 - 67_200) <= 1_000


def test_a_stretch_longer_than_a_block_is_heard_as_its_parts_are(weights: Callable[[str], Path]) -> None:
    weights("yamnet")
    network = YamNet()
    long = placed("telephone", 58.0, 5.0, 66.0)
    whole = network.probabilities(long)
    assert whole.shape == (138, 521)
    inner = network.probabilities(long[7_680 * 100 :])
    assert np.array_equal(whole[101:137], inner[1:37])


@pytest.mark.parametrize("size", [0, 1, 400, 7_680, 7_681])
def test_any_length_is_heard(ear: EventRecogniser, size: int) -> None:
    assert ear.hear(np.zeros(size, np.float32), 0) == []


def test_damaged_samples_do_no_harm(ear: EventRecogniser) -> None:
    assert ear.hear(np.full(32_000, np.nan, np.float32), 0) == []


def test_real_sounds_are_heard(ear: EventRecogniser, data: Path) -> None:
    for name, label in {"rooster": "Crowing, cock-a-doodle-doo", "dog_bark": "Bark"}.items():
        clips = sorted((data / "esc10" / name).glob("*.ogg"))[:4]
        found = [any(family(e.label) == family(label) for e in ear.hear(samples(clip), 0)) for clip in clips]
        assert sum(found) >= 3, name


def test_speech_alone_is_no_event(ear: EventRecogniser, data: Path) -> None:
    readers = sorted(path for path in (data / "librispeech").iterdir() if path.is_dir())[:4]
    for reader in readers:
        assert ear.hear(samples(min(p for p in reader.rglob("*") if p.is_file())), 0) == []


def test_the_mel_bands_are_triangles_between_125_and_7500_hertz() -> None:
    bands = mel_weights()
    hertz = np.linspace(0, 8_000, 257)
    assert bands.shape == (257, 64)
    assert not bands[(hertz < 125) | (hertz > 7_500)].any()
    assert np.all(np.diff(bands.argmax(axis=0)) >= 0)


def test_a_tone_peaks_in_its_band() -> None:
    tone = np.sin(2 * np.pi * 1_000 * np.arange(16_000) / 16_000).astype(np.float32)
    frames = log_mel(tone, mel_weights())
    assert frames.shape == (98, 64)
    low, high = np.array([1127 * np.log1p(hz / 700) for hz in (125, 7_500)])
    expected = (1127 * np.log1p(1_000 / 700) - low) / (high - low) * 65 - 1
    assert abs(int(frames.mean(axis=0).argmax()) - expected) <= 1


def test_its_labels_are_those_it_is_said_to_emit(ear: EventRecogniser) -> None:
    assert set(ear.labels) == emits()
    assert (ear.name, len(ear.labels)) == ("yamnet", len(set(ear.labels)))
