"""Sentences of a document end where a reader would end them, and long ones are cut, without a letter lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.sentences import LONGEST, pieces, sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is. It was!  Is it?", ["It is. ", "It was!  ", "Is it?"]),
        ("Dr. Smith met A. Jones at 3.5 p.m. sharp.", ["Dr. Smith met A. Jones at 3.5 p.m. sharp."]),
        ("他说。然后呢？", ["他说。", "然后呢？"]),
        ("(It is.) And then", ["(It is.) ", "And then"]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_its_sentences(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == found


@given(st.text(alphabet="ab .!?。", max_size=3_000) | st.text(max_size=80))
def test_no_letter_is_lost_and_none_comes_twice(text: str) -> None:
    assert "".join(text[start:end] for start, end in sentences(text)).strip() == text.strip()
    assert "".join(text[start:end] for start, end in pieces(text)).strip() == text.strip()


def test_a_long_quote_is_cut_where_it_can_be_read() -> None:
    said = "So we wait for the rent. " * 60
    parts = [said[start:end] for start, end in pieces(said)]
    assert all(len(part) <= LONGEST and part.strip().endswith(".") for part in parts)


@pytest.mark.parametrize("text", ["x" * 5_000, "so we wait " * 200 + ". Then we go.", "We go. " + "so we wait " * 200])
def test_no_piece_is_too_long_to_read_wherever_it_stands(text: str) -> None:
    assert all(0 < end - start <= 2 * LONGEST for start, end in pieces(text))
