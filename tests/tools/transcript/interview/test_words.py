"""Words take their row's time by their length; scripts without blanks are counted by characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.transcript.interview.table import Said
from tools.transcript.interview.words import pieces, text_of, timed_words, tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ben, euh, oui.", ["Ben,", "euh,", "oui."]),
        ("港で生", ["港", "で", "生"]),
        ("iPhone手机 oui", ["iPhone", "手", "机", "oui"]),
        ("  ", []),
    ],
)
def test_the_words_of_a_text(text: str, found: list[str]) -> None:
    assert pieces(text) == found


@given(st.lists(st.text("abcdéè,.", min_size=1, max_size=9), min_size=1, max_size=30), st.integers(1, 60_000))
def test_words_fill_their_row_in_order(texts: list[str], ms: int) -> None:
    row = Said(5_000, 5_000 + ms, "1", " ".join(texts))
    found = timed_words(row)
    assert [word.text for word in found] == texts
    assert found[0].t0 == row.t0
    assert all(a.t0 <= b.t0 and a.t1 > a.t0 for a, b in zip(found, [*found[1:], found[-1]], strict=True))
    assert text_of(tokens([row])) == row.text
