from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.clock import clock, clock_time, end_ms, parse_time, seconds, start_ms

WEEK = 7 * 24 * 3600 * 1000


@given(st.integers(0, WEEK))
def test_a_whole_millisecond_comes_back_unchanged(ms: int) -> None:
    assert start_ms(seconds(ms)) == ms
    assert end_ms(seconds(ms)) == ms
    assert start_ms(repr(seconds(ms))) == ms


@given(st.decimals(0, WEEK, places=6))
def test_starts_are_floored_and_ends_ceiled(time: Decimal) -> None:
    start, end = start_ms(time), end_ms(time)
    assert Decimal(start) / 1000 <= time <= Decimal(end) / 1000
    assert end - start == (0 if time * 1000 == int(time * 1000) else 1)


@pytest.mark.parametrize(
    ("text", "ms"),
    [("12:34", 754_000), ("1:02:03.5", 3_723_500), ("00:00:01,249", 1249), ("99:59:59", 359_999_000), ("7.25", 7250)],
)
def test_times_in_files_are_read(text: str, ms: int) -> None:
    assert start_ms(parse_time(text)) == ms


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("0:0:4,8", "4.8"),
        ("00:00:0,500", "0.5"),
        ("00:00:01,249.0999999", "1.2490999999"),
        ("12:34", "754"),
        ("-00:00:00.400", "-0.4"),
        ("100:00:00.000", "360000"),
    ],
)
def test_c05_tolerant_times_are_exact(text: str, exact: str) -> None:
    assert clock_time(text) == Decimal(exact)
    assert parse_time(text) == Decimal(exact)


@pytest.mark.parametrize("text", ["", "now", "1:2:3:4", "nan", "inf", "0x10"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no time"):
        parse_time(text)


@pytest.mark.parametrize(
    ("ms", "shown"), [(0, "0:00"), (754_999, "12:34"), (3_600_000, "1:00:00"), (450_000_000, "125:00:00")]
)
def test_people_read_minutes_and_hours(ms: int, shown: str) -> None:
    assert clock(ms) == shown


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_number_is_no_time(value: float) -> None:
    with pytest.raises(ValueError, match="no time"):
        start_ms(value)
