"""The bound that joins are measured against is itself right: every pair looked at, in plain Python."""

import numpy as np
import pytest

from tests.benchmarks import arrays
from tests.benchmarks.arrays import Rows, Whole


def _made(seed: int, count: int) -> list[tuple[int, int, int]]:
    """Rows that touch, nest and tie, one in eight far longer than the rest."""
    dice = np.random.default_rng(seed)
    starts = dice.integers(0, 30, count) * 50
    lengths = dice.choice([1, 50, 100, 150, 1000], count)
    return sorted(((n, int(t0), int(t0 + long)) for n, (t0, long) in enumerate(zip(starts, lengths, strict=True))),
                  key=lambda row: (row[1], row[0]))  # fmt: skip


def _rows(made: list[tuple[int, int, int]]) -> Rows:
    table: Whole = np.array(made, np.int64)
    return Rows.of(table)


@pytest.mark.parametrize("seed", range(200))
def test_arrays_give_what_looking_at_every_pair_gives(seed: int) -> None:
    ours, theirs, tau = _made(seed, 12), _made(seed + 1000, 1 + seed % 9), (0, 1, 50, 2500)[seed % 4]
    wanted = []
    for _, a0, a1 in ours:
        gaps = [(max(0, p0 - a1, a0 - p1), p0, number) for number, p0, p1 in theirs]
        gap, _, best = min(gaps)
        wanted.append(best if gap <= tau else arrays.NONE)
    assert arrays.nearest(_rows(ours), _rows(theirs), tau).tolist() == wanted
    pairs = {(a, p) for a, a0, a1 in ours for p, p0, p1 in theirs if p0 < a1 and a0 < p1}
    assert {(int(a), int(p)) for a, p in arrays.overlapping(_rows(ours), _rows(theirs))} == pairs
