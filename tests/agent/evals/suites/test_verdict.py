"""One number: what is printed, what is needed and the exit code never disagree."""

from argparse import ArgumentTypeError
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.suites.verdict import Verdict, percent
from agent.front.commands.eval_run import share

COUNT = st.integers(0, 3000)


@given(COUNT, COUNT, COUNT, st.fractions(0, 1, max_denominator=1000))
def test_line_and_exit_code_come_from_the_same_share(passed: int, failed: int, skipped: int, needed: Fraction) -> None:
    verdict = Verdict(passed, failed, skipped, needed)
    met = passed + failed > 0 and passed >= needed * (passed + failed)
    assert verdict.met == met
    assert int(verdict.exit) == (0 if met else 1)
    assert verdict.line.startswith("PASSED: " if met else "MISSED: ")


@given(st.fractions(0, 1))
def test_a_share_is_never_shown_as_more_than_it_is(rate: Fraction) -> None:
    shown = percent(rate)
    if shown == "under 0.1 %":
        assert 0 < rate < Fraction(1, 1000)
        return
    given_as = Fraction(shown.removesuffix(" %")) / 100
    assert given_as <= rate < given_as + Fraction(1, 1000)
    assert (shown == "100 %") == (rate == 1)
    assert (shown == "0 %") == (rate == 0)


def test_what_just_missed_does_not_look_like_it_was_reached() -> None:
    assert Verdict(8999, 1001, 0, Fraction(9, 10)).line == (
        "MISSED: 8999 of 10000 cases passed (89.9 %); 90 % needed"
    )  # fmt: skip
    assert Verdict(9, 1, 3, Fraction(9, 10)).line == "PASSED: 9 of 10 cases passed (90 %), 3 skipped; 90 % needed"


def test_a_run_that_asked_nothing_is_no_pass_whatever_is_needed() -> None:
    verdict = Verdict(0, 0, 5, Fraction(0))
    assert (verdict.met, int(verdict.exit), verdict.line) == (False, 1, "MISSED: no case was asked, 5 skipped")


def test_a_share_is_read_exactly() -> None:
    assert [share(text) for text in ("0.9", "90%", " 90 %", "1", "0", "2/3")] == [
        Fraction(9, 10), Fraction(9, 10), Fraction(9, 10), 1, 0, Fraction(2, 3),
    ]  # fmt: skip
    for text in ("90", "-0.1", "nan", "inf", "", "1e400", "a", "101%", "1/0"):
        with pytest.raises(ArgumentTypeError):
            share(text)
