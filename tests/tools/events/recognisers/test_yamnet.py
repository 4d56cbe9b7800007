"""YAMNet hears real and made sounds, in the right place, and nothing but speech in speech."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.evals.sample.sounds import sound
from tools.events import recogniser
from tools.events.hierarchy import family
from tools.events.labels import emits, resolve
from tools.events.recogniser import EventRecogniser
from tools.events.recognisers.sounds_head import AROUND
from tools.events.recognisers.yamnet import IN_SCALE, IN_ZERO, OUT_SCALE, OUT_ZERO, YamNet, log_mel, mel_weights
from tools.events.regions import REGIONS, SILENCE, SPEECH
from tools.media.audio import decode


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
    own = slice(1 + AROUND, 37 - AROUND)  # at its ends a part is heard with less around it
    assert np.allclose(whole[100:][own], inner[own], atol=1e-6)


def test_no_product_overflows_on_any_processor(weights: Callable[[str], Path]) -> None:
    """As computed without any fusing into products of bytes: on average within half a step of the output."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    plain = onnxruntime.InferenceSession(weights("yamnet") / "model.onnx", options, ["CPUExecutionProvider"])
    network, rng, steps = YamNet(headed=False), np.random.default_rng(3), []
    for loudness in (0.001, 0.05, 0.9):
        made = (loudness * rng.standard_normal(2 * 16_000)).astype(np.float32)
        for patch, row in zip(network._patches(made), network.probabilities(made), strict=True):
            levels = np.clip(np.round(patch / IN_SCALE + IN_ZERO), 0, 255).astype(np.uint8)
            (scores,) = plain.run(None, {"audio": levels[None, None]})
            exact = 1 / (1 + np.exp(-OUT_SCALE * (scores[0].astype(float) - OUT_ZERO)))
            steps += [np.abs(np.log(row / (1 - row)) - np.log(exact / (1 - exact))) / OUT_SCALE]
    assert np.mean(steps) <= 0.5


@pytest.mark.parametrize("size", [0, 1, 400, 7_680, 7_681])
def test_any_length_is_heard(ear: EventRecogniser, size: int) -> None:
    heard = ear.hear(np.zeros(size, np.float32), 0)
    assert [(event.label, event.t0, event.t1) for event in heard] == (
        [("Silence", 0, size * 1000 // 16_000)] if size > 7_680 else []
    )


def test_damaged_samples_are_silence(ear: EventRecogniser) -> None:
    heard = ear.hear(np.full(32_000, np.nan, np.float32), 0)
    assert [(event.label, event.t0, event.t1) for event in heard] == [("Silence", 0, 2_000)]


def test_real_sounds_are_heard(ear: EventRecogniser, data: Path) -> None:
    for name, label in {"rooster": "Crowing, cock-a-doodle-doo", "dog_bark": "Bark"}.items():
        clips = sorted((data / "esc10" / name).glob("*.ogg"))[:4]
        found = [any(family(e.label) == family(label) for e in ear.hear(samples(clip), 0)) for clip in clips]
        assert sum(found) >= 3, name


def test_speech_alone_is_speech_and_pauses_and_no_sound(ear: EventRecogniser, data: Path) -> None:
    readers = sorted(path for path in (data / "librispeech").iterdir() if path.is_dir())[:4]
    for reader in readers:
        read = samples(min(p for p in reader.rglob("*") if p.is_file()))
        heard = ear.hear(read, 0)
        assert {event.label for event in heard} <= REGIONS
        spoken = sum(event.t1 - event.t0 for event in heard if event.label == SPEECH)
        assert spoken >= 0.6 * read.size / 16


@pytest.mark.parametrize("seed", range(3))
def test_a_reading_between_silences_over_which_music_sets_in(ear: EventRecogniser, data: Path, seed: int) -> None:
    """Speech, silence and music are told within a second, music under speech too, and silence lies in neither."""
    reader = sorted(path for path in (data / "librispeech").iterdir() if path.is_dir())[seed]
    voice = samples(min(reader.glob("*.flac")))[: 8 * 16_000]
    rng = np.random.default_rng(seed)
    made = np.zeros(30 * 16_000, dtype=np.float32) + 3e-4 * rng.standard_normal(30 * 16_000).astype(np.float32)
    made[5 * 16_000 :][: voice.size] += voice * (0.07 / np.sqrt((voice**2).mean()))
    made[16 * 16_000 :][: 10 * 16_000] += 0.2 * sound("violin", 10.0).astype(np.float32)
    heard = ear.hear(made, 0)
    silent = [event for event in heard if event.label == SILENCE]
    spoken = [event for event in heard if event.label == SPEECH and event.t1 - event.t0 > 2_000]
    music = [event for event in heard if event.label in resolve("music")]
    assert abs(spoken[0].t0 - 5_000) <= 1_000
    assert abs(spoken[-1].t1 - 13_000) <= 1_500
    assert abs(music[0].t0 - 16_000) <= 1_000
    assert abs(music[-1].t1 - 26_000) <= 1_000
    assert silent[0].t0 == 0
    assert all(one.t1 <= other.t0 or other.t1 <= one.t0 for one in silent for other in (*spoken, *music))
    assert sum(event.t1 - event.t0 for event in silent) >= 9_000


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
    assert set(ear.labels) == emits() | REGIONS
    assert (ear.name, len(ear.labels)) == ("yamnet", len(set(ear.labels)))
