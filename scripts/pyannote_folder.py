"""A pyannote.audio pipeline of published weights, as far as they can be had: a folder as people bring them.

Its segmentation is pyannote/segmentation-3.0. Its own vectors (WeSpeaker) and PLDA cannot be had, so the folder holds a
random ResNet34 and a plain PLDA in their place; `with_campplus` lets the loaded pipeline use CAM++ instead.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.networks import Networks, mel_energies

Array = NDArray[np.float32]
LEAST_S = 0.5  # of speech that make a vector


CONFIG = """dependencies:
  pyannote.audio: 4.0.0
pipeline:
  name: pyannote.audio.pipelines.SpeakerDiarization
  params:
    clustering: CLUSTERING
    embedding: $model/embedding
    embedding_batch_size: 16
    embedding_exclude_overlap: true
    plda: $model/plda
    segmentation: $model/segmentation
    segmentation_batch_size: 16
params:
  segmentation:
    min_duration_off: 0.0
  clustering:
    method: centroid
    min_cluster_size: 12
    threshold: 0.7
"""


def segmentation(checkpoint: Path) -> Any:
    """Give pyannote.audio's own network with the published weights of segmentation-3.0."""
    import torch
    from pyannote.audio.core.task import Problem, Resolution, Specifications
    from pyannote.audio.models.segmentation import PyanNet

    network = PyanNet(lstm={"hidden_size": 128, "num_layers": 4, "bidirectional": True, "dropout": 0.5})
    network.specifications = Specifications(
        problem=Problem.MONO_LABEL_CLASSIFICATION, resolution=Resolution.FRAME, duration=10.0,
        classes=["speaker#1", "speaker#2", "speaker#3"], powerset_max_classes=2, permutation_invariant=True,
    )  # fmt: skip
    network.build()
    rows = torch.load(checkpoint, map_location="cpu", weights_only=True)
    network.load_state_dict(rows.get("state_dict", rows), strict=True)
    return network.eval()


def pipeline(folder: Path, checkpoint: Path, clustering: str = "AgglomerativeClustering") -> Path:
    """Write a pyannote pipeline: the published segmentation, a random WeSpeaker ResNet34 and a plain PLDA."""
    import torch
    from pyannote.audio.core.task import Problem, Resolution, Specifications
    from pyannote.audio.models.embedding import WeSpeakerResNet34

    torch.manual_seed(3)
    embedding = WeSpeakerResNet34()
    embedding.specifications = Specifications(
        problem=Problem.REPRESENTATION, resolution=Resolution.CHUNK, duration=5.0
    )  # fmt: skip
    embedding.build()
    for name, network in (("segmentation", segmentation(checkpoint)), ("embedding", embedding)):
        (folder / name).mkdir(parents=True)
        _save(network, folder / name / "pytorch_model.bin")
    _plda(folder / "plda")
    (folder / "config.yaml").write_text(CONFIG.replace("CLUSTERING", clustering))
    return folder


class Campplus:
    """CAM++ in the place of a pipeline's vectors: a unit vector (192,) of the frames that a mask leaves."""

    dimension = 192
    metric = "cosine"
    sample_rate = 16_000
    min_num_samples = int(LEAST_S * 16_000)

    def __init__(self) -> None:
        self._networks = Networks(threads=2)
        self._sound, self._frames = np.empty(0, np.float32), np.empty((0, 512), np.float32)

    def __call__(self, waveforms: Any, masks: Any = None) -> Array:
        """Give the vectors (batch, 192) of waveforms (batch, 1, samples); NaN where too little is left."""
        sounds = waveforms.numpy()[:, 0]
        kept = np.ones((len(sounds), 1)) if masks is None else masks.numpy()
        made: Array = np.stack([self._vector(sound, mask) for sound, mask in zip(sounds, kept, strict=True)])
        return made

    def _vector(self, sound: Array, mask: Array) -> Array:
        """Give the vector of a sound's frames, which are made once for all voices in it."""
        if not np.array_equal(sound, self._sound):
            mel = mel_energies(sound)
            self._sound, self._frames = sound, self._networks.frames(mel)
        count = len(self._frames)
        rows = self._frames[mask[np.arange(count) * len(mask) // count] > 0.5]
        if len(rows) < LEAST_S * 50:
            return np.full(self.dimension, np.nan, np.float32)
        return self._networks.vector(rows)


def with_campplus(pipeline: Any, threshold: float) -> Any:
    """Give a loaded pipeline that clusters vectors of CAM++, by centroids at most so far apart (of unit vectors)."""
    if not isinstance(pipeline._embedding, Campplus):
        pipeline._embedding = Campplus()
    pipeline.instantiate(
        {
            "segmentation": {"min_duration_off": 0.0},
            "clustering": {"method": "centroid", "min_cluster_size": 12, "threshold": threshold},
        }
    )
    return pipeline


def _save(network: Any, path: Path) -> None:
    import pytorch_lightning
    import torch
    from pyannote.audio import __version__

    kind = type(network)
    torch.save(
        {
            "state_dict": network.state_dict(),
            "hyper_parameters": dict(network.hparams),
            "pytorch-lightning_version": pytorch_lightning.__version__,
            "pyannote.audio": {
                "versions": {"torch": torch.__version__, "pyannote.audio": __version__},
                "architecture": {"module": kind.__module__, "class": kind.__name__},
                "specifications": network.specifications,
            },
        },
        path,
    )


def _plda(folder: Path, dims: int = 256, kept: int = 128) -> None:
    """Write a transform that changes little and a PLDA of unit covariances."""
    folder.mkdir()
    rng = np.random.default_rng(4)
    turned = np.linalg.qr(rng.standard_normal((dims, dims)))[0]
    np.savez(folder / "xvec_transform.npz", mean1=np.zeros(dims), mean2=np.zeros(kept), lda=turned[:, :kept])
    np.savez(folder / "plda.npz", mu=np.zeros(kept), tr=np.eye(kept), psi=np.linspace(4, 0.5, kept))
