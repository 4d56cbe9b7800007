"""pyannote.audio 4 (extra `audio`) with a pipeline folder the user brings.

Its checkpoints are pickles that run code when they are loaded, so every one is compared with a list of published hashes
and the configuration may name only pyannote's classes and files of the folder, before anything is imported or loaded.
The pipeline names voices within a stretch; across stretches its vectors are clustered here.
"""

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError, MissingWeights
from store.record import Turn
from tools.models import home
from tools.speaker.recogniser import Voices, labelled
from tools.speaker.recognisers.clustering import Bounds, cluster

Array = NDArray[np.float32]
DIMENSIONS = 256  # of the vectors of pyannote's own pipelines
PICKLES = (".bin", ".ckpt", ".pt", ".pth", ".pkl")
# Published checkpoints, the same hash in many unrelated repositories.
KNOWN = {
    "da85c29829d4002daedd676e012936488234d9255e65e86dfab9bec6b1729298": "pyannote/segmentation-3.0",
    "366edf44f4c80889a3eb7a9d7bdf02c4aede3127f7dd15e274dcdb826b143c56": "pyannote/wespeaker-voxceleb-resnet34-LM",
}
QUIET = {"PYANNOTE_METRICS_ENABLED": "0", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}


class Diarization(Protocol):
    """What the pipeline gives: an annotation, and one vector for each of its labels in sorted order, or None."""

    speaker_diarization: Any
    speaker_embeddings: Any


class Pyannote:
    """Speaker turns of a local pyannote pipeline."""

    name = "pyannote"
    version = "4.1"

    def __init__(
        self,
        folder: Path | None = None,
        *,
        trust_model: bool = False,
        similarity: float = 0.5,
        pipeline: Callable[[Array], Diarization] | None = None,
    ) -> None:
        self._folder = folder or home() / "pyannote"
        self._trust = trust_model
        self._similarity = similarity
        self._pipeline = pipeline

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Run the pipeline on one stretch."""
        self._pipeline = self._pipeline or load(self._folder, self._trust)
        found = self._pipeline(samples)
        labels = list(found.speaker_diarization.labels())
        tracks = found.speaker_diarization.itertracks(yield_label=True)
        rows = [(span.start, span.end, labels.index(label)) for span, _, label in tracks]
        times = np.array([(start, end) for start, end, _ in rows], np.float64).reshape(-1, 2)
        arrays: dict[str, NDArray[Any]] = {
            "times": start_ms + np.rint(times * 1000).astype(np.int64),
            "voice": np.array([voice for _, _, voice in rows], np.int64),
            "vectors": _vectors(found.speaker_embeddings, len(labels)),
        }
        return Voices(self.name, self.version, start_ms, len(samples) // 16, arrays)

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        """Cluster the voices of all stretches; where stretches overlap, each gives its half."""
        heard = [voices for voices in heard if len(voices.arrays["vectors"])]
        if not heard:
            return []
        vectors = np.concatenate([voices.arrays["vectors"] for voices in heard])
        weights = np.concatenate([_talk(voices) for voices in heard])
        bounds = Bounds(self._similarity, num_speakers or min_speakers or 1, num_speakers or max_speakers)
        free = num_speakers is min_speakers is max_speakers is None
        alone = len(heard) == 1 and free
        names = np.arange(len(vectors)) if alone else cluster(vectors, weights, bounds, max(0.7, self._similarity))
        spans: list[tuple[int, int, int, float]] = []
        used = 0
        for voices, (begin, end) in zip(heard, halves(heard), strict=True):
            for (t0, t1), voice in zip(voices.arrays["times"].tolist(), voices.arrays["voice"].tolist(), strict=True):
                t0, t1 = max(t0, begin), min(t1, end)
                if t1 > t0:
                    spans.append((t0, t1, int(names[used + voice]), 1.0))
            used += len(voices.arrays["vectors"])
        return labelled(spans)


def halves(heard: Sequence[Voices]) -> list[tuple[int, int]]:
    """Give the part of each stretch that is its own: to the middle of what it shares with its neighbours."""
    starts = [voices.start_ms for voices in heard]
    ends = [voices.start_ms + voices.duration_ms for voices in heard]
    seams = [max(start, (start + end) // 2) for start, end in zip(starts[1:], ends[:-1], strict=True)]
    return list(zip([*starts[:1], *seams], [*seams, *ends[-1:]], strict=True))


def check(folder: Path, trust_model: bool = False) -> None:
    """Raise when the folder is no pipeline, or holds what could run code and is not known; nothing is loaded."""
    config = folder / "config.yaml"
    if not config.is_file():
        raise MissingWeights(f"no pyannote pipeline (config.yaml) in {folder}; the backend `onnx` needs none")
    if trust_model:
        return
    for path in sorted(path for path in folder.rglob("*") if path.suffix in PICKLES):
        with path.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() not in KNOWN:
                raise DataError(f"{path} is no known checkpoint and could run code; pass --trust-model if you trust it")
    text = config.read_text(encoding="utf-8", errors="replace")
    for key, value in re.findall(r"^\s*(\w+):[ \t]*['\"]?([^\s'\"#]+)", text, re.MULTILINE):
        outside = key in ("segmentation", "embedding", "plda") and not value.startswith("$model/")
        foreign = key in ("name", "_target_") and not value.startswith("pyannote.audio.")
        if outside or foreign or ".." in value:
            raise DataError(f"{config} names {value!r} as {key}; pass --trust-model if you trust it")


def load(folder: Path, trust_model: bool = False) -> Callable[[Array], Diarization]:
    """Check the folder, then load its pipeline; telemetry and hub look-ups are off."""
    check(folder, trust_model)
    os.environ.update(QUIET)
    try:
        import torch
        from pyannote.audio import Pipeline
    except ImportError as error:
        raise MissingWeights("pyannote.audio is not installed: install the extra `audio`, or use `onnx`") from error
    pipeline = Pipeline.from_pretrained(str(folder))

    def diarize(samples: Array) -> Diarization:
        waveform = torch.from_numpy(np.ascontiguousarray(samples))[None]
        found: Diarization = pipeline({"waveform": waveform, "sample_rate": 16_000})
        return found

    return diarize


def _vectors(given: Any, count: int) -> Array:
    """Give unit vectors; a voice without one (too short, or none given) is far from every other."""
    rows = np.zeros((count, DIMENSIONS)) if given is None else np.nan_to_num(np.asarray(given, np.float64)[:count])
    made: Array = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return made


def _talk(voices: Voices) -> Array:
    seconds = np.full(len(voices.arrays["vectors"]), 0.05, np.float32)
    np.add.at(
        seconds, voices.arrays["voice"], (np.diff(voices.arrays["times"], axis=1)[:, 0] / 1000).astype(np.float32)
    )
    return seconds
