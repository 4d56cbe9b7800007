"""What versions 1 to 4 kept of a stretch, as passages: an ingest that was interrupted before an upgrade goes on.

They cut each window by itself, so that the same speech has a vector for each window that heard it: each counts its
share.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAMES


def as_passages(voices: Voices) -> Voices:
    """Give the stretch as the present version keeps it, for what is there of it."""
    if "owners" not in voices.arrays:
        return voices
    arrays = dict(voices.arrays)
    owners = arrays.pop("owners").astype(np.int64)
    window, number, unit = owners[:, 0], owners[:, 1], owners[:, -1 if owners.shape[1] == 4 else 1]
    keys, first, inverse = np.unique(window * 1000 + unit, return_index=True, return_inverse=True)
    seconds = np.zeros(len(keys), np.float32)
    np.add.at(seconds, inverse, arrays["seconds"])
    vectors = np.zeros((len(keys), arrays["vectors"].shape[1]), np.float32)
    np.add.at(vectors, inverse, arrays["vectors"].astype(np.float32) * (arrays["seconds"] + np.float32(0.05))[:, None])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    old = arrays["own"].astype(np.int64)
    table = np.full((len(old), 1 + int(old.max(initial=0))), -1, np.int16)
    table[window, number] = inverse
    own = np.where(old < 0, -1, table[np.arange(len(old))[:, None, None], old.clip(min=0)]).astype(np.int16)
    share = 1 / _cover(arrays["first"])[window[first]]
    arrays |= {"own": own, "vectors": vectors.astype(np.float16), "seconds": seconds, "share": share}
    return replace(voices, arrays=arrays)


def _cover(first: NDArray[np.int64]) -> NDArray[np.float32]:
    """Give for each window how many hear its frames, itself included, on average."""
    shared = np.maximum(0, FRAMES - np.abs(first[:, None] - first))
    made: NDArray[np.float32] = (shared.sum(1) / FRAMES).astype(np.float32)
    return made
