"""Packed numbers are the very same when they are read, whatever they are, and few bytes where they are usual."""

import math
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.packing import coded, decoded, folded, pack, unfolded, unpack

FLOATS = st.floats() | st.integers(-(10**9), 10**9).map(lambda whole: whole / 10**4)


def _bits(value: float | None) -> bytes | None:
    return None if value is None else struct.pack("<d", value)


@given(st.lists(st.integers(0)))
def test_whole_numbers_of_any_size(numbers: list[int]) -> None:
    assert unpack(pack(numbers)) == numbers


@given(st.integers())
def test_negative_ones_fold_into_positive_ones_as_near_to_zero(number: int) -> None:
    assert unfolded(folded(number)) == number
    assert folded(number) in (2 * abs(number), 2 * abs(number) - 1)


@given(st.none() | FLOATS)
@example(-0.0)
@example(0.1 + 0.2)
@example(1e16)
@example(5e-324)
@example(0.1234567)
@example(-0.12345678)
@example(9007199254740993.0)
def test_a_float_keeps_every_bit(value: float | None) -> None:
    assert _bits(decoded(coded(value))) == _bits(value)


@pytest.mark.parametrize(
    ("value", "size"), [(None, 1), (0.0, 1), (1.0, 1), (0.9, 1), (0.874, 2), (0.2047, 2), (0.9999, 3), (-24.68, 3)]
)
def test_a_rounded_float_is_few_bytes(value: float | None, size: int) -> None:
    assert len(pack([coded(value)])) == size


def test_a_float_of_all_its_digits_takes_two_bytes_more_than_its_own() -> None:
    assert len(pack([coded(math.pi)])) == 10
