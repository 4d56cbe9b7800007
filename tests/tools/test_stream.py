"""The stretch that every query may carry: floored and ceiled once, from either end, never backwards."""

import pytest
from pydantic import ValidationError

from store.record import Span
from tools.events.query import EventsQuery
from tools.stream import FOREVER, StreamQuery

DAY = 26 * 3_600_000


def asked(start: float | None = None, end: float | None = None) -> StreamQuery:
    return EventsQuery(start=start, end=end)


@pytest.mark.parametrize(
    ("start", "end", "length", "span"),
    [
        (None, None, 10_000, Span(0, FOREVER)),
        (1.0005, 2.0005, 10_000, Span(1_000, 2_001)),
        (0.1 + 0.2, None, 10_000, Span(300, FOREVER)),  # a float is rounded to a microsecond first
        (None, 0.1 + 0.2, 10_000, Span(0, 300)),
        (-1, None, 10_000, Span(9_000, FOREVER)),
        (-1.0005, None, 10_000, Span(8_999, FOREVER)),
        (None, -1, 10_000, Span(0, 9_000)),
        (None, -1.0005, 10_000, Span(0, 9_000)),
        (-3, -1, 10_000, Span(7_000, 9_000)),
        (-3, -1, 2_000, Span(0, 1_000)),
        (-3, -2.5, 2_000, Span(0, 0)),
        (1, -1, 10_000, Span(1_000, 9_000)),
        (5, -6, 10_000, Span(5_000, 4_000)),
        (-60, 30, 3_600_000, Span(3_540_000, 30_000)),
        (25 * 3600, None, DAY, Span(25 * 3_600_000, FOREVER)),
        (-3600, None, DAY, Span(25 * 3_600_000, FOREVER)),
        (0, 0.0004, 10_000, Span(0, 1)),
    ],
)
def test_a_stretch_in_a_recording_of_a_length(start: float | None, end: float | None, length: int, span: Span) -> None:
    query = asked(start, end)
    assert query.within(length) == span
    assert query.from_the_end == any(at is not None and at < 0 for at in (start, end))
    if not query.from_the_end:
        assert query.span == span


@pytest.mark.parametrize("length", [0, 1, 999])
@pytest.mark.parametrize("stretch", [(-5, None), (None, -5), (-5, -4), (0, -5), (-5, 5)])
def test_a_recording_that_is_shorter_holds_what_it_can(length: int, stretch: tuple[float | None, float | None]) -> None:
    span = asked(*stretch).within(length)
    assert span.t0 >= 0
    assert span.t1 >= 0


@pytest.mark.parametrize(
    "args",
    [
        {"start": 5, "end": 5},
        {"start": 5, "end": 4},
        {"start": -1, "end": -1},
        {"start": -1, "end": -2},
        {"start": float("nan")},
        {"end": float("inf")},
        {"nth": 0},
        {"nth": 1.5},
        {"start": "x"},
        {"until": 3},
    ],
)
def test_what_is_no_stretch_is_refused(args: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EventsQuery.model_validate(args)


@pytest.mark.parametrize(
    "args", [{"start": 5, "end": -5}, {"start": -5, "end": 5}, {"start": 0, "end": 0.001}, {"nth": -1}]
)
def test_what_may_be_one_is_taken(args: dict[str, object]) -> None:
    assert EventsQuery.model_validate(args)
