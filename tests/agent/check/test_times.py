"""Times as documents write them, apart from times of day and numbers that only look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.times import moments
from store.clock import clock

MINUTE = 60_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at 12:34 Ben said", [(754_000, 754_000)]),
        ("[0:12:34] Ben", [(754_000, 754_000)]),
        ("12:34-12:40, then 1:00:00 to 1:00:05", [(754_000, 760_000), (3_600_000, 3_605_000)]),
        ("from 2:05 until 2:10", [(125_000, 130_000)]),
        ("32:54:04,120", [(118_444_000, 118_444_000)]),
        ("12:40-12:34", [(760_000, 760_000)]),
        ("100:00:00", [(360_000_000, 360_000_000)]),
    ],
)
def test_a_time_or_a_stretch(text: str, found: list[tuple[int, int]]) -> None:
    assert [(moment.t0, moment.t1) for moment in moments(text)] == found


@pytest.mark.parametrize(
    "text",
    ["3:30 pm", "3:30 p.m.", "10:15 Uhr", "at 12:00 UTC", "12:30 CEST", "2:1", "1:75", "a 3:2 win", "10:20:30:40",
     "1:2:3", "12:34/5", "v1.12:34", "John 3:16.5:2"],
)  # fmt: skip
def test_what_is_no_time_of_a_recording(text: str) -> None:
    assert moments(text) == []


@given(st.integers(0, 359_999), st.integers(0, 359_999), st.sampled_from(["-", "–", " to ", " - "]))
def test_what_our_clock_writes_is_read_back_with_its_place(first: int, second: int, between: str) -> None:
    t0, t1 = sorted((first * 1000, second * 1000))
    written = f"{clock(t0)}{between}{clock(t1)}"
    (found,) = moments(f"Ben ({written}) agreed")
    assert (found.t0, found.t1) == (t0, t1)
    assert f"Ben ({written}) agreed"[found.start : found.end] == written
    assert found.bracketed


def test_a_time_without_hours_may_mean_hours_and_minutes() -> None:
    (short,) = moments("at 2:05 they left")
    assert short.readings() == ((125_000, 125_000), (125 * MINUTE, 126 * MINUTE - 1))
    (whole,) = moments("at 0:02:05 they left")
    assert whole.readings() == ((125_000, 125_000),)


@pytest.mark.parametrize(
    ("text", "bracketed"), [("[2:05] Ben", True), ("(2:05)", True), ("2:05 Ben", True), ("at 2:05", False)]
)
def test_a_stamp_stands_in_brackets_or_at_the_beginning(text: str, bracketed: bool) -> None:
    assert [moment.bracketed for moment in moments(text)] == [bracketed]
