"""A classifier of speech as model.onnx, run by onnxruntime without torch: wav2vec2's manner, which hears samples.

Its preprocessor_config.json says whether samples are brought to mean 0 and variance 1 (`do_normalize`). Networks that
want spectra are heard with transformers instead.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError
from tools.emotion.recognisers.classifier import Logits, preprocessing
from tools.provision.brought import Brought

Array = NDArray[np.float32]
_PROVIDERS = ("CUDAExecutionProvider", "CPUExecutionProvider")
_SHORTEST = 1e-7  # what wav2vec2's own normalising adds to the variance


def runtime() -> str:
    """Give the library's name and version."""
    import onnxruntime

    return f"onnxruntime-{onnxruntime.__version__}"


def network(brought: Brought) -> Logits:
    """Open the network in a folder; DataError when it cannot be read or does not hear samples (1, n)."""
    import onnxruntime

    there = onnxruntime.get_available_providers()
    try:
        session = onnxruntime.InferenceSession(
            str(brought.folder / brought.weights), providers=[name for name in _PROVIDERS if name in there]
        )
    except Exception as error:  # onnxruntime's errors share no class of their own
        raise DataError(f"{brought.folder / brought.weights} cannot be read: {' '.join(str(error).split())}") from error
    inputs = {given.name: given for given in session.get_inputs()}
    heard = [name for name, given in inputs.items() if name != "attention_mask" and len(given.shape) == 2]
    if len(heard) != 1 or len(inputs) > 1 + ("attention_mask" in inputs):
        raise DataError(f"{brought.folder / brought.weights} wants {', '.join(inputs)}, not samples; bring its tensors")
    normal = bool(preprocessing(brought).get("do_normalize", False))

    def logits(samples: Array) -> Array:
        given: dict[str, Any] = {heard[0]: (normalised(samples) if normal else samples)[None]}
        if "attention_mask" in inputs:
            given["attention_mask"] = np.ones((1, len(samples)), np.int64)
        found: Array = session.run(None, given)[0]
        return found

    return logits


def normalised(samples: Array) -> Array:
    """Bring samples to mean 0 and variance 1."""
    made: Array = ((samples - samples.mean()) / np.sqrt(samples.var() + _SHORTEST)).astype(np.float32)
    return made
