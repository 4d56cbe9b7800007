"""Our printf writes what SQLite's writes, where widths are small; what SQLite would do besides is refused."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.printf import printf

FLAGS = st.sampled_from(["", "-", "+", " ", "0", "-+"])
WIDTHS = st.sampled_from(["", "1", "7", "12"])
ANY = st.one_of(st.integers(-(2**40), 2**40), st.floats(-1e6, 1e6), st.text("abc", max_size=6), st.none())


def sqlite(template: str, *values: object) -> str:
    marks = "".join(", ?" for _ in values)
    found = sqlite3.connect(":memory:").execute(f"SELECT printf(?{marks})", (template, *values)).fetchone()[0]
    return str(found)


@given(FLAGS, WIDTHS, st.sampled_from("di"), st.integers(-(2**40), 2**40))
def test_whole_numbers(flags: str, width: str, kind: str, value: int) -> None:
    template = f"<%{flags}{width}{kind}>"
    assert printf(template, value) == sqlite(template, value)


@given(FLAGS, WIDTHS, st.sampled_from(["", ".0", ".2", ".6"]), st.integers(-(10**5), 10**5))
def test_fractions(flags: str, width: str, digits: str, thirds: int) -> None:
    value = thirds / 3  # never half-way, where SQLite rounds up and Python to even
    template = f"<%{flags}{width}{digits}f>"
    assert printf(template, value) == sqlite(template, value)


@given(st.sampled_from(["", "-"]), WIDTHS, st.text("abc%_ ", max_size=9))
def test_texts(flag: str, width: str, value: str) -> None:
    # SQLite counts a width in bytes, and so breaks columns of other scripts; ours counts letters.
    template = f"%d|%{flag}{width}s|100%%"
    assert printf(template, 7, value) == sqlite(template, 7, value)


@given(st.lists(ANY, max_size=3))
def test_too_few_and_too_many_values(values: list[object]) -> None:
    assert printf("%d %s", *values[:1]) == sqlite("%d %s", *values[:1])
    assert printf("%s", *values) == sqlite("%s", *values[:1])


@pytest.mark.parametrize("template", ["%900000000c", "%.900d", "%123d", "%n", "%p", "50%", "%*d", "%ld"])
def test_what_it_does_not_know_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="printf knows"):
        printf(template, 1, 2)


@pytest.mark.parametrize("value", [1.0, 0.1 + 0.2, -0.0, 1e20, 1.5e-7, 1e15, 123456.75, 12, "12", 9e999, -9e999])
def test_a_number_as_a_text_or_as_a_whole_one(value: float | str) -> None:
    assert printf("%s %d", value, value) == sqlite("%s %d", value, value)


def test_nothing_is_written_of_null() -> None:
    assert printf(None, 1) is None
    assert printf("[%s]", None) == "[]"
