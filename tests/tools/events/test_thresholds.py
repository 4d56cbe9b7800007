"""Each family has its own onset, with an offset below and a surer one for a single window."""

import pytest

from tools.events.hierarchy import family, labels
from tools.events.thresholds import MEASURED, ON, Limits, Thresholds
from tools.events.windows import is_event


@pytest.mark.parametrize("on", [0.04, 0.09, 0.31, 0.5, 0.9])
def test_an_event_ends_below_where_it_begins_and_a_window_alone_must_be_surer(on: float) -> None:
    limits = Limits(on)
    assert 0 < limits.off < limits.on < limits.alone < 1


def test_the_shared_limits_are_those_of_old() -> None:
    assert Limits(ON).off == pytest.approx(0.052, abs=0.001)
    assert Limits(ON).alone == pytest.approx(0.802, abs=0.001)


def test_measured_families_are_heads_of_families_that_are_reported() -> None:
    assert all(name in labels() and family(name) == name and is_event(name) for name in MEASURED)
    assert Thresholds().of("Applause").on < ON == Thresholds().of("Whistling").on < Thresholds().of("Sigh").on
