import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.record import Span, is_generic, total, union

SPANS = st.lists(
    st.builds(lambda t0, length: Span(t0, t0 + length), st.integers(0, 60), st.integers(0, 20)), max_size=12
)


@given(SPANS)
def test_the_union_covers_the_same_milliseconds_without_overlap(spans: list[Span]) -> None:
    covered = {ms for span in spans for ms in range(span.t0, span.t1)}
    merged = union(spans)
    assert [ms for span in merged for ms in range(span.t0, span.t1)] == sorted(covered)
    assert all(a.t1 < b.t0 for a, b in zip(merged, merged[1:], strict=False))
    assert total(spans) == len(covered)


@given(SPANS.filter(lambda spans: len(spans) >= 2))
def test_spans_overlap_or_have_a_gap(spans: list[Span]) -> None:
    one, two = spans[:2]
    shared = set(range(one.t0, one.t1)) & set(range(two.t0, two.t1))
    if one and two:
        assert one.overlaps(two) == bool(shared)
        assert one.gap(two) == two.gap(one)
        assert not (one.overlaps(two) and one.gap(two))


@pytest.mark.parametrize(
    "label",
    [
        "SPEAKER_00",
        "spk00",
        "S1",
        "Speaker 1",
        "3",
        "unknown",
        "Participant 4",
        "voice-2",
        "Unknown Speaker",
        " speaker_1 ",
    ],
)
def test_a_form_is_no_name(label: str) -> None:
    assert is_generic(label)


@pytest.mark.parametrize("label", ["Anna", "Sam", "S. Miller", "Speaker Pelosi", "Voicu", "R2D2", "Spike 1", "Персона"])
def test_a_name_is_no_form(label: str) -> None:
    assert not is_generic(label)
