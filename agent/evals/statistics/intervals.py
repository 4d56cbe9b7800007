"""How sure a figure is: Wilson's interval of a share, and the paired bootstrap of a mean difference.

A bootstrap draws whole groups (the questions of one world or meeting belong together), with a seed, so that a report is
equal when it is made again.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

G = TypeVar("G", bound=Hashable)

SEED = 2026
ROUNDS = 10_000
CHUNK = 500
Z = 1.959963984540054  # of 95 %
SHARES = (2.5, 97.5)
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def below(self) -> bool:
        """Whether all of it is below 0."""
        return self.high < 0

    @property
    def above(self) -> bool:
        """Whether all of it is above 0."""
        return self.low > 0

    def __str__(self) -> str:
        """Write it with three digits."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a share; of nothing nothing is known."""
    if not of:
        return 0.0, 1.0
    share, spread = hits / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def paired(
    ours: Sequence[float],
    theirs: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Interval:
    """Give the mean difference of two scores of the same items, in the same order; ValueError when they do not pair."""
    return bootstrap([a - b for a, b in zip(ours, theirs, strict=True)], groups, rounds=rounds, seed=seed)


def drawable(groups: Sequence[G]) -> Sequence[G] | None:
    """Give the groups to draw from; None where they are so few that drawing them would tell nothing of their spread."""
    return groups if len(set(groups)) >= FEWEST else None


def bootstrap(
    scores: Sequence[float], groups: Sequence[Hashable] | None = None, *, rounds: int = ROUNDS, seed: int = SEED
) -> Interval:
    """Give the mean of scores with the percentile bootstrap's interval over groups; without them each item is one."""
    if not scores:
        raise ValueError("a bootstrap needs at least one score")
    sums, sizes = _grouped(scores, range(len(scores)) if groups is None else groups)
    rng = np.random.default_rng(seed)
    means: list[NDArray[np.float64]] = []
    for start in range(0, rounds, CHUNK):
        drawn = rng.integers(0, len(sums), (min(CHUNK, rounds - start), len(sums)))
        means.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    low, high = np.percentile(np.concatenate(means), SHARES)
    return Interval(float(sums.sum() / sizes.sum()), float(low), float(high))


def _grouped(scores: Sequence[float], groups: Sequence[Hashable]) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    sums: dict[Hashable, float] = {}
    sizes: dict[Hashable, int] = {}
    for score, group in zip(scores, groups, strict=True):
        sums[group] = sums.get(group, 0.0) + score
        sizes[group] = sizes.get(group, 0) + 1
    return np.array(list(sums.values()), float), np.array(list(sizes.values()), float)
