"""Paragraphs hold every word in order, whoever pauses, overlaps, has no name or writes without blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.record import Segment
from tools.exports.paragraphs import LONG, PAUSE_MS, Paragraph, paragraphs

DAY = 25 * 3_600_000


@pytest.mark.parametrize(
    ("segments", "made"),
    [
        ([], []),
        ([Segment(0, 1, "x", None)], [Paragraph(0, 1, None, "x")]),
        ([Segment(0, 1, "a", "A"), Segment(1, 2, "b", "A")], [Paragraph(0, 2, "A", "a b")]),
        ([Segment(0, 1, "a", "A"), Segment(1, 2, "b", None)], [Paragraph(0, 1, "A", "a"), Paragraph(1, 2, None, "b")]),
        ([Segment(0, 9, "a", "A"), Segment(1, 2, "b", "A")], [Paragraph(0, 9, "A", "a b")]),  # the end is the latest
        # a pause after a sentence begins anew, to the millisecond; one within a sentence does not
        (
            [Segment(0, 1, "So.", "A"), Segment(1 + PAUSE_MS, DAY, "And", "A")],
            [Paragraph(0, 1, "A", "So."), Paragraph(1 + PAUSE_MS, DAY, "A", "And", True)],
        ),
        ([Segment(0, 1, "So.", "A"), Segment(PAUSE_MS, DAY, "And", "A")], [Paragraph(0, DAY, "A", "So. And")]),
        ([Segment(0, 1, "So", "A"), Segment(DAY, DAY + 1, "on", "A")], [Paragraph(0, DAY + 1, "A", "So on")]),
        (
            [Segment(0, 1, "“So.”)", "A"), Segment(DAY, DAY + 1, "b", "A")],
            [Paragraph(0, 1, "A", "“So.”)"), Paragraph(DAY, DAY + 1, "A", "b", True)],
        ),
        ([Segment(0, 1, "会議", "A"), Segment(1, 2, "を始める。", "A")], [Paragraph(0, 2, "A", "会議を始める。")]),
        ([Segment(0, 1, "会議", "A"), Segment(1, 2, "now", "A")], [Paragraph(0, 2, "A", "会議 now")]),
        ([Segment(0, 1, "회의", "A"), Segment(1, 2, "시작", "A")], [Paragraph(0, 2, "A", "회의 시작")]),
        # the one who goes on after another is not going on
        (
            [Segment(0, 1, "a.", "A"), Segment(1, 2, "b", "B"), Segment(DAY, DAY + 1, "c", "A")],
            [Paragraph(0, 1, "A", "a."), Paragraph(1, 2, "B", "b"), Paragraph(DAY, DAY + 1, "A", "c")],
        ),
    ],
)
def test_what_one_voice_says_in_a_row_is_a_paragraph(segments: list[Segment], made: list[Paragraph]) -> None:
    assert paragraphs(segments) == made


def test_a_long_paragraph_ends_with_a_sentence() -> None:
    line = "word " * 30 + "end."
    found = paragraphs([Segment(n, n + 1, line, "A") for n in range(40)])
    assert all(LONG < len(one.text) <= LONG + len(line) + 1 for one in found[:-1])
    assert [one.goes_on for one in found] == [False] + [True] * (len(found) - 1)
    endless = paragraphs([Segment(n, n + 1, "and so on", "A") for n in range(400)])
    assert len(endless) == 1


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b.", "字。", "字", "x …", "!"]),
            st.sampled_from(["A", "B", None]),
            st.integers(1, 9_000),
        )
    )
)
def test_every_word_stays_in_order(said: list[tuple[str, str | None, int]]) -> None:
    segments, at = [], 0
    for text, speaker, length in said:
        segments.append(Segment(at, at + length, text, speaker))
        at += length
    found = paragraphs(segments)
    assert "".join("".join(one.text.split()) for one in found) == "".join("".join(text.split()) for text, *_ in said)
    assert all(one.t0 < one.t1 for one in found)
    assert not any(a.speaker == b.speaker and not b.goes_on for a, b in zip(found, found[1:], strict=False))
