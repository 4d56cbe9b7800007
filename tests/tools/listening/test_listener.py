"""Which numbers of voices can be asked for."""

from typing import Any

import pytest

from store.errors import UsageError
from tools.listening.listener import Choice


@pytest.mark.parametrize(
    "numbers",
    [
        {"num_speakers": 0},
        {"num_speakers": -3},
        {"min_speakers": 0},
        {"max_speakers": -1},
        {"min_speakers": 3, "max_speakers": 2},
    ],
)
def test_numbers_of_voices_that_cannot_be_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="speakers"):
        Choice(**numbers)


@pytest.mark.parametrize(
    "numbers", [{}, {"num_speakers": 1}, {"min_speakers": 2, "max_speakers": 2}, {"max_speakers": 1}]
)
def test_numbers_of_voices_that_can_be_are_kept(numbers: dict[str, Any]) -> None:
    assert Choice(**numbers).num_speakers == numbers.get("num_speakers")
