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
LOCALS = 3  # voices that a window can tell apart
_ROWS = 10_000  # weighed at once


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many voices there may be, and the similarity below which two groups are two voices.

    Groups that are told apart in the same window lose up to `penalty`, by the share of windows in which they meet. A
    group of weight `doubt` is half noise: its cosines are taken to be too small by the root of a half.
    """

    similarity: float
    fewest: int = 1
    most: int | None = None
    penalty: float = 0.0
    doubt: float = 0.0


def cluster(
    vectors: Array,
    weights: Array,
    bounds: Bounds,
    safe: float,
    place: Labels | None = None,
    begin: Labels | None = None,
) -> Labels:
    """Give a label to each unit vector (n, d); `weights` say how far to trust each.

    `place` says where it was heard: window x 3 + local voice. `begin` are labels of what is joined already. Groups are
    joined while the best pair is at least `bounds.similarity` alike; inside a block first only from `safe` on. Equal
    input gives equal labels. There are never fewer than `bounds.fewest` while there are vectors, never over `most`.
    """
    heard = np.arange(len(vectors)) * LOCALS if place is None else place
    labels = np.arange(len(vectors)) if begin is None else begin
    sums, mass = weighed_sums(vectors, weights, labels), np.bincount(labels, weights).astype(np.float32)
    careful = replace(bounds, similarity=max(safe, bounds.similarity), most=None)
    while len(sums) > BLOCK:
        for limits in (careful, replace(careful, similarity=bounds.similarity)):
            within = _blockwise(sums, mass, limits, labels, heard)
            if within.max() + 1 <= 0.9 * len(sums):
                break
        else:
            break
        labels, (sums, mass) = within[labels], _groups(sums, mass, within)
    return _join(sums, mass, bounds, _meetings(labels, heard, 0, len(sums)))[labels]


def weighed_sums(vectors: Array, weights: Array, labels: Labels) -> Array:
    """Give the sum of each label's vectors (n, d) times their weights; hours of them are never copied whole."""
    made = np.zeros((int(labels.max(initial=-1)) + 1, vectors.shape[1]), np.float32)
    for begin in range(0, len(vectors), _ROWS):
        part = slice(begin, begin + _ROWS)
        np.add.at(made, labels[part], vectors[part] * weights[part, None])
    return made


def _blockwise(sums: Array, mass: Array, bounds: Bounds, labels: Labels, heard: Labels) -> Labels:
    found: list[Labels] = []
    first = 0
    for begin in range(0, len(sums), BLOCK):
        end = min(len(sums), begin + BLOCK)
        met = _meetings(labels, heard, begin, end)
        found.append(_join(sums[begin:end], mass[begin:end], bounds, met) + first)
        first = int(found[-1].max()) + 1
    return np.concatenate(found)


def _meetings(labels: Labels, heard: Labels, begin: int, end: int) -> Array:
    """Give in how many windows two of the groups begin..end are two local voices; the diagonal: a group's windows."""
    inside = (labels >= begin) & (labels < end)
    group, place = labels[inside] - begin, heard[inside]
    together = _together(place // LOCALS, group, end - begin)
    often = together.diagonal().copy()
    apart: Array = np.maximum(0, together - _together(place, group, end - begin))
    np.fill_diagonal(apart, often)
    return apart


def _together(place: Labels, group: Labels, count: int) -> Array:
    """Count the places that every two groups share."""
    keys = np.unique(place * count + group)
    place, group = keys // count, keys % count
    made = np.zeros((count, count), np.float32)
    for apart in range(len(keys)):
        shared = np.flatnonzero(place[apart:] == place[: len(place) - apart])
        if not len(shared):
            break
        np.add.at(made, (group[shared], group[shared + apart]), 1)
        if apart:
            np.add.at(made, (group[shared + apart], group[shared]), 1)
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
    dots, mass, often = sums @ sums.T, mass.copy(), together.diagonal().copy()
    size = _size(dots.diagonal(), mass, bounds.doubt)
    met = np.minimum(1, together / np.minimum(often[:, None], often))
    alike = dots / (size[:, None] * size) - np.float32(bounds.penalty) * met
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
        # A window where both met a third counts twice in `together`: an upper bound, hence `max`, and the 1 in `met`.
        often[one] = max(often[one], often[two], often[one] + often[two] - together[one, two])
        for table in (dots, together):
            table[one] += table[two]
            table[:, one] += table[:, two]
        owner[owner == two] = one
        gone[two] = True
        size[one] = _size(dots[one, one], mass[one], bounds.doubt)
        met = np.minimum(1, together[one] / np.minimum(often, often[one]))
        row = dots[one] / (size * size[one]) - np.float32(bounds.penalty) * met
        row[gone] = row[one] = -np.inf
        alike[one], alike[:, one] = row, row
        alike[two], alike[:, two], height[two] = -np.inf, -np.inf, -np.inf
        for changed in {one, *np.flatnonzero(((best == one) | (best == two)) & ~gone).tolist()}:
            best[changed] = alike[changed].argmax()
            height[changed] = alike[changed, best[changed]]
        closer = row > height
        best[closer], height[closer] = one, row[closer]
    return np.unique(owner, return_inverse=True)[1]


def _size(square: Array, mass: Array, doubt: float) -> Array:
    """Give the length of a sum without the noise in it, from its square and its weight."""
    made: Array = np.sqrt(np.maximum(square * mass**2 / (mass**2 + np.float32(doubt**2)), np.float32(1e-12)))
    return made
