"""A chunk's clock: drift is corrected where the voices say so clearly, left and told where they do not."""

import pytest

from store.record import Span
from tests.tools.transcript.interview.world import script
from tools.transcript.interview.table import Said
from tools.transcript.interview.timing import timed

CHUNK = Span(570_000, 1_170_000)
LINES = [line for line in script(21, seed=2) if CHUNK.t0 <= line.t0 and line.t1 <= CHUNK.t1]
SPEECH = [Span(line.t0, line.t1) for line in LINES]


def said(rate: float = 1.0, late: int = 0) -> list[Said]:
    """The rows as a chunk's reply has them, in whole seconds of its own clock, which runs at another rate."""
    times = [[round(((at - CHUNK.t0) * rate + late) / 1000) * 1000 for at in (line.t0, line.t1)] for line in LINES]
    return [Said(t0, t1, line.voice, line.text) for (t0, t1), line in zip(times, LINES, strict=True)]


@pytest.mark.parametrize(("rate", "late"), [(0.99, 0), (1.008, 0), (1.0, -4_000), (0.994, 2_000)])
def test_a_drift_is_taken_out(rate: float, late: int) -> None:
    found = timed(said(rate, late), CHUNK, 1, SPEECH)
    assert max(abs(row.t0 - line.t0) for row, line in zip(found.rows, LINES, strict=True)) < 1_500
    assert "moved" in (found.note or "")
    assert {row.chunk for row in found.rows} == {1}


def test_times_that_fit_stay() -> None:
    found = timed(said(), CHUNK, 1, SPEECH)
    assert [(row.t0, row.t1) for row in found.rows] == [(line.t0, line.t1) for line in LINES]
    assert found.note is None


def test_times_that_fit_nowhere_stay_and_are_told() -> None:
    spread = [Said(n * 12_000, n * 12_000 + 4_000, row.voice, row.text) for n, row in enumerate(said())]
    found = timed(spread[:50], CHUNK, 1, SPEECH)
    assert [row.t0 for row in found.rows] == [row.t0 + CHUNK.t0 for row in spread[:50]]


def test_a_row_without_length_lasts_as_its_text_needs_until_the_next() -> None:
    rows = [Said(1_000, 1_000, "1", "Oui."), Said(5_000, 4_000, "1", "x" * 100), Said(7_000, 9_000, "2", "Non.")]
    found = timed(rows, Span(0, 20_000), 0, [])
    assert [(row.t0, row.t1) for row in found.rows] == [(1_000, 1_500), (5_000, 7_000), (7_000, 9_000)]


def test_rows_come_in_order_of_time() -> None:
    rows = [Said(7_000, 9_000, "2", "b"), Said(1_000, 2_000, "1", "a")]
    assert [row.text for row in timed(rows, Span(0, 20_000), 0, []).rows] == ["a", "b"]
