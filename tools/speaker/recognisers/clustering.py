"""Which voice vectors are one voice: weighted average-linkage clustering that never compares all with all.

The mean similarity of two groups of unit vectors is the product of their weighted means, so a group is its mean and its
weight, nothing else. That makes clustering in blocks possible: each block is first joined where it is safe, then the
groups of all blocks are joined, and a matrix never exceeds one block, however long the recording.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
BLOCK = 600
LOCALS = 3  # voices that a window can tell apart


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many voices there may be, and the similarity below which two groups are two voices.

    Groups that are told apart in the same window lose up to `penalty`, by the share of windows in which they meet.
    """

    similarity: float
    fewest: int = 1
    most: int | None = None
    penalty: float = 0.0


def cluster(vectors: Array, weights: Array, bounds: Bounds, safe: float, place: Labels | None = None) -> Labels:
    """Give a label to each unit vector (n, d); `weights` say how far to trust each.

    `place` says where it was heard: window x 3 + local voice. Groups are joined while the best pair's mean similarity
    is at least `bounds.similarity`; inside a block first only from `safe` on. Equal input gives equal labels.
    """
    heard = np.arange(len(vectors)) * LOCALS if place is None else place
    labels = np.arange(len(vectors))
    means, mass = vectors.astype(np.float32), weights.astype(np.float32)
    careful = replace(bounds, similarity=max(safe, bounds.similarity), fewest=1, most=None)
    while len(means) > BLOCK:
        for limits in (careful, replace(careful, similarity=bounds.similarity)):
            within = _blockwise(means, mass, limits, labels, heard)
            if within.max() + 1 <= 0.9 * len(means):
                break
        else:
            break
        labels, means, mass = within[labels], *_groups(means, mass, within)
    return _join(means, mass, bounds, _meetings(labels, heard, 0, len(means)))[labels]


def _blockwise(means: Array, mass: Array, bounds: Bounds, labels: Labels, heard: Labels) -> Labels:
    found: list[Labels] = []
    first = 0
    for begin in range(0, len(means), BLOCK):
        end = min(len(means), begin + BLOCK)
        met = _meetings(labels, heard, begin, end)
        found.append(_join(means[begin:end], mass[begin:end], bounds, met) + first)
        first = int(found[-1].max()) + 1
    return np.concatenate(found)


def _meetings(labels: Labels, heard: Labels, begin: int, end: int) -> Array:
    """Give in how many windows two of the groups begin..end are two local voices; the diagonal: a group's windows."""
    inside = (labels >= begin) & (labels < end)
    group = labels[inside] - begin
    inner, outer = (_presence(group, place[inside], end - begin) for place in (heard, heard // LOCALS))
    together = np.maximum(0, outer @ outer.T - inner @ inner.T)
    np.fill_diagonal(together, outer.sum(1))
    return together


def _presence(group: Labels, place: Labels, count: int) -> Array:
    places, column = np.unique(place, return_inverse=True)
    made = np.zeros((count, len(places)), np.float32)
    made[group, column] = 1
    return made


def _groups(means: Array, mass: Array, labels: Labels) -> tuple[Array, Array]:
    count = int(labels.max()) + 1
    total = np.zeros(count, np.float32)
    np.add.at(total, labels, mass)
    made = np.zeros((count, means.shape[1]), np.float32)
    np.add.at(made, labels, means * mass[:, None])
    return made / total[:, None], total


def _join(means: Array, mass: Array, bounds: Bounds, together: Array) -> Labels:
    """Join the most alike pair until none is alike enough or the number of groups is reached; label groups from 0."""
    count = len(means)
    owner = np.arange(count)
    if count < 2:
        return owner
    raw, mass = means @ means.T, mass.copy()
    often = together.diagonal().copy()
    alike = raw - bounds.penalty * together / np.minimum(often[:, None], often)
    np.fill_diagonal(alike, -np.inf)
    best = alike.argmax(1)
    height, gone = alike[np.arange(count), best], np.zeros(count, bool)
    for left in range(count, 1, -1):
        one = int(height.argmax())
        enough = bounds.most is None or left <= bounds.most
        if left <= bounds.fewest or (enough and height[one] < bounds.similarity):
            break
        two = int(best[one])
        raw[one] = (mass[one] * raw[one] + mass[two] * raw[two]) / (mass[one] + mass[two])
        raw[:, one] = raw[one]
        mass[one] += mass[two]
        often[one] += often[two] - together[one, two]
        together[one] += together[two]  # counts a window twice where both met a third: an upper bound, hence the 1
        together[:, one] = together[one]
        row = raw[one] - bounds.penalty * np.minimum(1, together[one] / np.minimum(often, often[one]))
        owner[owner == two] = one
        gone[two] = True
        row[gone] = row[one] = -np.inf
        alike[one], alike[:, one] = row, row
        alike[two], alike[:, two], height[two] = -np.inf, -np.inf, -np.inf
        for changed in {one, *np.flatnonzero(((best == one) | (best == two)) & ~gone).tolist()}:
            best[changed] = alike[changed].argmax()
            height[changed] = alike[changed, best[changed]]
        closer = row > height
        best[closer], height[closer] = one, row[closer]
    return np.unique(owner, return_inverse=True)[1]
