"""A number that was rounded is what was said, and one that was not is not."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.claims import Claim
from agent.check.figures import readings, rounded
from agent.check.words import words

EN = words("en")


def claim(value: str, before: str = "") -> Claim:
    return Claim("number", value, 1, value, value=Decimal(value), beside=(before, ""))


@pytest.mark.parametrize(
    ("claimed", "before", "said", "same"),
    [
        ("12.5", "", "12.48", True),
        ("12", "", "12.48", True),
        ("13", "", "12.5", True),
        ("12", "", "12.9", True),
        ("12.4", "", "12.48", True),
        ("12.6", "", "12.48", False),
        ("12", "", "12", False),
        ("110", "", "105", False),
        ("100", "about", "109", True),
        ("100", "about", "112", False),
        ("100", "exactly", "109", False),
        ("12", "", "-12.2", False),
    ],
)
def test_what_is_a_rounding(claimed: str, before: str, said: str, same: bool) -> None:
    assert rounded(claim(claimed, before), Decimal(said), EN) is same


@given(st.decimals(-1_000, 1_000, places=3), st.integers(0, 2))
def test_a_rounding_is_never_further_away_than_its_last_digit(said: Decimal, places: int) -> None:
    step = Decimal(1).scaleb(-places)
    for off in range(-3, 4):
        claimed = said.quantize(step) + off * step
        if rounded(claim(str(claimed)), said, EN):
            assert abs(claimed - said) < step


def test_nothing_is_a_rounding_of_nothing_or_of_what_no_number_holds() -> None:
    assert not rounded(claim("12"), None, EN)
    assert not rounded(Claim("number", "x", 1, "x"), Decimal("1.5"), EN)
    assert not rounded(claim("12"), Decimal("1e400"), EN)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("12.50", ["12.50", "12"]),
        ("12.5", ["12.5", "12"]),
        ("12.505", ["12.505"]),
        ("12", ["12"]),
        ("12.00", ["12.00"]),
    ],
)
def test_a_price_may_be_said_in_two_parts(value: str, found: list[str]) -> None:
    assert [str(one) for one in readings(Decimal(value))] == found
    assert readings(None) == ()
