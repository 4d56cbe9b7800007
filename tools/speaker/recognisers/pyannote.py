"""pyannote.audio 4 (extra `audio`) with a pipeline the user brings: a folder, or a hub's repository that was pulled.

Its checkpoints are pickles that run code when they are loaded, so every one is compared with a list of published hashes
and the configuration may name only pyannote's classes and files of the folder, before anything is imported or loaded.
The pipeline names voices within a stretch; across stretches its vectors are clustered here. Both of its outputs are
kept: who speaks, two voices at once included, and who speaks foremost.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError, MissingWeights, UsageError
from store.record import Turn
from tools.provision.brought import compare, here, is_hub_name, own_folder, sha256
from tools.provision.extra import extra, narrated
from tools.provision.manifest import together
from tools.speaker.recogniser import Voices, labelled
from tools.speaker.recognisers.clustering import Bounds, cluster

DEFAULT = "pyannote/speaker-diarization-community-1"
Array = NDArray[np.float32]
PICKLES = (".bin", ".ckpt", ".pt", ".pth", ".pkl")
# Published checkpoints, the same hash in many unrelated repositories.
KNOWN = {
    "da85c29829d4002daedd676e012936488234d9255e65e86dfab9bec6b1729298": "pyannote/segmentation-3.0",
    "366edf44f4c80889a3eb7a9d7bdf02c4aede3127f7dd15e274dcdb826b143c56": "pyannote/wespeaker-voxceleb-resnet34-LM",
}
_WAY = 2  # of keeping what a pipeline gives


class Diarization(Protocol):
    """What the pipeline gives: two annotations, and one vector for each label of the first in sorted order, or None."""

    speaker_diarization: Any
    exclusive_speaker_diarization: Any
    speaker_embeddings: Any


class Pyannote:
    """Speaker turns of a pyannote pipeline; `exclusive` gives one voice at a time."""

    name = "pyannote"

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        trust_model: bool = False,
        exclusive: bool = False,
        similarity: float = 0.5,
        pipeline: Callable[[Array], Diarization] | None = None,
    ) -> None:
        self.sha256: str | None = None
        if pipeline is None:
            folder, trusted = located(str(model or DEFAULT), trust_model)
            self.sha256 = check(folder, trusted)
            pipeline = load(folder)
        self.version = f"{_installed()}+{_WAY}" + (f"@{self.sha256[:12]}" if self.sha256 else "")
        self._exclusive = exclusive
        self._similarity = similarity
        self._pipeline = pipeline

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Run the pipeline on one stretch."""
        found = self._pipeline(samples)
        labels = list(found.speaker_diarization.labels())
        times, voice = _tracks(found.speaker_diarization, labels, start_ms)
        foremost_times, foremost_voice = _tracks(found.exclusive_speaker_diarization, labels, start_ms)
        arrays: dict[str, NDArray[Any]] = {
            "times": times,
            "voice": voice,
            "foremost_times": foremost_times,
            "foremost_voice": foremost_voice,
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
        vectors = _alike([voices.arrays["vectors"] for voices in heard])
        weights = np.concatenate([_talk(voices) for voices in heard])
        bounds = Bounds(self._similarity, num_speakers or min_speakers or 1, num_speakers or max_speakers)
        free = num_speakers is min_speakers is max_speakers is None
        alone = len(heard) == 1 and free
        names = np.arange(len(vectors)) if alone else cluster(vectors, weights, bounds, max(0.7, self._similarity))
        spans: list[tuple[int, int, int, float]] = []
        used = 0
        for voices, (begin, end) in zip(heard, halves(heard), strict=True):
            kept = ("foremost_times", "foremost_voice") if self._exclusive else ("times", "voice")
            for (t0, t1), voice in zip(*(voices.arrays[name].tolist() for name in kept), strict=True):
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


def located(model: str, trust_model: bool = False) -> tuple[Path, bool]:
    """Give the folder of a pipeline and whether its pickles are trusted: by the user's word, also when it was pulled.

    MissingWeights when it is not here, UsageError when the name means nothing.
    """
    if (folder := own_folder(model)) is not None:
        return folder, trust_model
    if not is_hub_name(model):
        raise UsageError(
            f"--diarize-model {model!r} is neither a folder with a pyannote pipeline nor a hub name (OWNER/NAME)"
        )
    folder = here(
        model,
        f"with a token in HF_TOKEN run `overheard models pull {model} --for speaker --trust-model`, give a folder with "
        "--diarize-model, or use --diarizer default, which needs neither",
    )
    compare(model)
    return folder, True


def check(folder: Path, trust_model: bool = False) -> str:
    """Give one hash of a pipeline's files; nothing is loaded.

    MissingWeights when the folder is no pipeline, UsageError when it holds what could run code and is not known.
    """
    config = folder / "config.yaml"
    if not config.is_file():
        raise MissingWeights(f"no pyannote pipeline (config.yaml) in {folder}; --diarizer default needs none")
    files = [config, *(path for path in folder.rglob("*") if path.suffix in (*PICKLES, ".npz"))]
    hashes = {path.relative_to(folder).as_posix(): sha256(path) for path in sorted(files)}
    if not trust_model:
        for name, found in hashes.items():
            if name.endswith(PICKLES) and found not in KNOWN:
                raise UsageError(
                    f"{folder / name} (SHA-256 {found}) is no known checkpoint and could run code; add --trust-model "
                    "if you know its source"
                )
        _check_names(config)
    return together(hashes)


def _check_names(config: Path) -> None:
    """Raise UsageError when a configuration names what is neither pyannote's nor in its folder."""
    text = config.read_text(encoding="utf-8", errors="replace")
    for key, value in re.findall(r"^\s*(\w+):[ \t]*['\"]?([^\s'\"#]+)", text, re.MULTILINE):
        outside = key in ("segmentation", "embedding", "plda") and not value.startswith("$model/")
        foreign = key in ("name", "_target_") and not value.startswith("pyannote.audio.")
        if outside or foreign or ".." in value:
            raise UsageError(f"{config} names {value!r} as {key}; add --trust-model if you know its source")


def load(folder: Path) -> Callable[[Array], Diarization]:
    """Load the pipeline of a folder that was checked, on the GPU where there is one; MissingPackage, DataError."""
    with extra("pyannote.audio", "--diarizer default"):
        import torch
        from pyannote.audio import Pipeline
    try:
        with narrated():
            pipeline = Pipeline.from_pretrained(str(folder))
    except Exception as error:  # a folder can be wrong in any way
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(f"{folder} cannot be loaded as a pyannote pipeline: {why}") from error
    warnings.filterwarnings("ignore", r"std\(\): degrees of freedom", UserWarning)  # of a voice heard for one frame
    if torch.cuda.is_available():
        pipeline.to(torch.device("cuda"))

    def diarize(samples: Array) -> Diarization:
        waveform = torch.from_numpy(np.ascontiguousarray(samples))[None]
        with narrated():
            found: Diarization = pipeline({"waveform": waveform, "sample_rate": 16_000})
        return found

    return diarize


def _installed() -> str:
    try:
        return metadata.version("pyannote.audio")
    except metadata.PackageNotFoundError:
        return "0"


def _tracks(annotation: Any, labels: Sequence[str], start_ms: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the times in ms (n, 2) and the voices (n,) of an annotation, by the place of their labels."""
    tracks = [(span.start, span.end, labels.index(name)) for span, _, name in annotation.itertracks(yield_label=True)]
    times = np.array([track[:2] for track in tracks], np.float64).reshape(-1, 2)
    voices = np.array([voice for _, _, voice in tracks], np.int64)
    return start_ms + np.rint(times * 1000).astype(np.int64), voices


def _alike(vectors: Sequence[Array]) -> Array:
    """Give vectors of all stretches in one array; a stretch that has none has zeros."""
    width = max(rows.shape[1] for rows in vectors)
    return np.concatenate([np.pad(rows, ((0, 0), (0, width - rows.shape[1]))) for rows in vectors])


def _vectors(given: Any, count: int) -> Array:
    """Give unit vectors; a voice without one (too short, or none given) is far from every other."""
    rows = np.zeros((count, 1)) if given is None else np.nan_to_num(np.asarray(given, np.float64)[:count])
    made: Array = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return made


def _talk(voices: Voices) -> Array:
    seconds = np.full(len(voices.arrays["vectors"]), 0.05, np.float32)
    np.add.at(
        seconds, voices.arrays["voice"], (np.diff(voices.arrays["times"], axis=1)[:, 0] / 1000).astype(np.float32)
    )
    return seconds
