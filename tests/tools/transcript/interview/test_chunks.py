"""Chunks lie by the clock, hold every sample, and cost little more than the recording is long."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.record import Span, total
from tools.media.audio import RATE
from tools.transcript.interview.chunks import LENGTH_MS, OVERLAP_MS, cut, plan


def test_ten_minutes_that_share_half_a_minute() -> None:
    assert plan((28 * 60 + 42) * 1000) == [Span(0, 600_000), Span(570_000, 1_170_000), Span(1_140_000, 1_722_000)]


@pytest.mark.parametrize(("minutes", "most"), [(5, 5), (10, 10), (30, 32), (60, 64), (120, 128), (540, 570)])
def test_what_is_sent_is_linear_in_the_length(minutes: int, most: int) -> None:
    assert sum(span.duration for span in plan(minutes * 60_000)) <= most * 60_000


@given(st.integers(1, 40_000_000))
def test_all_is_heard_and_no_chunk_is_only_overlap(ms: int) -> None:
    spans = plan(ms)
    assert total(spans) == ms
    assert all(span.duration <= LENGTH_MS for span in spans)
    assert all(a.t1 - b.t0 == OVERLAP_MS for a, b in zip(spans, spans[1:], strict=False))
    assert len(spans) == 1 or spans[-1].duration > OVERLAP_MS


@given(st.integers(1, 1900), st.integers(1, 700))
@settings(max_examples=15, deadline=None)
def test_blocks_of_any_size_are_cut_as_planned(seconds: int, block: int) -> None:
    samples = np.repeat(np.arange(seconds, dtype=np.float32), RATE // 100)
    whole = np.repeat(samples, 100)
    blocks = (whole[at : at + block * RATE] for at in range(0, len(whole), block * RATE))
    chunks = list(cut(blocks))
    assert [chunk.span for chunk in chunks] == plan(seconds * 1000)
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert np.array_equal(chunk.samples, whole[chunk.t0 * 16 : chunk.t1 * 16])
