"""import(export(x)) == x for whatever a format can hold, whoever wrote the text."""

import json
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.front.commands.export import FORMATS as OFFERED
from store.errors import DataError
from store.record import Event, Row, Segment, Turn, Word
from tests.tools.exports.written import PLAIN, TEXTS, VOICES, made, read_back, segments
from tools.exports.formats import FORMATS

ANYBODY = st.one_of(st.none(), VOICES)


def alike(rows: Iterable[Row]) -> list[Row]:
    """Give rows in one order: which of two with equal times comes first, only some formats hold."""
    return sorted(rows, key=lambda row: (row.t0, row.t1, repr(row)))


def assert_comes_back(form: str, rows: list[Row], expected: list[Row] | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found, parsed = read_back(form, made(rows), Path(folder), "speaker" if form == "rttm" else "transcript")
    assert alike(found) == alike(rows if expected is None else expected)
    assert parsed.lost == ()


@pytest.mark.parametrize("form", ["vtt", "csv", "whisperx", "textgrid", "aud", "json"])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_times_voices_and_any_text_come_back(form: str, data: st.DataObject) -> None:
    rows = data.draw(segments(TEXTS, ANYBODY if form in ("csv", "json", "whisperx", "textgrid") else VOICES))
    spoken = [replace(row, language="en") for row in rows if isinstance(row, Segment)]
    assert_comes_back(form, rows, list(spoken) if form == "whisperx" else None)


@settings(max_examples=80, deadline=None)
@given(segments(TEXTS, st.none()))
def test_tsv_holds_times_and_text(rows: list[Row]) -> None:
    assert_comes_back("tsv", rows)


@settings(max_examples=80, deadline=None)
@given(segments(PLAIN, VOICES.filter(str.istitle)))
def test_srt_holds_times_voices_and_plain_text(rows: list[Row]) -> None:
    assert_comes_back("srt", rows)


@settings(max_examples=80, deadline=None)
@given(segments(TEXTS, TEXTS.filter(lambda name: name.casefold() == name)))
def test_rttm_holds_turns_of_any_name(rows: list[Row]) -> None:
    turns: list[Row] = [Turn(row.t0, row.t1, row.speaker) for row in rows if isinstance(row, Segment) and row.speaker]
    assert_comes_back("rttm", turns)


def test_whisperx_holds_words_with_scores(tmp_path: Path) -> None:
    words = (Word(1000, 1200, "so"), Word(1300, 1900, "50%", 0.25))
    rows: list[Row] = [Segment(1000, 2000, "so 50%", "Ada", words, "en"), Segment(2000, 2500, "hm", None, (), "en")]
    found, _ = read_back("whisperx", made(rows), tmp_path)
    assert found == rows
    written = json.loads(FORMATS["whisperx"](made(rows)))
    assert written["word_segments"][1] == {"word": "50%", "start": 1.3, "end": 1.9, "score": 0.25, "speaker": "Ada"}
    assert set(written["segments"][1]) == {"start", "end", "text", "words"}


def test_whispers_tsv_is_three_columns_in_milliseconds() -> None:
    assert FORMATS["tsv"](made([Segment(1001, 2999, "so it is", "Ada")])) == "start\tend\ttext\n1001\t2999\tso it is\n"


def test_labels_mark_their_voices_as_whisperx_does(tmp_path: Path) -> None:
    rows: list[Row] = [Segment(1001, 2999, "[[well", "a]] b"), Segment(3000, 3001, "[[x]] y"), Segment(4000, 4001, "z")]
    assert FORMATS["aud"](made(rows)) == (
        "1.001000\t2.999000\t[[a] ] b]] [[well\n3.000000\t3.001000\t[[]] [[x]] y\n4.000000\t4.001000\tz\n"
    )
    found, _ = read_back("aud", made(rows), tmp_path)
    assert found == [Segment(1001, 2999, "[[well", "a] ] b"), *rows[1:]]


def test_every_format_is_offered_and_needs_its_stream() -> None:
    assert tuple(FORMATS) == OFFERED
    for form in FORMATS.keys() - {"json", "csv"}:
        with pytest.raises(DataError, match=f"has no .* stream, which {form} is made of"):
            FORMATS[form](made([Event(0, 1, "Dog", 0.5)]))
