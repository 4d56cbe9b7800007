"""Numbers in digits and in words are the same values; pronouns, units and clock times are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.numbers import numbers

WRITTEN = [
    ("two thousand one hundred a month, three hundred more", [2100, 300]),
    ("forty thousand of fifty five thousand euros", [40_000, 55_000]),
    ("the seventeenth of May", [17]),
    ("nineteen ninety five", [1995]),
    ("twenty twenty six", [2026]),
    ("10% or ten percent", [10, 10]),
    ("1,100.50 at 12:34 and 3", [1100.5, 3]),
    ("2.5 million", [2_500_000]),
    ("3 hundred", [300]),
    ("one hundred and five", [105]),
    ("twenty-three", [23]),
    ("two three four", [2, 3, 4]),
    ("one of them, the first or the second", []),
    ("from 1:02:03 to 2:00", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "values"), WRITTEN)
def test_a_number_is_its_value(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(text)] == values


@given(st.integers(min_value=2, max_value=10**9))
def test_digits_are_read_with_and_without_separators(value: int) -> None:
    assert [number.value for number in numbers(f"it was {value} of them")] == [value]
    assert [number.value for number in numbers(f"it was {value:,} of them")] == [value]


@given(st.text(max_size=80))
def test_numbers_lie_in_order_inside_any_text(text: str) -> None:
    found = numbers(text)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
