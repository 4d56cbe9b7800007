"""The pyannote adapter: unknown checkpoints are refused before anything is loaded, recorded outputs become turns."""

import hashlib
import json
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pyannote.core import Annotation, Segment

from store.errors import DataError, MissingWeights, UsageError
from store.record import Turn
from tools.provision.brought import PINS
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers import pyannote
from tools.speaker.recognisers.pyannote import Pyannote, check, halves, located

CONFIG = """version: 4.0.0
pipeline:
  name: pyannote.audio.pipelines.SpeakerDiarization
  params:
    segmentation: $model/segmentation
    embedding: $model/embedding
params:
  segmentation:
    min_duration_off: 0.0
"""


@dataclass
class DiarizeOutput:
    """The shape that pyannote.audio 4 returns."""

    speaker_diarization: Annotation
    exclusive_speaker_diarization: Annotation
    speaker_embeddings: NDArray[np.float32] | None


class Recorded:
    """Give recorded outputs in order."""

    def __init__(self, *outputs: DiarizeOutput) -> None:
        self.outputs = list(outputs)

    def __call__(self, samples: NDArray[np.float32]) -> DiarizeOutput:
        return self.outputs.pop(0)


def output(rows: list[tuple[float, float, str]], vectors: dict[str, int] | None) -> DiarizeOutput:
    made = Annotation()
    for index, (start, end, label) in enumerate(rows):
        made[Segment(start, end), index] = label
    rows_of = None if vectors is None else np.eye(4, 256, dtype=np.float32)[[vectors[name] for name in made.labels()]]
    return DiarizeOutput(made, made, rows_of)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "segmentation").mkdir()
    (tmp_path / "config.yaml").write_text(CONFIG)
    return tmp_path


class Canary:
    """A pickle that writes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.path), "w")


def test_an_unknown_checkpoint_is_refused_before_it_is_loaded(folder: Path) -> None:
    (folder / "segmentation/pytorch_model.bin").write_bytes(pickle.dumps(Canary(folder / "canary")))
    with pytest.raises(UsageError, match="--trust-model"):
        Pyannote(folder)
    assert not (folder / "canary").exists()
    assert "torch" not in sys.modules


def test_a_known_checkpoint_passes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "segmentation/pytorch_model.bin").write_bytes(b"published weights")
    monkeypatch.setitem(pyannote.KNOWN, hashlib.sha256(b"published weights").hexdigest(), "somebody/model")
    check(folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pyannote.audio.pipelines.SpeakerDiarization", "os.system"),
        ("$model/segmentation", "/tmp/elsewhere/model.bin"),
        ("$model/segmentation", "somebody/model"),
        ("$model/embedding", "$model/../../embedding"),
    ],
)
def test_a_configuration_that_points_elsewhere_is_refused(folder: Path, old: str, new: str) -> None:
    (folder / "config.yaml").write_text(CONFIG.replace(old, new))
    with pytest.raises(UsageError, match="--trust-model"):
        check(folder)
    check(folder, trust_model=True)


def test_the_hash_is_of_all_that_is_loaded(folder: Path) -> None:
    before = check(folder)
    (folder / "plda.npz").write_bytes(b"other numbers")
    assert check(folder) != before


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        ("EMPTY", MissingWeights, "--diarizer default needs none"),
        ("nonsense", UsageError, "neither a folder with a pyannote pipeline nor a hub name"),
        ("x" * 5_000, UsageError, "neither a folder with a pyannote pipeline nor a hub name"),
        ("a/" + "x" * 5_000, UsageError, "neither a folder with a pyannote pipeline nor a hub name"),
        (
            "nobody/pipeline",
            MissingWeights,
            "with a token in HF_TOKEN run `overheard models pull nobody/pipeline",
        ),
        (None, MissingWeights, "pyannote/speaker-diarization-community-1 is not on this machine"),
    ],
)
def test_what_is_not_here_is_one_line_that_says_what_would_work(
    model: str | None, error: type[Exception], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path / "models"))
    with pytest.raises(error, match=said) as told:
        Pyannote(str(tmp_path) if model == "EMPTY" else model)
    assert "\n" not in str(told.value)


def test_a_pipeline_that_was_pulled_is_trusted_while_it_is_what_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))
    pulled = tmp_path / "someone--pipeline"
    pulled.mkdir()
    (pulled / "config.yaml").write_text(CONFIG)
    (pulled / PINS).write_text(json.dumps({"config.yaml": hashlib.sha256(CONFIG.encode()).hexdigest()}))
    assert located("someone/pipeline") == (pulled, True)
    (pulled / "config.yaml").write_text(CONFIG + "#")
    with pytest.raises(DataError, match="is not what was pulled"):
        located("someone/pipeline")


def test_one_stretch_keeps_the_pipelines_voices() -> None:
    recorded = output([(0.5, 2.0, "SPEAKER_01"), (1.5, 3.25, "SPEAKER_00"), (4, 5, "SPEAKER_01")], None)
    backend = Pyannote(pipeline=Recorded(recorded))
    heard = backend.hear(np.zeros(6 * 16_000, np.float32), 0)
    assert backend.turns([Voices.from_bytes(heard.to_bytes())]) == [
        Turn(500, 2000, "SPEAKER_00", 1.0),
        Turn(1500, 3250, "SPEAKER_01", 1.0),
        Turn(4000, 5000, "SPEAKER_00", 1.0),
    ]


def test_both_outputs_are_kept_and_one_is_chosen() -> None:
    whole = output([(0, 4, "A"), (3, 6, "B")], {"A": 0, "B": 1})
    foremost = output([(0, 3.5, "A"), (3.5, 6, "B")], None)
    recorded = DiarizeOutput(whole.speaker_diarization, foremost.speaker_diarization, whole.speaker_embeddings)
    heard = Pyannote(pipeline=Recorded(recorded)).hear(np.zeros(6 * 16_000, np.float32), 0)
    kept = Voices.from_bytes(heard.to_bytes())
    assert [(t.t0, t.t1) for t in Pyannote(pipeline=Recorded()).turns([kept])] == [(0, 4000), (3000, 6000)]
    one = Pyannote(pipeline=Recorded(), exclusive=True).turns([kept])
    assert [(t.t0, t.t1) for t in one] == [(0, 3500), (3500, 6000)]
    assert kept.arrays["vectors"].shape == (2, 256)


def test_voices_are_linked_across_stretches_by_their_vectors() -> None:
    first = output([(0, 9, "SPEAKER_00"), (9, 12, "SPEAKER_01")], {"SPEAKER_00": 0, "SPEAKER_01": 1})
    second = output([(0, 6, "SPEAKER_00"), (6, 10, "SPEAKER_01")], {"SPEAKER_00": 1, "SPEAKER_01": 2})
    backend = Pyannote(pipeline=Recorded(first, second))
    heard = [
        backend.hear(np.zeros(12 * 16_000, np.float32), 0),
        backend.hear(np.zeros(10 * 16_000, np.float32), 10_000),
    ]
    assert halves(heard) == [(0, 11_000), (11_000, 20_000)]
    assert backend.turns(heard) == [
        Turn(0, 9000, "SPEAKER_00", 1.0),
        Turn(9000, 11_000, "SPEAKER_01", 1.0),
        Turn(11_000, 16_000, "SPEAKER_01", 1.0),
        Turn(16_000, 20_000, "SPEAKER_02", 1.0),
    ]


def test_a_voice_without_a_vector_is_its_own() -> None:
    recorded = output([(0, 3, "A"), (3, 6, "B")], {"A": 0, "B": 1})
    assert recorded.speaker_embeddings is not None
    recorded.speaker_embeddings[1] = np.nan
    backend = Pyannote(pipeline=Recorded(recorded))
    heard = backend.hear(np.zeros(6 * 16_000, np.float32), 0)
    assert np.isfinite(heard.arrays["vectors"]).all()
    assert [turn.speaker for turn in backend.turns([heard], max_speakers=5)] == ["SPEAKER_00", "SPEAKER_01"]


def test_silence_has_no_turns() -> None:
    backend = Pyannote(pipeline=Recorded(output([], {})))
    assert backend.turns([backend.hear(np.zeros(16_000, np.float32), 0)]) == []
