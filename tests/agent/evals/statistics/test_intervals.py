"""Intervals are those of the textbook: scipy's, and as wide as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agent.evals.statistics.intervals import FEWEST, Interval, bootstrap, drawable, paired, wilson

SCORES = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=1, max_size=60)


@given(st.integers(0, 400).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilsons_interval_is_scipys(counts: tuple[int, int]) -> None:
    hits, of = counts
    if of == 0:
        assert wilson(hits, of) == (0.0, 1.0)
        return
    theirs = stats.binomtest(hits, of).proportion_ci(0.95, method="wilson")
    assert wilson(hits, of) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_the_bootstrap_is_scipys() -> None:
    rng = np.random.default_rng(5)
    ours, theirs = rng.random(80), rng.random(80) * 0.8
    found = paired(list(ours), list(theirs))
    oracle = stats.bootstrap(
        (ours - theirs,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert found.value == pytest.approx(float(np.mean(ours - theirs)))
    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=0.004)


@given(SCORES, st.integers(1, 7))
def test_an_interval_lies_within_the_scores_and_is_the_same_again(scores: list[float], groups: int) -> None:
    of = [place % groups for place in range(len(scores))]
    found = bootstrap(scores, of, rounds=200)
    assert min(scores) - 1e-9 <= found.low <= found.high <= max(scores) + 1e-9
    assert bootstrap(scores, of, rounds=200) == found
    assert bootstrap(scores, of, rounds=200, seed=9).value == found.value


@given(SCORES)
def test_swapped_sides_swap_the_interval(scores: list[float]) -> None:
    zero = [0.0] * len(scores)
    there, back = paired(scores, zero, rounds=400), paired(zero, scores, rounds=400)
    assert (back.low, back.value, back.high) == pytest.approx((-there.high, -there.value, -there.low))


def test_items_that_belong_together_make_an_interval_wider() -> None:
    scores = [float(group % 2) for group in range(10) for _ in range(20)]
    groups = [group for group in range(10) for _ in range(20)]
    alone, together = bootstrap(scores), bootstrap(scores, groups)
    assert together.high - together.low > 3 * (alone.high - alone.low)


def test_ninety_five_of_a_hundred_intervals_hold_the_truth() -> None:
    rng = np.random.default_rng(3)
    held = sum(
        found.low <= 0.3 <= found.high
        for found in (bootstrap(list(rng.binomial(1, 0.3, 60).astype(float)), rounds=600) for _ in range(300))
    )
    assert 0.90 <= held / 300 <= 0.98


def test_what_does_not_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter|longer"):
        paired([1.0, 0.0], [1.0])
    with pytest.raises(ValueError, match="at least one"):
        bootstrap([])


def test_an_interval_says_on_which_side_of_nothing_it_lies() -> None:
    low, over, high = Interval(-0.2, -0.3, -0.1), Interval(0.0, -0.1, 0.1), Interval(0.2, 0.1, 0.3)
    assert [(one.below, one.above) for one in (low, over, high)] == [(True, False), (False, False), (False, True)]
    assert str(high) == "0.200 [0.100, 0.300]"


def test_few_groups_are_not_drawn_from() -> None:
    scores = [0.0, 1.0, 1.0, 0.0]
    assert drawable(["one"] * 4) is None
    assert drawable(list(range(FEWEST))) == list(range(FEWEST))
    assert bootstrap(scores, drawable(["one"] * 4)).low < 0.5 < bootstrap(scores, drawable(["one"] * 4)).high
