"""Stretches fit, hold every row, and begin with what led to them; never across two recordings."""

from hypothesis import given
from hypothesis import strategies as st

from agent.brains.citing import sizes
from agent.routes.spans import OVERLAP, spans
from tools.evidence import EvidenceRow


def rows(lengths: list[tuple[int, int]]) -> list[EvidenceRow]:
    return [
        EvidenceRow("transcript", n, f"r-{where}", n * 1_000, n * 1_000 + 900, "Ada", "word " * size)
        for n, (size, where) in enumerate(lengths)
    ]


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 2)), max_size=60), st.integers(40, 400))
def test_every_row_is_read_and_no_stretch_is_too_long(lengths: list[tuple[int, int]], room: int) -> None:
    said = rows(lengths)
    found = spans(said, room)
    assert {row for span in found for row in span} == set(said)
    for span in found:
        assert len({row.recording for row in span}) == 1
        assert [row.id for row in span] == sorted(row.id for row in span)
        assert len(span) == 1 or sum(sizes(span)) <= room * 1.5
    assert sum(map(len, found)) <= len(said) + OVERLAP * len(found)


def test_a_stretch_begins_with_the_end_of_the_one_before() -> None:
    found = spans(rows([(8, 0)] * 40), 200)
    assert len(found) > 2
    for before, after in zip(found, found[1:], strict=False):
        assert after[:OVERLAP] == before[-OVERLAP:]
