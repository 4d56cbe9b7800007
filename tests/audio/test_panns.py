"""PANNs' network, as large as the published one and random: what it gives is what their own wrapper gives."""

import os
from pathlib import Path

import numpy as np
import pytest

from store.errors import DataError
from tests.audio import networks
from tools.events import recogniser
from tools.events.hierarchy import officially
from tools.events.recognisers import panns
from tools.events.recognisers.panns import HOP, Panns, doubled
from tools.media.audio import read

CLIP = Path(__file__).resolve().parents[1] / "data/speaker/two_voices.flac"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return networks.tagger(tmp_path_factory.mktemp("panns") / "Cnn14.pth")


@pytest.fixture(scope="module")
def heard(checkpoint: Path) -> Panns:
    made = recogniser.load("panns", checkpoint=checkpoint, trust_model=True)
    assert isinstance(made, Panns)
    return made


def test_nothing_is_fetched_and_no_shell_is_asked(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shell(command: str) -> int:
        raise AssertionError(command)

    monkeypatch.setattr(os, "system", shell)
    monkeypatch.setenv("HOME", str(tmp_path))
    Panns(checkpoint, trust_model=True)
    assert list(tmp_path.iterdir()) == []


def test_it_gives_what_their_own_wrapper_gives(heard: Panns, checkpoint: Path) -> None:
    with panns._labelled_home():
        from panns_inference import SoundEventDetection
    assert checkpoint.stat().st_size > 3e8  # a smaller one would be fetched
    theirs = SoundEventDetection(checkpoint_path=str(checkpoint), device="cpu")
    assert tuple(theirs.labels) == officially() == heard.names
    sound = doubled(read(CLIP, 0, 10_000))
    wanted = theirs.inference(sound[None])[0]
    assert wanted.shape == (1001, 527)
    assert np.abs(heard._framewise(sound) - wanted).max() < 1e-5


def test_a_long_sound_is_heard_as_its_parts_are(heard: Panns) -> None:
    sound = np.concatenate([read(CLIP, 0, 10_000)] * 5)
    whole = heard.probabilities(sound)
    assert whole.shape == (-(-sound.size // HOP), 527)
    part = heard.probabilities(sound[60 * HOP :])
    assert np.abs(whole[70:140] - part[10:80]).max() < 1e-3


def test_what_it_is_sure_of_is_an_event(heard: Panns, monkeypatch: pytest.MonkeyPatch) -> None:
    siren = heard.names.index("Siren")
    sound = read(CLIP, 0, 6_000)
    row = np.full((-(-sound.size // HOP), 527), 0.01, np.float32)
    row[5:12, siren] = 0.9
    monkeypatch.setattr(heard, "probabilities", lambda samples: row)
    found = [event for event in heard.hear(sound, 60_000) if event.label == "Siren"]
    assert [(event.t0, event.t1) for event in found] == [(60_000 + 5 * 320, 60_000 + 12 * 320)]


@pytest.mark.parametrize("size", [0, 1, HOP, HOP + 1])
def test_any_length_is_heard(heard: Panns, size: int) -> None:
    assert heard.probabilities(np.zeros(size, np.float32)).shape == (-(-size // HOP), 527)
    assert heard.hear(np.full(size, np.nan, np.float32), 0) is not None


def test_what_is_no_checkpoint_is_one_line(tmp_path: Path) -> None:
    import torch

    torch.save({"model": {"weight": torch.zeros(3)}}, tmp_path / "other.pth")
    (tmp_path / "junk.pth").write_bytes(b"junk")
    for name in ("other.pth", "junk.pth"):
        with pytest.raises(DataError, match="is no checkpoint of Cnn14_DecisionLevelMax") as told:
            Panns(tmp_path / name, trust_model=True)
        assert "\n" not in str(told.value)
