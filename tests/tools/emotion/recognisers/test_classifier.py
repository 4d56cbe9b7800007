"""A classifier that somebody brings: its classes become our words, and what it is not is told before it hears."""

import json
from pathlib import Path

import numpy as np
import pytest

from store.errors import DataError, UsageError
from store.record import Turn
from tests.tools import tiny_onnx
from tools.emotion import recogniser
from tools.emotion.labels import UNCLEAR
from tools.emotion.recognisers.classifier import Classifier
from tools.emotion.recognisers.onnx import normalised

LABELS = {"0": "neu", "1": "Angry", "2": "irritated", "3": "LABEL_3"}
RNG = np.random.default_rng(0)


def folder(path: Path, *, weights: list[float] | None = None, **config: object) -> Path:
    """Make a folder whose network gives `ang` for loud sounds and `neu` for quiet ones."""
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps({"id2label": LABELS} | config))
    (path / "preprocessor_config.json").write_text(json.dumps({"sampling_rate": 16_000, "do_normalize": False}))
    tiny_onnx.write(path / "model.onnx", weights or [0, 200, 200, 0], [4, 0, 0, 0])
    return path


def load(path: Path) -> Classifier:
    made = recogniser.load(str(path), None, trust_model=True)
    assert isinstance(made, Classifier)
    return made


def noise(seconds: float, loud: float) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return (loud * RNG.standard_normal(int(seconds * 16_000))).astype(np.float32)


def test_a_turn_is_named_by_its_own_sound_and_its_classes_are_summed_by_meaning(tmp_path: Path) -> None:
    made = load(folder(tmp_path / "mine"))
    sound = np.concatenate([noise(3, 0.01), noise(3, 0.3)])
    quiet, loud = made.emotions(None, 60_000, 0, [Turn(60_000, 63_000, "A"), Turn(63_000, 66_000, "B")], sound)
    assert (quiet.t0, quiet.t1, quiet.speaker, quiet.label) == (60_000, 63_000, "A", "neutral")
    assert loud.label == "anger"
    assert loud.score == pytest.approx(1, abs=0.01)
    labels = ("neutral", "anger", "LABEL_3")
    assert made.labels == labels
    assert sum(quiet.scores[label] for label in labels) == pytest.approx(1, abs=0.001)


def test_the_stream_says_which_model_heard_it(tmp_path: Path) -> None:
    made = load(folder(tmp_path / "mine"))
    assert made.name == f"mine@{str(made.sha256)[:12]}"
    assert made.version.startswith("onnxruntime-")
    assert (made.shares, made.health) == (False, None)


def test_what_cannot_be_told_is_not_named(tmp_path: Path) -> None:
    made = load(folder(tmp_path / "mine", weights=[0, 0, 0, 0]))
    torn = load(folder(tmp_path / "torn", weights=[0, 0, 0, 40]))
    turns = [Turn(0, 1_500, "A"), Turn(2_000, 6_000, "A"), Turn(2_500, 6_000, "B"), Turn(6_000, 6_500, "C")]
    sound = noise(8, 0.316)
    assert [row.label for row in made.emotions(None, 0, 0, turns, sound)] == [UNCLEAR] * 3  # one short, two covered
    assert torn.emotions(None, 0, 0, [Turn(0, 4_000, "A")], sound)[0].label == UNCLEAR  # 4 against 4


def test_damaged_sound_is_silence_and_none_is_refused(tmp_path: Path) -> None:
    made = load(folder(tmp_path / "mine"))
    (row,) = made.emotions(None, 0, 0, [Turn(0, 3_000, "A")], np.full(48_000, np.nan, np.float32))
    assert row.label == "neutral"
    with pytest.raises(DataError, match="hears the sound"):
        made.emotions(None, 0, 0, [Turn(0, 3_000, "A")])


def test_weights_that_could_do_harm_are_heard_on_the_users_word_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nobody vouches for .*model\.onnx .*add --trust-model"):
        recogniser.load(str(folder(tmp_path / "mine")), None)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("config.json", '{"problem_type": "regression", "id2label": {"0": "a", "1": "b"}}', "no classifier"),
        ("config.json", "{}", "no id2label"),
        ("config.json", '{"id2label": {"0": "neu", "2": "ang"}}', "lacks the class 1"),
        ("config.json", "[]", "no JSON object"),
        ("config.json", "{", "no JSON"),
        ("preprocessor_config.json", '{"sampling_rate": 8000}', "hears sound of 8000 Hz"),
        ("model.onnx", "no network", "cannot be read"),
    ],
)
def test_what_is_no_classifier_of_speech_is_one_line(file: str, content: str, said: str, tmp_path: Path) -> None:
    (folder(tmp_path / "mine") / file).write_text(content)
    with pytest.raises(DataError, match=said) as told:
        load(tmp_path / "mine")
    assert "\n" not in str(told.value)


def test_a_network_of_spectra_is_refused(tmp_path: Path) -> None:
    tiny_onnx.write(folder(tmp_path / "mine") / "model.onnx", [0, 1, 1, 0], [1, 0, 0, 0], rank=3)
    with pytest.raises(DataError, match="wants input_values, not samples"):
        load(tmp_path / "mine")


def test_a_network_with_other_classes_than_its_labels_is_told(tmp_path: Path) -> None:
    tiny_onnx.write(folder(tmp_path / "mine") / "model.onnx", [0, 1], [1, 0])
    with pytest.raises(DataError, match="gave 2 numbers for 4 labels"):
        load(tmp_path / "mine").scores(noise(1, 0.1))


def test_samples_are_normalised_as_wav2vec2_does() -> None:
    made = normalised(noise(2, 0.2) + np.float32(0.5))
    assert float(made.mean()) == pytest.approx(0, abs=1e-4)
    assert float(made.std()) == pytest.approx(1, abs=1e-3)
    assert np.isfinite(normalised(np.zeros(100, np.float32))).all()
