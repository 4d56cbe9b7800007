"""Which voice vectors are one voice: weighted centroid linkage that never compares all with all, and knows its doubt.

A group of unit vectors is their weighted sum and its weight, nothing else. Two groups are as alike as the cosine of
their sums, divided by what little speech takes from it: a vector of one second is half noise, so it is never very like
anything, its own voice included. That makes clustering in blocks possible: each block is first joined where it is
safe, then the groups of all blocks are joined, and a matrix never exceeds one block, however long the recording.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
BLOCK = 600
HALF_SURE = 4  # windows that give half of the bonus


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many voices there may be, and the similarity below which two groups are two voices.

    A group of weight `doubt` is half noise: its cosines are taken to be too small by the root of a half. Groups
    that are the only voice of the same windows gain up to `bonus`, by how many windows these are and how much noise.
    """

    similarity: float
    fewest: int = 1
    most: int | None = None
    doubt: float = 0.0
    bonus: float = 0.0


def cluster(
    vectors: Array,
    weights: Array,
    bounds: Bounds,
    safe: float,
    begin: Labels | None = None,
    alone: Labels | None = None,
) -> Labels:
    """Give a label to each unit vector (n, d); `weights` say how far to trust each.

    `begin` are labels of what is joined already, `alone` which vectors (k, 0) are of the only voice of which windows
    (k, 1). Groups are joined while the best pair is at least `bounds.similarity`
    alike; inside a block first only from `safe` on. Equal input gives equal labels. There are never fewer than
    `bounds.fewest` while there are vectors, never over `most`.
    """
    labels = np.arange(len(vectors)) if begin is None else begin
    heard = np.empty((0, 2), np.int64) if alone is None else alone
    sums, mass = _groups(vectors * weights[:, None], weights, labels)
    careful = replace(bounds, similarity=max(safe, bounds.similarity), most=None)
    while len(sums) > BLOCK:
        for limits in (careful, replace(careful, similarity=bounds.similarity)):
            within = _blockwise(sums, mass, limits, labels, heard)
            if within.max() + 1 <= 0.9 * len(sums):
                break
        else:
            break
        labels, (sums, mass) = within[labels], _groups(sums, mass, within)
    return _join(sums, mass, bounds, _together(labels, heard, 0, len(sums)))[labels]


def _blockwise(sums: Array, mass: Array, bounds: Bounds, labels: Labels, heard: Labels) -> Labels:
    found: list[Labels] = []
    first = 0
    for begin in range(0, len(sums), BLOCK):
        end = min(len(sums), begin + BLOCK)
        together = _together(labels, heard, begin, end)
        found.append(_join(sums[begin:end], mass[begin:end], bounds, together) + first)
        first = int(found[-1].max()) + 1
    return np.concatenate(found)


def _together(labels: Labels, heard: Labels, begin: int, end: int) -> Array:
    """Count for every two of the groups begin..end their pairs of vectors that are of one window's only voice."""
    group = labels[heard[:, 0]] - begin
    inside = (group >= 0) & (group < end - begin)
    group, window = group[inside], np.unique(heard[inside, 1], return_inverse=True)[1]
    made = np.zeros((end - begin, end - begin), np.float32)
    for first in range(0, int(window.max(initial=-1)) + 1, BLOCK):
        here = (window >= first) & (window < first + BLOCK)
        counts = np.zeros((BLOCK, end - begin), np.float32)
        np.add.at(counts, (window[here] - first, group[here]), 1)
        made += counts.T @ counts
    return made


def _groups(sums: Array, mass: Array, labels: Labels) -> tuple[Array, Array]:
    count = int(labels.max(initial=-1)) + 1
    total, made = np.zeros(count, np.float32), np.zeros((count, sums.shape[1]), np.float32)
    np.add.at(total, labels, mass)
    np.add.at(made, labels, sums)
    return made, total


def _join(sums: Array, mass: Array, bounds: Bounds, together: Array) -> Labels:
    """Join the most alike pair until none is alike enough or the number of groups is reached; label groups from 0."""
    count = len(sums)
    owner = np.arange(count)
    if count < 2:
        return owner
    dots, mass = sums @ sums.T, mass.copy()
    size = _size(dots.diagonal(), mass, bounds.doubt)
    alike = dots / (size[:, None] * size) + _gain(together, mass, mass[:, None], bounds)
    np.fill_diagonal(alike, -np.inf)
    gone = np.zeros(count, bool)
    best = alike.argmax(1)
    height = alike[np.arange(count), best]
    for left in range(count, 1, -1):
        one = int(height.argmax())
        enough = bounds.most is None or left <= bounds.most
        if left <= bounds.fewest or (enough and height[one] < bounds.similarity):
            break
        two = int(best[one])
        mass[one] += mass[two]
        for table in (dots, together):
            table[one] += table[two]
            table[:, one] += table[:, two]
        owner[owner == two] = one
        gone[two] = True
        size[one] = _size(dots[one, one], mass[one], bounds.doubt)
        row = dots[one] / (size * size[one]) + _gain(together[one], mass, mass[one], bounds)
        row[gone] = row[one] = -np.inf
        alike[one], alike[:, one] = row, row
        alike[two], alike[:, two], height[two] = -np.inf, -np.inf, -np.inf
        for changed in {one, *np.flatnonzero(((best == one) | (best == two)) & ~gone).tolist()}:
            best[changed] = alike[changed].argmax()
            height[changed] = alike[changed, best[changed]]
        closer = row > height
        best[closer], height[closer] = one, row[closer]
    return np.unique(owner, return_inverse=True)[1]


def _gain(together: Array, one: Array, two: Array, bounds: Bounds) -> Array:
    """Give what groups of these weights gain as the only voice of windows: much where their vectors say little."""
    doubt = np.float32(bounds.doubt)
    noise = 1 - one / (one + doubt) * (two / (two + doubt))
    made: Array = np.float32(bounds.bonus) * noise * together / (together + HALF_SURE)
    return made


def _size(square: Array, mass: Array, doubt: float) -> Array:
    """Give the length of a sum without the noise in it, from its square and its weight."""
    made: Array = np.sqrt(np.maximum(square * mass / (mass + np.float32(doubt)), np.float32(1e-12)))
    return made
