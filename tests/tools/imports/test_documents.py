"""JSON transcripts of Whisper, WhisperX and whisper.cpp, with all that may lack."""

import json

import pytest

from store.errors import DataError
from store.record import Segment, Word
from tools.imports import documents


def read(document: object) -> list[Segment]:
    parsed = documents.read(json.dumps(document))
    return [placed.row for placed in parsed.rows if isinstance(placed.row, Segment)]


WHISPERX = {
    "language": "en",
    "segments": [
        {
            "start": 0.031,
            "end": 4.0,
            "text": " In 2024 we won ",
            "words": [
                {"word": "In", "start": 0.031, "end": 0.5, "score": 0.9, "speaker": "SPEAKER_01"},
                {"word": "2024"},
                {"word": "we", "start": 1.5, "end": 1.7, "speaker": "SPEAKER_01"},
                {"word": "won"},
                {"start": 3.0, "end": 3.1},
            ],
        }
    ],
}


def test_words_without_times_share_the_gap_between_their_neighbours() -> None:
    (segment,) = read(WHISPERX)
    assert segment.text == "In 2024 we won"
    assert segment.speaker == "SPEAKER_01"
    assert segment.language == "en"
    assert segment.words == (
        Word(31, 500, "In", 0.9),
        Word(500, 1500, "2024"),
        Word(1500, 1700, "we"),
        Word(1700, 4000, "won"),
    )


def test_whispers_own_forms() -> None:
    assert read([{"start": 1, "end": 2.5, "text": "hi", "avg_logprob": 0.0}]) == [Segment(1000, 2500, "hi", score=1.0)]
    cpp = {"transcription": [{"offsets": {"from": 10, "to": 990}, "text": " hi"}]}
    assert read(cpp) == [Segment(10, 990, "hi")]
    assert read({"chunks": [{"timestamp": [0.0, 1.5], "text": "hi"}]}) == [Segment(0, 1500, "hi")]


@pytest.mark.parametrize(
    "bad",
    [
        {"start": None, "end": 1, "text": "x"},
        {"start": 0, "text": "x"},
        {"start": 0, "end": 1, "text": ""},
        {"start": 0, "end": 1, "text": 5},
        {"start": float("nan"), "end": 1, "text": "x"},
        {"start": 0, "end": float("inf"), "text": "x"},
        "text",
        None,
        [],
    ],
)
def test_a_segment_that_is_none_is_set_aside_by_its_number(bad: object) -> None:
    parsed = documents.read(json.dumps({"segments": [{"start": 0, "end": 1, "text": "ok"}, bad]}))
    assert parsed.lost == (2,)
    assert parsed.unit == "segment"
    assert len(parsed.rows) == 1


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"segments": 5}', "5", "null", "1" * 5000, '{"a": 1}'])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        documents.read(text)


def test_an_export_of_another_version_is_refused() -> None:
    with pytest.raises(DataError, match="version 99"):
        documents.read('{"format": "overheard", "version": 99}')
