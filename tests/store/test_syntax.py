"""Pieces of SQL, run by SQLite: what is given as a value comes back as that value, whatever it holds."""

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from store import syntax

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)


def run(query: exp.Query, rows: str = "SELECT 1 AS id") -> list[tuple[Any, ...]]:
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE one AS {rows}")
        return connection.execute(query.sql(dialect="sqlite")).fetchall()


def of(value: exp.Condition) -> Any:
    ((found,),) = run(syntax.select(value, source="one"))
    return found


@given(TEXTS)
def test_a_text_is_that_text(value: str) -> None:
    assert of(syntax.text(value)) == value


@given(st.integers(-(2**62), 2**62), st.integers(-(2**31), 2**31))
def test_numbers_and_differences(value: int, by: int) -> None:
    assert of(syntax.number(value)) == value
    assert of(syntax.plus(syntax.number(value), by)) == value + by
    assert of(syntax.minus(syntax.number(value), syntax.number(by))) == value - by


@given(st.floats(-1e9, 1e9))
def test_a_fraction_is_that_fraction(value: float) -> None:
    assert of(syntax.number(value)) == pytest.approx(value, rel=1e-15)


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_one_of_several_texts_and_never_of_none(values: list[str], value: str) -> None:
    found = run(syntax.select("id", source="one", where=[syntax.one_of(syntax.text(value), values)]))
    assert bool(found) == (value in values)


@pytest.mark.parametrize("given_", [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
def test_a_disjunction_within_a_conjunction(given_: tuple[int, int, int]) -> None:
    first, second, third = (syntax.number(value) for value in given_)
    found = run(syntax.select("id", source="one", where=[first, syntax.either(second, third)]))
    assert bool(found) == bool(given_[0] and (given_[1] or given_[2]))


def test_null_comes_first_upwards_and_last_downwards() -> None:
    rows = "SELECT 1 AS id UNION ALL SELECT NULL UNION ALL SELECT 2"
    up = syntax.finished(syntax.select("id", source="one"), ["id"], 9)
    down = syntax.finished(syntax.select("id", source="one"), [syntax.ordered("id", descending=True)], 2)
    assert run(up, rows) == [(None,), (1,), (2,)]
    assert run(down, rows) == [(2,), (1,)]


def test_numbers_of_rows_begin_anew_in_each_part() -> None:
    rows = "SELECT 1 AS part, 5 AS id UNION ALL SELECT 1, 3 UNION ALL SELECT 2, 4"
    query = syntax.select("part", "id", *syntax.named(n=syntax.row_number(["id"], "part")), source="one")
    assert sorted(run(query, rows)) == [(1, 3, 1), (1, 5, 2), (2, 4, 1)]


def test_rows_of_several_queries_keep_what_is_equal() -> None:
    query = syntax.together([syntax.select("id", source="one") for _ in range(3)])
    assert run(query) == [(1,)] * 3


def test_what_exists_and_what_is_among() -> None:
    there = syntax.exists("one", "o", exp.EQ(this=syntax.col("id", "o"), expression=syntax.number(1)))
    among = syntax.among(syntax.number(1), syntax.select("id", source="one"))
    assert (of(there), of(among)) == (1, 1)
