"""Each row of a chunk lies in one piece, by where it begins; a long one that reaches into the overlap is at the end."""

from hypothesis import given
from hypothesis import strategies as st

from store.record import Span
from tools.transcript.interview.pieces import split, tail
from tools.transcript.interview.table import Said

CHUNK = Span(570_000, 1_170_000)


def rows(*seconds: int, ms: int = 2_000) -> list[Said]:
    return [Said(570_000 + at * 1000, 570_000 + at * 1000 + ms, "1", str(at)) for at in seconds]


def test_the_first_and_the_last_minute_by_where_a_row_begins() -> None:
    found = split(rows(0, 59, 60, 300, 539, 540, 598), CHUNK)
    assert [[row.text for row in piece] for piece in (found.begin, found.main, found.end)] == [
        ["0", "59"], ["60", "300", "539"], ["540", "598"],
    ]  # fmt: skip


def test_a_long_row_that_is_still_said_in_the_overlap_is_fused() -> None:
    long = Said(CHUNK.t0 + 480_000, CHUNK.t0 + 590_000, "1", "long")
    found = split([*rows(0, 300), long, *rows(592)], CHUNK)
    assert [row.text for row in found.end] == ["long", "592"]


def test_a_short_last_chunk_is_all_beginning() -> None:
    found = split(rows(0, 20, 40), Span(570_000, 615_000))
    assert ([row.text for row in found.begin], found.main, found.end) == (["0", "20", "40"], [], [])


@given(st.lists(st.integers(0, 599)), st.integers(1_000, 90_000))
def test_no_row_is_lost_and_the_order_stays(seconds: list[int], ms: int) -> None:
    given_rows = rows(*sorted(seconds), ms=ms)
    found = split(given_rows, CHUNK)
    assert [*found.begin, *found.main, *found.end] == given_rows
    assert len(found.end) <= len(tail(given_rows, CHUNK))
