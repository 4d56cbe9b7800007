"""Which voice vectors are one voice: weighted average-linkage clustering that never compares all with all.

The mean similarity of two groups of unit vectors is the product of their weighted means, so a group is its mean and its
weight, nothing else. That makes clustering in blocks possible: each block is first joined where it is safe, then the
groups of all blocks are joined, and a matrix never exceeds one block, however long the recording.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
BLOCK = 600


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many voices there may be, and the similarity below which two groups are two voices."""

    similarity: float
    fewest: int = 1
    most: int | None = None


def cluster(vectors: Array, weights: Array, bounds: Bounds, safe: float) -> Labels:
    """Give a label to each unit vector (n, d); `weights` say how much each is to be trusted.

    Groups are joined while the best pair's mean similarity is at least `bounds.similarity`; inside a block first only
    from `safe` on. Equal input gives equal labels.
    """
    labels = np.arange(len(vectors))
    means, mass = vectors.astype(np.float32), weights.astype(np.float32)
    while len(means) > BLOCK:
        within = np.concatenate(_blockwise(means, mass, Bounds(safe)))
        if within.max() + 1 > 0.9 * len(means):
            within = np.concatenate(_blockwise(means, mass, bounds))
            if within.max() + 1 > 0.9 * len(means):
                break
        labels, means, mass = within[labels], *_groups(means, mass, within)
    return _join(means, mass, bounds)[labels]


def _blockwise(means: Array, mass: Array, bounds: Bounds) -> list[Labels]:
    found: list[Labels] = []
    first = 0
    for begin in range(0, len(means), BLOCK):
        part = slice(begin, begin + BLOCK)
        found.append(_join(means[part], mass[part], bounds) + first)
        first = int(found[-1].max()) + 1
    return found


def _groups(means: Array, mass: Array, labels: Labels) -> tuple[Array, Array]:
    count = int(labels.max()) + 1
    total = np.zeros(count, np.float32)
    np.add.at(total, labels, mass)
    made = np.zeros((count, means.shape[1]), np.float32)
    np.add.at(made, labels, means * mass[:, None])
    return made / total[:, None], total


def _join(means: Array, mass: Array, bounds: Bounds) -> Labels:
    """Join the most alike pair until none is alike enough or the number of groups is reached; label groups from 0."""
    count = len(means)
    owner = np.arange(count)
    if count < 2:
        return owner
    alike = means @ means.T
    np.fill_diagonal(alike, -np.inf)
    mass, best = mass.copy(), alike.argmax(1)
    height = alike[np.arange(count), best]
    for left in range(count, 1, -1):
        one = int(height.argmax())
        enough = bounds.most is None or left <= bounds.most
        if left <= bounds.fewest or (enough and height[one] < bounds.similarity):
            break
        two = int(best[one])
        row = (mass[one] * alike[one] + mass[two] * alike[two]) / (mass[one] + mass[two])
        mass[one] += mass[two]
        alike[one], alike[:, one] = row, row
        alike[one, one] = -np.inf
        alike[two], alike[:, two] = -np.inf, -np.inf
        owner[owner == two] = one
        height[two] = -np.inf
        for changed in {one, *np.flatnonzero((best == one) | (best == two)).tolist()} - {two}:
            best[changed] = alike[changed].argmax()
            height[changed] = alike[changed, best[changed]]
        closer = row > height
        best[closer], height[closer] = one, row[closer]
    return np.unique(owner, return_inverse=True)[1]
