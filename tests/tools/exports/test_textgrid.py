"""What we write, Praat's own rules allow, and the library that others read TextGrids with reads the same."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from praatio import textgrid as library

from store.record import Row, Segment, Word
from tests.tools.exports.written import PLAIN, VOICES, made, read_back, segments
from tools.exports.formats import FORMATS

OVERLAPPING: list[Row] = [
    Segment(1000, 3000, 'he said "hi"', "Ada"),
    Segment(2000, 4000, "over herself", "Ada"),
    Segment(2500, 3500, "李", "Bob"),
    Segment(3000, 3500, "again", "Ada"),
    Segment(4000, 5000, "who?"),
]


def opened(text: str, path: Path) -> library.Textgrid:
    path.write_text(text, encoding="utf-8", newline="\n")
    return library.openTextgrid(str(path), True, "error", "rename")


def test_a_voice_that_overlaps_itself_has_a_second_tier(tmp_path: Path) -> None:
    content = made(OVERLAPPING, duration=6000)
    grid = opened(FORMATS["textgrid"](content), tmp_path / "x.TextGrid")
    assert grid.tierNames == ("Ada", "Ada_2", "Bob", "transcript")
    assert [tuple(entry) for entry in grid.tiers[0].entries] == [
        (0, 1, ""), (1, 3, 'he said "hi"'), (3, 3.5, "again"), (3.5, 6, "")
    ]  # fmt: skip
    found, parsed = read_back("textgrid", content, tmp_path)
    assert found == OVERLAPPING
    assert parsed.duration_ms == 6000


@settings(max_examples=60, deadline=None)
@given(rows=segments(PLAIN.map(str.strip), VOICES))
def test_tiers_have_no_gap_and_no_overlap_and_the_library_agrees(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    grid = opened(FORMATS["textgrid"](made(rows)), tmp_path_factory.mktemp("grid") / "x.TextGrid")
    said = [(start, end, text) for tier in grid.tiers for start, end, text in tier.entries if text]
    expected = [(row.t0 / 1000, row.t1 / 1000, row.text) for row in rows if isinstance(row, Segment)]
    assert sorted(said) == sorted(expected)
    for tier in grid.tiers:
        edges = [edge for start, end, _ in tier.entries for edge in (start, end)]
        assert edges[0] == 0
        assert edges[1:-1:2] == edges[2::2]
        assert edges[-1] == grid.maxTimestamp


def test_an_empty_transcript_is_one_silent_tier(tmp_path: Path) -> None:
    content = replace(made([], duration=5000), streams=made([Segment(0, 1, "x")]).streams)
    grid = opened(FORMATS["textgrid"](content), tmp_path / "x.TextGrid")
    assert [tuple(entry) for entry in grid.tiers[0].entries] == [(0, 5, "")]


@st.composite
def worded(draw: st.DrawFn) -> list[Row]:
    """Draw segments, of one voice overlapping at will, each in words one after the other."""
    rows = []
    for row in draw(segments(PLAIN.map(str.strip).filter(bool), st.one_of(st.none(), VOICES))):
        assert isinstance(row, Segment)
        edges = sorted(draw(st.sets(st.integers(row.t0, row.t1), max_size=8)))
        words = tuple(Word(a, b, f"w{a}") for a, b in zip(edges[::2], edges[1::2], strict=False))
        rows.append(replace(row, words=words))
    return list(rows)


@settings(max_examples=80, deadline=None)
@given(rows=worded())
def test_words_come_back_to_the_segment_they_are_in(rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found, _ = read_back("textgrid", made(rows), Path(folder))
    assert sorted(map(repr, found)) == sorted(map(repr, rows))


def test_words_that_overlap_are_cut_and_the_library_reads_them(tmp_path: Path) -> None:
    words = (Word(1000, 1400, "so"), Word(1300, 1300 + 500, "it"), Word(1800, 2000, "is"))
    content = made([Segment(1000, 2000, "so it is", "Ada", words)], duration=3000)
    grid = opened(FORMATS["textgrid"](content), tmp_path / "x.TextGrid")
    assert grid.tierNames == ("Ada", "Ada - words")
    assert [tuple(entry) for entry in grid.tiers[1].entries if entry.label] == [
        (1.0, 1.3, "so"), (1.3, 1.8, "it"), (1.8, 2.0, "is")
    ]  # fmt: skip
