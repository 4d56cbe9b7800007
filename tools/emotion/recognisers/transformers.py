"""A classifier of speech run by transformers (extra `audio`): on the GPU where there is one.

No code of a repository is run, and nothing is fetched: what is not in the folder is an error.
"""

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError
from tools.emotion.prosody import RATE
from tools.emotion.recognisers.classifier import Logits
from tools.provision.brought import Brought
from tools.provision.extra import extra, narrated


def runtime() -> str:
    """Give the library's name and version; MissingPackage when it is not installed."""
    with extra("transformers", "--emotion default"):
        import transformers
    return f"transformers-{transformers.__version__}"


def network(brought: Brought) -> Logits:
    """Load the network in a folder; DataError when it is not one that classifies sound."""
    with extra("transformers", "--emotion default"):
        import torch
        from transformers import AutoFeatureExtractor, AutoModelForAudioClassification
    try:
        with narrated():
            extractor = AutoFeatureExtractor.from_pretrained(str(brought.folder), local_files_only=True)
            model = AutoModelForAudioClassification.from_pretrained(
                str(brought.folder), local_files_only=True, use_safetensors=brought.safe, trust_remote_code=False
            )
    except (ValueError, OSError, RuntimeError, KeyError) as error:
        why = " ".join(str(error).split())[:200]
        raise DataError(f"{brought.folder} cannot be loaded as a classifier of sound: {why}") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).eval()

    def logits(samples: NDArray[np.float32]) -> NDArray[np.float32]:
        given = extractor(samples, sampling_rate=RATE, return_tensors="pt")
        with torch.no_grad():
            found: NDArray[np.float32] = model(**given.to(device)).logits[0].float().cpu().numpy()
        return found

    return logits
