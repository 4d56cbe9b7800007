"""Impossible times: clamped when under a second off, else set aside, and always counted."""

from hypothesis import given
from hypothesis import strategies as st

from store.record import Segment, Turn, Word
from tools.imports.fit import fit
from tools.imports.parsed import Placed

TIMES = st.integers(-5_000, 70_000)


@given(st.lists(st.tuples(TIMES, TIMES), max_size=30), st.one_of(st.none(), st.integers(1, 60_000)))
def test_every_row_is_kept_inside_or_counted(spans: list[tuple[int, int]], duration: int | None) -> None:
    fitted = fit([Placed(at, Turn(t0, t1, "a")) for at, (t0, t1) in enumerate(spans)], duration)
    assert sorted([placed.at for placed in fitted.rows] + list(fitted.aside)) == list(range(len(spans)))
    for placed in fitted.rows:
        assert 0 <= placed.row.t0 < placed.row.t1
        assert duration is None or placed.row.t1 <= duration
        t0, t1 = spans[placed.at]
        moved = (placed.row.t0, placed.row.t1) != (t0, t1 + 1 if t1 == t0 else t1)
        assert moved == (placed.at in fitted.clamped)
        assert abs(placed.row.t0 - t0) <= 1000
        assert abs(placed.row.t1 - t1) <= 1000
    for at in fitted.aside:
        t0, t1 = spans[at]
        assert t0 - t1 >= 1000 or min(t0, t1) <= -1000 or (duration is not None and max(t0, t1) >= duration + 1000)
    assert [p.row.t0 for p in fitted.rows] == sorted(p.row.t0 for p in fitted.rows)


def test_c17_a_last_end_just_beyond_is_clamped_and_drift_is_flagged() -> None:
    fitted = fit([Placed(1, Turn(29_000, 30_020, "a")), Placed(2, Turn(780_000, 783_000, "a"))], 30_000)
    assert [placed.row for placed in fitted.rows] == [Turn(29_000, 30_000, "a")]
    assert (fitted.clamped, fitted.aside, fitted.beyond_ms) == ((1,), (2,), 753_000)


def test_words_stay_inside_their_segment() -> None:
    segment = Segment(0, 1000, "a b", words=(Word(-5, 10, "a"), Word(990, 4000, "b")))
    (placed,) = fit([Placed(1, segment)], None).rows
    assert isinstance(placed.row, Segment)
    assert placed.row.words == (Word(0, 10, "a"), Word(990, 1000, "b"))


def test_an_end_before_its_start_is_told_even_when_it_is_near() -> None:
    fitted = fit([Placed(1, Turn(10_000, 9_500, "a")), Placed(2, Turn(5, 5, "a")), Placed(3, Turn(9, 10, "a"))], None)
    assert [placed.row for placed in fitted.rows] == [Turn(5, 6, "a"), Turn(9, 10, "a"), Turn(10_000, 10_001, "a")]
    assert (fitted.clamped, fitted.aside) == ((1,), ())
