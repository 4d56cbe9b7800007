"""Tab-separated transcripts: Whisper's milliseconds, and the interview pipeline's clocks and names."""

import pytest

from store.errors import DataError
from store.record import Row, Segment
from tools.imports import tsv
from tools.imports.parsed import Parsed


def rows(parsed: Parsed) -> list[Row]:
    return [placed.row for placed in parsed.rows]


def test_whisper_writes_milliseconds() -> None:
    parsed = tsv.read("start\tend\ttext\n0\t1500\thello\n1500\t61000\tworld\n")
    assert rows(parsed) == [Segment(0, 1500, "hello"), Segment(1500, 61_000, "world")]


def test_the_interview_pipeline_names_its_voices_and_leaves_bad_lines_visible() -> None:
    text = (
        "Diarization Speaker_1:Ada Lovelace\\Speaker_2:Bob\n"
        "1\t00:00:01\t00:00:04\tEuh, bonjour\n"
        "Speaker_2\t00:00:04\t00:00:04\toui\n"
        "this line is broken\n"
        "3\t01:00:00\t01:00:02\tqui est-ce\n"
    )
    parsed = tsv.read(text)
    assert rows(parsed) == [
        Segment(1000, 4000, "Euh, bonjour", "Ada Lovelace"),
        Segment(4000, 4000, "oui", "Bob"),
        Segment(3_600_000, 3_602_000, "qui est-ce", "3"),
    ]
    assert parsed.lost == (4,)


def test_seconds_with_a_point_are_seconds() -> None:
    parsed = tsv.read("speaker\tstart\tend\ttext\nAda\t0.5\t1.25\thello\n")
    assert rows(parsed) == [Segment(500, 1250, "hello", "Ada")]


@pytest.mark.parametrize("text", ["", "start\tend\ttext\n", "a\tb\tc\n"])
def test_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="no transcript line"):
        tsv.read(text)
