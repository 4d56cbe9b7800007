"""The two networks behind `onnx`: who speaks in ten seconds of audio, and the vector of one voice.

segmentation-3.0 tells up to three voices of a ten-second window apart, two of them at once; CAM++ gives each voice 192
numbers that are alike wherever that voice speaks. It is run in two steps: what it makes of ten seconds serves every
part of them. Both are exported by
scripts/export_speaker_networks.py.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.models import weights

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

RATE = 16_000
WINDOW = 10 * RATE
FRAMES = 589
FRAME = 270  # samples from one frame to the next
LEAD = 360  # samples before the stretch that frame 0 stands for: half of what the network sees, less half a frame
HOP, LENGTH = 160, 400  # of the mel energies
# Which of the three voices speak in each class of the network.
CLASSES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]], np.float32)

Array = NDArray[np.float32]


class Networks:
    """Both sessions, opened at their first use."""

    def __init__(self, threads: int = 2) -> None:
        self.threads = threads

    def activity(self, windows: Array) -> Array:
        """Give the probability of each local voice: (n, 160000) samples to (n, 589, 3)."""
        (log,) = self._segmentation.run(None, {"wave": windows})
        made: Array = np.exp(log) @ CLASSES
        return made

    def frames(self, mel: Array) -> Array:
        """Give what CAM++ makes of mel energies (n, 80) before it pools them: a frame for every two, (n / 2, 512)."""
        (made,) = self._campplus.run(["frames"], {"mel": (mel - mel.mean(0))[None]})
        found: Array = made[0]
        return found

    def vector(self, frames: Array) -> Array:
        """Give the unit vector (192,) of the voice in two or more frames (n, 512)."""
        return self.dense(np.concatenate([frames.mean(0), frames.std(0, ddof=1)]))

    def dense(self, pooled: Array) -> Array:
        """Give the unit vectors (..., 192) of means and deviations of frames (..., 1024)."""
        weight, bias = self._dense
        made = pooled @ weight.T + bias
        found: Array = made / np.linalg.norm(made, axis=-1, keepdims=True)
        return found

    def voice(self, mel: Array) -> Array:
        """Give the unit vector (192,) of the voice in mel energies (n, 80), heard alone."""
        return self.vector(self.frames(mel))

    @cached_property
    def _segmentation(self) -> "InferenceSession":
        return _session(weights("segmentation") / "segmentation.onnx", self.threads)

    @cached_property
    def _campplus(self) -> "InferenceSession":
        return _session(weights("campplus") / "campplus.onnx", self.threads)

    @cached_property
    def _dense(self) -> tuple[Array, Array]:
        """The last layer of CAM++, which the file gives beside its frames."""
        weight, bias = self._campplus.run(["weight", "bias"], {"mel": np.zeros((1, 100, 80), np.float32)})
        return weight[:, :, 0], bias


def mel_energies(samples: Array) -> Array:
    """Give 80 Kaldi mel energies every 10 ms: (frames, 80)."""
    import kaldi_native_fbank as knf

    options = knf.FbankOptions()
    options.frame_opts.dither = 0
    options.mel_opts.num_bins = 80
    bank = knf.OnlineFbank(options)
    for begin in range(0, len(samples), WINDOW):  # all at once would be 300 MB of Python numbers in a stretch
        bank.accept_waveform(RATE, (samples[begin : begin + WINDOW] * 32768).tolist())
    bank.input_finished()
    rows = [bank.get_frame(n) for n in range(bank.num_frames_ready)]
    return np.stack(rows) if rows else np.empty((0, 80), np.float32)


def _session(path: Path, threads: int) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
