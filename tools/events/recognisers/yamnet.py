"""YAMNet as a quantised ONNX file: log-mel patches of 0.96 s every 0.48 s, 521 AudioSet probabilities each.

The export takes and gives bytes. One step of its output is 0.76 logits, so probabilities come in coarse steps
(0.32, 0.5, 0.68, 0.82, ...) and thresholds between two steps are alike. Its products are computed in floats: in bytes
they overflow on x86 processors without VNNI, which then hear other sounds, and fewer.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError
from store.record import Event
from tools.events.hierarchy import family, labels
from tools.events.recognisers.sounds_head import SoundsHead
from tools.events.regions import REGIONS, regions
from tools.events.thresholds import Thresholds
from tools.events.windows import events, is_event
from tools.models import weights
from tools.provision.manifest import fingerprint, manifest

RATE: Final = 16_000
FRAME, HOP, FFT, BANDS = 400, 160, 512, 64
PATCH_FRAMES, PATCH_HOP = 96, 48
PATCH_SAMPLES: Final = (PATCH_FRAMES - 1) * HOP + FRAME
HOP_SAMPLES: Final = PATCH_HOP * HOP
HOP_MS: Final = HOP_SAMPLES * 1000 // RATE
MARGIN: Final = (PATCH_SAMPLES - HOP_SAMPLES) // 2
"""Samples of silence before a stretch, so that a patch's middle hop is the stretch's own."""
IN_SCALE, IN_ZERO = 0.047938, 144
OUT_SCALE, OUT_ZERO = 0.756542, 190
BLOCK = 125
"""Patches whose spectra are made at once: a minute, some 12 MB."""


class YamNet:
    """Hears 521 AudioSet classes; reports those that are events, and the regions of speech and silence."""

    name = "yamnet"
    version = "4"
    resolution_ms = HOP_MS

    def __init__(self, *, headed: bool = True) -> None:
        """Open the network of the pulled model `yamnet`, and the shipped head; MissingWeights when one is not here."""
        import onnxruntime

        used = ("yamnet", "sounds-head") if headed else ("yamnet",)
        self.sha256 = fingerprint(manifest().model(name) for name in used)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a patch is too small to share
        options.add_session_config_entry("session.disable_quant_qdq", "1")
        self._session = onnxruntime.InferenceSession(
            weights("yamnet") / "model.onnx", options, providers=["CPUExecutionProvider"]
        )
        self.names = tuple(label.name for label in labels().values() if label.place is not None)
        if self._session.get_outputs()[0].shape[-1] != len(self.names):
            raise DataError("the yamnet model does not give 521 classes; pull it again: overheard models pull yamnet")
        self._mel = mel_weights()
        self._head = SoundsHead() if headed else None
        self._probability = (1 / (1 + np.exp(-OUT_SCALE * (np.arange(256.0) - OUT_ZERO)))).astype(np.float32)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label an event of it may carry."""
        return tuple(name for name in self.names if is_event(name) or name in REGIONS)

    def hear(self, samples: NDArray[np.float32], start_ms: int) -> list[Event]:
        """Give the events of one stretch, mono 16 kHz in [-1, 1], that starts at `start_ms` of the recording."""
        end_ms = start_ms + samples.size * 1000 // RATE
        windows = self.probabilities(samples)
        sounds = events(windows, self.names, HOP_MS, start_ms, end_ms)
        found = regions(windows, self.names, HOP_MS, start_ms, end_ms, sounds)
        return sorted([*sounds, *found], key=lambda event: (event.t0, event.label))

    def probabilities(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give the probabilities (windows, 521): one window for every 0.48 s begun, in its middle.

        Where the head is surer of one of its sounds than the network, they are the head's.
        """
        scores = self._scores(samples)
        return self._raised(self._probability[scores], scores)

    def logits(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give what the network itself says (windows, 521), before any probability."""
        return _logits(self._scores(samples))

    def _scores(self, samples: NDArray[np.float32]) -> NDArray[np.uint8]:
        rows = [self._classify(patch) for patch in self._patches(samples)]
        return np.stack(rows) if rows else np.zeros((0, len(self.names)), np.uint8)

    def _classify(self, patch: NDArray[np.float32]) -> NDArray[np.uint8]:
        levels = np.clip(np.round(patch / IN_SCALE + IN_ZERO), 0, 255).astype(np.uint8)
        (scores,) = self._session.run(None, {"audio": levels[None, None]})
        row: NDArray[np.uint8] = scores[0]
        return row

    def _raised(self, probabilities: NDArray[np.float32], scores: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Let the head's sounds be as probable as it says: what it just hears is what just makes an event."""
        if self._head is None:
            return probabilities
        on = np.array([Thresholds().of(family(label)).on for label in self._head.labels])
        odds = self._head.odds(_logits(scores)) + np.log(on / (1 - on))
        mine = [self.names.index(label) for label in self._head.labels]
        probabilities[:, mine] = np.maximum(probabilities[:, mine], 1 / (1 + np.exp(-odds)))
        return probabilities

    def _patches(self, samples: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
        count = -(-samples.size // HOP_SAMPLES)
        for first in range(0, count, BLOCK):
            size = min(BLOCK, count - first)
            begin = first * HOP_SAMPLES - MARGIN
            end = begin + (size - 1) * HOP_SAMPLES + PATCH_SAMPLES
            inside = samples[max(begin, 0) : min(end, samples.size)]
            frames = log_mel(np.pad(inside, (max(-begin, 0), max(end - samples.size, 0))), self._mel)
            yield from (frames[place * PATCH_HOP :][:PATCH_FRAMES] for place in range(size))


def _logits(scores: NDArray[np.uint8]) -> NDArray[np.float32]:
    made: NDArray[np.float32] = np.float32(OUT_SCALE) * (scores.astype(np.float32) - OUT_ZERO)
    return made


def log_mel(samples: NDArray[np.float32], mel: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give log-mel frames (frames, 64) every 10 ms: periodic Hann of 25 ms, magnitudes, log(x + 0.001)."""
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)).astype(np.float32)
    framed = np.lib.stride_tricks.sliding_window_view(np.nan_to_num(samples), FRAME)[::HOP] * window
    spectrum: NDArray[np.float32] = np.abs(np.fft.rfft(framed, FFT)).astype(np.float32)
    frames: NDArray[np.float32] = np.log(spectrum @ mel + np.float32(1e-3))
    return frames


def mel_weights() -> NDArray[np.float32]:
    """Give the triangles (257, 64) from the spectrum to 64 HTK mel bands of 125-7500 Hz, without the bin at 0 Hz."""

    def mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1127.0 * np.log1p(hertz / 700.0)

    low, high = mel(np.array([125.0, 7500.0]))
    edges = np.linspace(float(low), float(high), BANDS + 2)
    bins = mel(np.linspace(0.0, RATE / 2, FFT // 2 + 1))[:, None]
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    triangles[0] = 0.0
    return triangles.astype(np.float32)
