"""Which voice each passage is: what sounds alike is one group, groups of enough speech are voices, the rest is placed.

Passages are clustered over the whole recording; each stretch is first joined by itself where that is safe, and
remembered, so that going on listening costs what is new. Someone who says a word five times is counted by all five; a
word that is said once is nobody's own, unless it is like no voice at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.clustering import Bounds, cluster
from tools.speaker.recognisers.networks import FRAME, RATE
from tools.speaker.recognisers.passages import HALF

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
SPEAKS = 0.3  # seconds of a window that make a local voice of it


@dataclass(frozen=True, slots=True)
class Naming:
    """What was chosen on development readers (scripts/tune_speakers.py); seconds and cosine similarities.

    Groups below `similarity` are two voices; from `safe` on, what one stretch joins stays joined. Passages of under
    `sure_seconds` are in no group. A group of under `least_seconds` is no voice, unless it has `stray_seconds` and is
    less than `stray_similarity` like any. `doubt_seconds`, `bonus`: see `Bounds`.
    """

    similarity: float = 0.58
    safe: float = 0.7
    sure_seconds: float = 0.5
    least_seconds: float = 1.1
    stray_seconds: float = 0.8
    stray_similarity: float = 0.2
    doubt_seconds: float = 0.87
    bonus: float = 0.85

    def bounds(self, fewest: int = 1, most: int | None = None) -> Bounds:
        """Give what the clustering is told."""
        return Bounds(self.similarity, fewest, most, self.doubt_seconds, self.bonus)


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """One stretch ready for clustering: its passages (n), and in `group` what is safely one voice.

    The vectors stay as they were kept, float16. `weight` is how far to trust each, `alone` says which are of the only
    voice of which windows (k, 2), and `windows` how many there are.
    """

    vectors: NDArray[np.float16]
    seconds: Array
    weight: Array
    group: Labels
    alone: Labels
    windows: int


def stretch(voices: Voices, naming: Naming, fewest: int = 1) -> Stretch:
    """Gather a stretch's passages, and join what is safely one voice, down to `fewest` groups."""
    vectors, seconds = voices.arrays["vectors"], voices.arrays["seconds"]
    weight = (seconds * voices.arrays.get("share", np.float32(1)) + 0.05).astype(np.float32)
    group = np.arange(len(seconds))
    sure = seconds >= naming.sure_seconds
    alone = _alone(voices)
    if sure.any():
        limits = replace(naming.bounds(fewest), similarity=max(naming.safe, naming.similarity))
        group[sure] = _grouped(vectors, weight, limits, naming.safe, group, alone, sure)
        group[~sure] = len(seconds) + np.arange(len(seconds) - sure.sum())
    return Stretch(vectors, seconds, weight, group, alone, len(voices.arrays["first"]))


def name_passages(stretches: Sequence[Stretch], naming: Naming, bounds: Bounds) -> Labels:
    """Give the voice of each passage of all stretches, as many voices as `bounds` allow while there are passages."""
    seconds, weight = (np.concatenate([getattr(part, name) for part in stretches]) for name in ("seconds", "weight"))
    if not len(seconds):
        return np.empty(0, np.int64)
    begins = np.cumsum([0, *(int(part.group.max(initial=-1)) + 1 for part in stretches)])
    group = np.concatenate([part.group + begin for part, begin in zip(stretches, begins[:-1], strict=True)])
    sure = seconds >= naming.sure_seconds
    if len(np.unique(group[sure])) < bounds.fewest:
        sure, group = np.ones(len(seconds), bool), np.arange(len(seconds))
    vectors = np.concatenate([part.vectors for part in stretches])
    alone = _laid(stretches)
    labels = np.full(len(seconds), -1)
    labels[sure] = _grouped(vectors, weight, replace(bounds, most=None), naming.safe, group, alone, sure)
    voices = _voices(vectors[sure], weight[sure], seconds[sure], labels[sure], naming, bounds)
    if bounds.most is not None and len(voices) > bounds.most:
        own = np.isin(labels, voices)
        joined = _grouped(vectors, weight, bounds, naming.safe, labels, alone, own)
        labels[~own & sure] += len(seconds)
        labels[own], voices = joined, np.unique(joined)
    return _placed(vectors, weight, labels, voices)


def _grouped(
    vectors: NDArray[np.float16],
    weight: Array,
    bounds: Bounds,
    safe: float,
    begin: Labels,
    alone: Labels,
    some: NDArray[np.bool_],
) -> Labels:
    """Cluster some of the vectors, joined already as `begin` says; give the labels of these."""
    place = np.cumsum(some) - 1
    heard = alone[some[alone[:, 0]]]
    heard = np.stack([place[heard[:, 0]], heard[:, 1]], axis=1)
    labels = np.unique(begin[some], return_inverse=True)[1]
    return cluster(vectors[some].astype(np.float32), weight[some], bounds, safe, labels, heard)


def _alone(voices: Voices) -> Labels:
    """Give the passages (k, 0) of windows (k, 1) in which one local voice speaks: nothing there is two people's."""
    speaking = (voices.arrays["activity"] > HALF).sum(1) * FRAME >= SPEAKS * RATE
    own = voices.arrays["own"]
    rows = [np.empty((0, 2), np.int64)]
    for window in np.flatnonzero(speaking.sum(1) == 1).tolist():
        found = np.unique(own[window, :, int(speaking[window].argmax())])
        rows.append(np.stack([found[found >= 0], np.full((found >= 0).sum(), window)], axis=1).astype(np.int64))
    return np.concatenate(rows)


def _laid(stretches: Sequence[Stretch]) -> Labels:
    """Give `alone` of all stretches, passages and windows numbered on."""
    begins = np.cumsum([(0, 0), *((len(part.seconds), part.windows) for part in stretches)], axis=0)
    return np.concatenate([part.alone + begin for part, begin in zip(stretches, begins[:-1], strict=True)])


def _voices(
    vectors: NDArray[np.float16], weight: Array, seconds: Array, labels: Labels, naming: Naming, bounds: Bounds
) -> Labels:
    """Give the groups that are voices: those of enough speech and strays, as far as `bounds` allow, and its fewest."""
    total = np.bincount(labels, weights=seconds)
    size = np.sqrt(total / (total + naming.doubt_seconds))
    means = _means(vectors, weight, labels) / np.maximum(size, 1e-6)[:, None].astype(np.float32)
    longest = np.argsort(-total, kind="stable")
    voices: list[int] = []
    for group in longest.tolist():
        if total[group] < naming.least_seconds and len(voices) >= bounds.fewest:
            alike = float((means[voices] @ means[group]).max())
            room = bounds.most is None or len(voices) < bounds.most
            if total[group] < naming.stray_seconds or alike >= naming.stray_similarity or not room:
                continue
        voices.append(group)
    return np.array(voices)


def _placed(vectors: NDArray[np.float16], weight: Array, labels: Labels, voices: Labels) -> Labels:
    """Give the voice of each passage, from 0: its group's, or the nearest to its group (or its own)."""
    group = np.where(labels < 0, labels.max() + 1 + np.arange(len(labels)), labels)
    number, group = np.unique(group, return_inverse=True)
    means = _means(vectors, weight, group)
    own = np.searchsorted(number, np.sort(voices))
    nearest = (means @ means[own].T).argmax(1)
    nearest[own] = np.arange(len(own))
    found: Labels = nearest[group]
    return found


def _means(vectors: NDArray[np.float16], weight: Array, labels: Labels) -> Array:
    """Give the unit vector of each label."""
    sums = np.zeros((int(labels.max(initial=-1)) + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, labels, vectors.astype(np.float32) * weight[:, None])
    made: Array = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return made
