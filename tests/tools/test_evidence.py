"""Rows as evidence: an excerpt never shows what is not there, and what is said goes on over a border."""

from hypothesis import given
from hypothesis import strategies as st

from tools.evidence import EvidenceRow, excerpt


@given(st.text("ab cé\n", max_size=60), st.integers(1, 40))
def test_an_excerpt_is_the_beginning_of_its_text_and_ends_with_a_word(text: str, most: int) -> None:
    found = excerpt(text, most)
    plain = text.strip()
    if len(plain) <= most:
        assert found == plain
        return
    begun, mark = found[:-2], found[-2:]
    assert mark == " …"
    assert plain.startswith(begun)
    assert len(begun) <= most
    assert " " not in plain[:most] or plain[len(begun)] == " "


def test_what_is_said_goes_on_in_the_rows_behind() -> None:
    last = EvidenceRow("transcript", 3, "one", 20, 30, text="Monday")
    silent = EvidenceRow("transcript", 2, "one", 10, 20)
    first = EvidenceRow("transcript", 1, "one", 0, 10, text="not before", onward=(silent, last))
    assert (first.said, silent.said) == ("not before Monday", "")
