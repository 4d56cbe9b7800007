"""A slope is that of the least-squares line over the logarithm of the length."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agent.evals.statistics.trend import slope

ITEMS = st.lists(st.tuples(st.sampled_from([10, 30, 60, 300, 540]), st.floats(0, 1)), min_size=2, max_size=50)


@given(ITEMS.filter(lambda items: len({minutes for minutes, _ in items}) > 1))
def test_a_slope_is_scipys(items: list[tuple[int, float]]) -> None:
    minutes, scores = zip(*items, strict=True)
    logs = [math.log(minute) for minute in minutes]
    line = stats.linregress(logs, scores)
    assert slope(minutes, scores) == pytest.approx(float(line.slope) * (max(logs) - min(logs)), abs=1e-9)


def test_what_falls_from_one_to_a_half_has_lost_half_a_point() -> None:
    assert slope([10, 540], [1.0, 0.5]) == pytest.approx(-0.5)
    assert slope([10, 60, 540], [0.7, 0.7, 0.7]) == pytest.approx(0.0)
    with pytest.raises(ValueError, match="two lengths"):
        slope([10, 10], [1.0, 0.0])
