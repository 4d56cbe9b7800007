"""whisperX's output is read as it comes: words without times, segments without words."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from store.errors import DataError, MissingPackage, MissingWeights, UsageError
from store.record import Word
from tools.transcript.recogniser import Options, load
from tools.transcript.recognisers.whisperx import passages

# Shapes of whisperx 3.8: "2014" and "£13.60" hold no character of the alignment model, so they have no times.
ALIGNED = [
    {
        "start": 0.5,
        "end": 3.5,
        "text": " In 2014 we sold £13.60 worth.",
        "avg_logprob": -0.21,
        "words": [
            {"word": "In", "start": 0.5, "end": 0.7, "score": 0.91},
            {"word": "2014"},
            {"word": "we", "start": 1.4, "end": 1.5, "score": 0.88},
            {"word": "sold", "start": 1.6, "end": 2.0, "score": 0.97, "speaker": "SPEAKER_00"},
            {"word": "£13.60"},
            {"word": "worth."},
        ],
    }
]


def test_words_without_times_lie_between_their_neighbours() -> None:
    (passage,) = passages(ALIGNED, 10_000)
    assert passage.text == "In 2014 we sold £13.60 worth."
    assert passage.words[1] == Word(10_700, 11_400, "2014", None)
    assert passage.words[3] == Word(11_600, 12_000, "sold", 0.97)
    assert [word.t0 for word in passage.words[4:]] == [12_000, 12_750]
    assert passage.words[-1].t1 == 13_500
    assert passage.avg_logprob == -0.21


def test_a_segment_that_was_not_aligned_shares_its_time_among_its_words() -> None:
    (passage,) = passages([{"start": 1.0, "end": 2.0, "text": " one three"}], 0)
    assert passage.words == (Word(1_000, 1_375, "one"), Word(1_375, 2_000, "three"))


def test_a_segment_of_nothing_gives_nothing() -> None:
    assert passages([{"start": 1.0, "end": 2.0, "text": " ", "words": []}], 0) == []


@pytest.mark.skipif(importlib.util.find_spec("whisperx") is not None, reason="whisperx is installed")
def test_without_the_extra_one_line_says_what_to_install(weights: Callable[[str], Path]) -> None:
    weights("whisper-base")
    with pytest.raises(MissingPackage, match="install the extra `audio` .*, or use --transcriber faster-whisper"):
        load("whisperx")


def test_the_models_it_is_given_are_looked_for_first(weights: Callable[[str], Path], tmp_path: Path) -> None:
    weights("whisper-base")
    with pytest.raises(UsageError, match="there is no transcript model 'nonsense'"):
        load("whisperx:nonsense")
    with pytest.raises(MissingWeights, match="models pull nobody/wav2vec2 --for align --trust-model"):
        load("whisperx", Options(align_model="nobody/wav2vec2"))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="is no model for --align-model: it lacks preprocessor_config.json, vocab.json"):
        load("whisperx", Options(align_model=str(tmp_path)))


def test_an_unknown_recogniser_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="base, tiny.en, whisperx"):
        load("whisper-huge")
