"""Unions are intersected exactly, and runs of equal rows are counted."""

from hypothesis import given
from hypothesis import strategies as st

from store.record import Span, union
from tools.health.finding import Told, runs, shared_ms, spans

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda each: Span(each[0], each[0] + each[1])))


@given(SPANS, SPANS)
def test_shared_time_is_what_lies_in_both(one: list[Span], other: list[Span]) -> None:
    def inside(spans: list[Span]) -> set[int]:
        return {ms for span in spans for ms in range(span.t0, span.t1)}

    assert shared_ms(union(one), union(other)) == len(inside(one) & inside(other))


def test_spans_are_widened_and_short_rows_left_out() -> None:
    rows = [Told(100, 200), Told(250, 1_300), Told(1_400, 2_500)]
    assert spans(rows, pad_ms=100, least_ms=500) == [Span(150, 2_600)]


def test_rows_that_say_nothing_repeat_nothing() -> None:
    said = ["a", "a", "", "", "b", "b", "b"]
    assert runs([Told(n, n + 1, text) for n, text in enumerate(said)]) == [2, 1, 1, 3]
