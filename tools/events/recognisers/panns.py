"""PANNs' sound event detection (panns-inference, extra `audio`): Cnn14, 527 AudioSet classes every 0.32 s.

The package fetches its labels with a shell command when it is imported, and a checkpoint under 300 MB when it is
loaded. So it is imported in a home of its own where the labels lie already, and only its network is used: the
checkpoint is read here, as tensors, on the user's word. Its thresholds are the default for every family, since none was
measured with it; and it was trained on sound up to 14 kHz, of which recordings here have 8.
"""

import csv
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError, MissingWeights, UsageError
from store.record import Event
from tools.events.hierarchy import officially
from tools.events.regions import REGIONS, regions
from tools.events.thresholds import Thresholds
from tools.events.windows import events, is_event
from tools.models import home
from tools.provision.brought import path, sha256
from tools.provision.extra import extra

RATE: Final = 16_000
OWN_RATE: Final = 32_000
FRAME: Final = 320
"""Samples of 32 kHz in a frame of its output."""
RATIO: Final = 32
"""Frames that share one decision."""
HOP_MS: Final = RATIO * FRAME * 1000 // OWN_RATE
HOP: Final = HOP_MS * RATE // 1000
MARGIN: Final = 4
"""Decisions beyond which a sound changes nothing: the network sees 1.3 s to each side."""
BLOCK: Final = 94
"""Decisions made at once: half a minute, some 250 MB."""
TAPS: Final = 32
Array = NDArray[np.float32]
NETWORK: Final = {
    "sample_rate": OWN_RATE, "window_size": 1024, "hop_size": FRAME, "mel_bins": 64, "fmin": 50, "fmax": 14_000,
}  # fmt: skip
FILE: Final = "Cnn14_DecisionLevelMax.pth"


class Panns:
    """Hears 527 AudioSet classes; reports those that are events, and the regions of speech and silence."""

    name = "panns"
    resolution_ms = HOP_MS

    def __init__(self, checkpoint: str | Path | None = None, *, trust_model: bool = False) -> None:
        file = path(str(checkpoint)) if checkpoint else home() / "panns" / FILE
        self.sha256 = check(file, trust_model)
        self.names = officially()
        self._network, self._device, self.version = _loaded(file, len(self.names))

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label an event of it may carry."""
        return tuple(name for name in self.names if is_event(name) or name in REGIONS)

    def hear(self, samples: Array, start_ms: int) -> list[Event]:
        """Give the events of one stretch, mono 16 kHz in [-1, 1], that starts at `start_ms` of the recording."""
        end_ms = start_ms + samples.size * 1000 // RATE
        windows = self.probabilities(samples)
        sounds = events(windows, self.names, HOP_MS, start_ms, end_ms, Thresholds(families={}))
        found = regions(windows, self.names, HOP_MS, start_ms, end_ms, sounds)
        return sorted([*sounds, *found], key=lambda event: (event.t0, event.label))

    def probabilities(self, samples: Array) -> Array:
        """Give the probabilities (decisions, 527): one for every 0.32 s begun."""
        count = -(-samples.size // HOP)
        blocks = [self._block(samples, first, min(BLOCK, count - first)) for first in range(0, count, BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros((0, len(self.names)), np.float32)

    def _block(self, samples: Array, first: int, size: int) -> Array:
        """Hear a block with a margin of the sound on both sides, silence where the recording has none."""
        begin, end = (first - MARGIN) * HOP, (first + size + MARGIN) * HOP
        inside = np.nan_to_num(samples[max(begin, 0) : min(end, samples.size)])
        padded = np.pad(inside, (max(-begin, 0), max(end - samples.size, 0)))
        frames = self._framewise(doubled(padded))
        return frames[MARGIN * RATIO :: RATIO][:size]

    def _framewise(self, samples: Array) -> Array:
        """Give the probabilities of every frame (frames, 527) of mono samples of 32 kHz."""
        import torch

        with torch.no_grad():
            given = torch.from_numpy(samples[None]).to(self._device)
            found: Array = self._network(given)["framewise_output"][0].float().cpu().numpy()
        return found


def check(file: Path, trust_model: bool) -> str:
    """Give a checkpoint's SHA-256; MissingWeights when it is not there, UsageError when nobody vouches for it."""
    if not os.path.isfile(file):  # noqa: PTH113 - a name too long is none, where Path.is_file raises
        raise MissingWeights(
            f"no checkpoint of PANNs at {file}: put Cnn14_DecisionLevelMax_mAP=0.385.pth there, or name it with "
            "--tagger-model FILE; --tagger yamnet needs none"
        )
    found = sha256(file)
    if not trust_model:  # no two independent sources of a checkpoint's hash were found, so each needs the user's word
        raise UsageError(
            f"nobody vouches for the checkpoint {file} (SHA-256 {found}), and a pickle can run code; add --trust-model "
            "if you know its source"
        )
    return found


def doubled(samples: Array) -> Array:
    """Give samples of twice the rate: the same, and between each two of them what a band-limited sound has there."""
    at = np.arange(-TAPS, TAPS) + 0.5
    between = (np.sinc(at) * np.kaiser(2 * TAPS, 8.0)).astype(np.float32)
    made = np.empty(2 * samples.size, np.float32)
    made[0::2] = samples
    made[1::2] = np.convolve(np.pad(samples, (TAPS - 1, TAPS)), between, "valid")[: samples.size]
    return made


def _loaded(file: Path, classes: int) -> tuple[Any, str, str]:
    """Give the network with a checkpoint's tensors, where it runs, and its version."""
    with _labelled_home(), extra("panns-inference", "--tagger yamnet"):
        import panns_inference
        import torch
        from panns_inference.models import Cnn14_DecisionLevelMax
    network = Cnn14_DecisionLevelMax(**NETWORK, classes_num=classes, interpolate_mode="nearest")
    try:
        network.load_state_dict(torch.load(file, map_location="cpu", weights_only=True)["model"])
    except Exception as error:  # unpickling what is no checkpoint can end in any way
        raise DataError(f"{file} is no checkpoint of Cnn14_DecisionLevelMax: {_first_line(error)}") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return network.to(device).eval(), device, f"{panns_inference.__version__}+1"


@contextmanager
def _labelled_home() -> Iterator[None]:
    """Have a home folder for a while in which the labels lie where the package looks for them as it is imported."""
    before = {name: os.environ.get(name) for name in ("HOME", "USERPROFILE")}
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "panns_data" / "class_labels_indices.csv"
        labels.parent.mkdir()
        with labels.open("w", newline="", encoding="utf-8") as out:
            rows = [("index", "mid", "display_name"), *((i, "", name) for i, name in enumerate(officially()))]
            csv.writer(out).writerows(rows)
        os.environ.update(dict.fromkeys(before, folder))
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
