"""Calibration against plain definitions."""

import itertools
import random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agent.evals.statistics.calibration import aurc, ece, risk_coverage

PAIRS = st.lists(st.tuples(st.sampled_from([0.05, 0.2, 0.45, 0.5, 0.99, 1.0]), st.booleans()), min_size=1, max_size=40)


@given(PAIRS)
def test_the_error_is_that_of_bins_of_equal_width(pairs: list[tuple[float, bool]]) -> None:
    sure = np.array([one for one, _ in pairs])
    good = np.array([float(one) for _, one in pairs])
    edges = np.linspace(0, 1, 11)
    mean_sure, *_ = stats.binned_statistic(sure, sure, "mean", bins=edges)
    mean_good, *_ = stats.binned_statistic(sure, good, "mean", bins=edges)
    size, *_ = stats.binned_statistic(sure, sure, "count", bins=edges)
    oracle = np.nansum(np.abs(mean_sure - mean_good) * size) / len(pairs)
    assert ece(pairs) == pytest.approx(float(oracle))


@given(PAIRS)
def test_risk_is_the_share_of_wrong_ones_among_the_surest(pairs: list[tuple[float, bool]]) -> None:
    curve = risk_coverage(pairs)
    levels = sorted({sure for sure, _ in pairs}, reverse=True)
    for level, (coverage, risk) in zip(levels, curve, strict=True):
        kept = [good for sure, good in pairs if sure >= level]
        assert (coverage, risk) == (len(kept) / len(pairs), kept.count(False) / len(kept))
    assert curve[-1][0] == 1


@given(st.lists(st.tuples(st.sampled_from([0.3, 0.6, 0.9]), st.booleans()), min_size=1, max_size=6))
def test_the_area_is_the_mean_over_all_orders_of_equally_sure_replies(pairs: list[tuple[float, bool]]) -> None:
    areas = []
    for order in itertools.permutations(pairs):
        if [sure for sure, _ in order] == sorted((sure for sure, _ in pairs), reverse=True):
            risks = [sum(not good for _, good in order[:n]) / n for n in range(1, len(order) + 1)]
            areas.append(fmean(risks))
    assert aurc(pairs) == pytest.approx(fmean(areas))


@given(PAIRS)
def test_the_order_of_the_items_changes_nothing(pairs: list[tuple[float, bool]]) -> None:
    other = pairs.copy()
    random.Random(1).shuffle(other)
    assert aurc(other) == pytest.approx(aurc(pairs))
    assert risk_coverage(other) == risk_coverage(pairs)


def test_sure_where_right_and_unsure_where_wrong_is_better_than_the_reverse() -> None:
    good = [(0.9, True)] * 8 + [(0.2, False)] * 2
    bad = [(0.2, True)] * 8 + [(0.9, False)] * 2
    assert aurc(good) < aurc(bad)
    assert ece([(1.0, True), (0.0, False)]) == 0
