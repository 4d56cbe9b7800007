"""Ten sounds that YAMNet is unsure of under speech, told from all its 521 scores at once by a linear head.

Wherever somebody speaks the network gives speech the strongest score, but its other scores still differ with what is
heard behind, most of all over some seconds. MODEL_CARD.md beside the file says what it learned from and is worth.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.models import weights

HEAD = Path(__file__).with_name("weights") / "sounds_head.npz"
AROUND = 2  # windows before and after that a window is heard with
Array = NDArray[np.float32]


def around(logits: Array) -> Array:
    """Give each window's logits and their mean over the windows around it: (n, 521) to (n, 1042)."""
    if not len(logits):
        return np.empty((0, 2 * logits.shape[1]), np.float32)
    padded = np.pad(logits, ((AROUND, AROUND), (0, 0)), mode="edge")
    near: Array = np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1, axis=0).mean(axis=2)
    return np.concatenate([logits, near], axis=1)


def shares(logits: Array, matrix: Array, bias: Array) -> Array:
    """Give the probability (n, classes) of each sound and, last, of none, for windows (n, 521)."""
    scores = around(logits) @ matrix.T + bias
    made: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
    made /= made.sum(axis=1, keepdims=True)
    return made


class SoundsHead:
    """The shipped head; each sound has its own probability from which on it is heard."""

    def __init__(self) -> None:
        """Read the head; MissingWeights when its file is not here or another."""
        with np.load(weights("sounds-head") / HEAD.name, allow_pickle=False) as head:
            self.labels = tuple(str(label) for label in head["labels"])
            self._weights: Array = head["weights"].astype(np.float32)
            self._bias: Array = head["bias"]
            self._least: Array = head["least"]

    def odds(self, logits: Array) -> Array:
        """Give for windows (n, 521) the log odds (n, labels) of each sound, 0 where it is just heard."""
        found = shares(logits, self._weights, self._bias)[:, : len(self.labels)].clip(1e-6, 1 - 1e-6)
        made: Array = np.log(found / (1 - found)) - np.log(self._least / (1 - self._least))
        return made
