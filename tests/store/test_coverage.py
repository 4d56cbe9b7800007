"""Durations by SQL are those of the union, held against the union in Python."""

import sqlite3

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from store.coverage import clipped, covered, reach
from store.record import Span, total
from store.syntax import col, inner, named, number, select

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30), st.sampled_from("ab")), max_size=12)


def measured(spans: list[tuple[int, int, str]], start: int | None = None, end: int | None = None) -> dict[str, int]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE turn(id INTEGER PRIMARY KEY, t0, t1, voice)")
    connection.executemany(
        "INSERT INTO turn(t0, t1, voice) VALUES(?, ?, ?)", [(t, t + ms, who) for t, ms, who in spans]
    )
    edges = [None if edge is None else number(edge) for edge in (start, end)]
    shares: list[exp.Condition] = []
    if start is not None:
        shares.append(col("t1") > number(start))
    if end is not None:
        shares.append(col("t0") < number(end))
    cut = inner(select("id", "voice", *clipped(*edges), source="turn", where=shares), "cut")
    reached = inner(select("voice", "t0", "t1", *named(reach=reach("voice")), source=cut), "reached")
    query = select("voice", exp.Sum(this=covered()), source=reached, group=["voice"])
    return dict(connection.execute(query.sql(dialect="sqlite")).fetchall())


@settings(max_examples=40, deadline=None)
@given(SPANS)
def test_the_whole(spans: list[tuple[int, int, str]]) -> None:
    union = {who: total(Span(t, t + ms) for t, ms, own in spans if own == who) for _, _, who in spans}
    assert measured(spans) == union


@settings(max_examples=40, deadline=None)
@given(SPANS, st.integers(0, 80), st.integers(1, 40))
def test_what_lies_in_a_range(spans: list[tuple[int, int, str]], start: int, length: int) -> None:
    end = start + length
    inside = [(Span(max(t, start), min(t + ms, end)), who) for t, ms, who in spans]
    union = {who: total(span for span, own in inside if own == who and span) for span, who in inside if span}
    assert measured(spans, start, end) == union
