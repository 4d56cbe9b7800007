"""The pyannote adapter: unknown checkpoints are refused before anything is loaded, recorded outputs become turns."""

import hashlib
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pyannote.core import Annotation, Segment

from store.errors import DataError, MissingWeights
from store.record import Turn
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers import pyannote
from tools.speaker.recognisers.pyannote import Pyannote, check, halves

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
    backend = Pyannote(folder)
    with pytest.raises(DataError, match="--trust-model"):
        backend.hear(np.zeros(16_000, np.float32), 0)
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
    with pytest.raises(DataError, match="--trust-model"):
        check(folder)
    check(folder, trust_model=True)


def test_no_folder_names_the_backend_that_needs_none(tmp_path: Path) -> None:
    with pytest.raises(MissingWeights, match="`onnx` needs none"):
        Pyannote(tmp_path / "nothing").hear(np.zeros(16_000, np.float32), 0)


def test_one_stretch_keeps_the_pipelines_voices() -> None:
    recorded = output([(0.5, 2.0, "SPEAKER_01"), (1.5, 3.25, "SPEAKER_00"), (4, 5, "SPEAKER_01")], None)
    backend = Pyannote(pipeline=Recorded(recorded))
    heard = backend.hear(np.zeros(6 * 16_000, np.float32), 0)
    assert backend.turns([Voices.from_bytes(heard.to_bytes())]) == [
        Turn(500, 2000, "SPEAKER_00", 1.0),
        Turn(1500, 3250, "SPEAKER_01", 1.0),
        Turn(4000, 5000, "SPEAKER_00", 1.0),
    ]


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
