"""whisperX on Whisper base: real weights, real speech. Its alignment runs on a tiny wav2vec2, which knows nothing."""

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.evals import sample
from scripts.measure_sample import TRUTH
from scripts.measure_words import normaliser, read_truth, wer
from store.record import Turn, Word
from tests.audio import networks
from tools.media import audio
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import Options, TranscriptRecogniser, Window, load

SECONDS = 54


@pytest.fixture(scope="module")
def samples() -> NDArray[np.float32]:
    return np.concatenate(list(audio.decode(sample.RECORDING)))[: SECONDS * 16_000]


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    return [row.turn for row in read_truth(TRUTH) if row.turn.t1 <= SECONDS * 1000]


@pytest.fixture(scope="module")
def aligned(weights: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> TranscriptRecogniser:
    weights("whisper-base")
    folder = networks.aligner(tmp_path_factory.mktemp("aligner") / "tiny")
    return load("whisperx", Options(align_model=str(folder)))


@pytest.fixture(scope="module")
def windows(aligned: TranscriptRecogniser, samples: NDArray[np.float32], turns: list[Turn]) -> list[Window]:
    return list(aligned.transcribe(samples, 0, turns))


def words(windows: list[Window]) -> list[Word]:
    return [word for window in windows for word in window.words]


def test_it_hears_what_is_said(weights: Callable[[str], Path], samples: NDArray[np.float32], turns: list[Turn]) -> None:
    heard = list(load("whisperx:base", Options()).transcribe(samples, 0, turns))
    truth = [row for row in read_truth(TRUTH) if row.turn in turns]
    said = [" ".join(row.text for row in truth)], [" ".join(word.text for word in words(heard))]
    assert wer(*said, normaliser("english")) < 0.05
    assert {window.language for window in heard} == {"en"}
    assert all(window.states is None for window in heard)


def test_alignment_gives_each_word_a_time_of_its_own(windows: list[Window]) -> None:
    found = words(windows)
    doubted = [aside for window in windows for aside in window.set_aside]  # what it places where nobody speaks
    assert len(found) + sum(len(aside.text.split()) for aside in doubted) > 100
    assert all(0 <= word.t0 < word.t1 <= SECONDS * 1000 for word in found)
    assert [word.t0 for word in found] == sorted(word.t0 for word in found)
    assert sum(word.score is not None for word in found) > 0.8 * len(found)


def test_a_folder_of_another_network_is_told(weights: Callable[[str], Path], tmp_path: Path) -> None:
    from store.errors import DataError

    weights("whisper-base")
    folder = networks.aligner(tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(DataError, match="cannot be loaded as a wav2vec2"):
        load("whisperx", Options(align_model=str(folder)))


def test_a_word_goes_to_the_voice_that_whisperx_would_give_it(
    weights: Callable[[str], Path], samples: NDArray[np.float32], turns: list[Turn]
) -> None:
    """The words are Whisper's own, whose times are real; whisperX assigns them by largest overlap, as we do."""
    import pandas  # type: ignore[import-untyped]
    from whisperx.diarize import assign_word_speakers

    heard = words(list(load("base").transcribe(samples, 0, turns)))
    frame = pandas.DataFrame([{"start": t.t0 / 1000, "end": t.t1 / 1000, "speaker": t.speaker} for t in turns])
    spoken: list[dict[str, Any]] = [{"word": w.text, "start": w.t0 / 1000, "end": w.t1 / 1000} for w in heard]
    whole = {"segments": [{"start": 0.0, "end": float(SECONDS), "text": "", "words": spoken}]}
    theirs = [word.get("speaker") for word in assign_word_speakers(frame, whole)["segments"][0]["words"]]
    ours = {word.t0: segment.speaker for segment in attribute(heard, turns) for word in segment.words}
    same = [ours[word.t0] == speaker for word, speaker in zip(heard, theirs, strict=True) if speaker is not None]
    assert len(same) > 100
    assert np.mean(same) > 0.97


def test_without_an_aligner_words_lie_where_whisper_attended_to_them(
    weights: Callable[[str], Path], samples: NDArray[np.float32], turns: list[Turn]
) -> None:
    weights("whisper-base")
    theirs = words(list(load("whisperx:base", Options()).transcribe(samples, 0, turns)))
    ours = words(list(load("base", Options()).transcribe(samples, 0, turns)))
    a, b = [word.text for word in theirs], [word.text for word in ours]
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    alike = [(theirs[run.a + n], ours[run.b + n]) for run in blocks for n in range(run.size)]
    assert len(alike) > 100
    assert np.mean([abs(mine.t1 - other.t1) <= 100 for mine, other in alike]) > 0.95
    assert all(word.t1 - word.t0 <= 1_501 for word in theirs)
