"""A name of a model means one thing, a folder is checked before it is read, and nothing unknown is heard unasked."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from store.errors import DataError, MissingWeights, UsageError
from tools import models
from tools.provision.brought import PINS, hub_folder, sha256
from tools.transcript.named import find
from tools.transcript.recogniser import Options, load


@pytest.fixture
def own(weights: Callable[[str], Path], tmp_path: Path) -> Path:
    """A folder of one's own: tiny.en with a settings file that has another hash, and a byte of padding in the bin."""
    folder = tmp_path / "my-whisper"
    shutil.copytree(weights("whisper-tiny.en"), folder)
    return folder


def strange(folder: Path) -> Path:
    """Make the weights ones that nobody knows, without making them unreadable."""
    with (folder / "model.bin").open("ab") as file:
        file.write(b"\0")
    return folder


@pytest.mark.parametrize(
    ("name", "meant"),
    [("base", "whisper-base"), ("tiny.en", "whisper-tiny.en"), ("whisper-base", "whisper-base")],
)
def test_friendly_names_are_models_of_the_manifest(weights: Callable[[str], Path], name: str, meant: str) -> None:
    assert find(name).folder == weights(meant)
    assert find(name).name == meant


@pytest.mark.parametrize("name", ["x" * 5_000, "~nobody-has-this-home/whisper", "nul\0", "", ".", "a/b/c"])
def test_what_is_no_name_of_a_model_is_one_line(name: str) -> None:
    with pytest.raises((UsageError, DataError), match="there is no|is no Whisper model"):
        find(name)


def test_a_folder_with_known_bytes_is_the_known_model(own: Path) -> None:
    assert (find(str(own)).name, find(str(own)).folder) == ("whisper-tiny.en", own)


def test_unknown_weights_are_heard_on_the_users_word_alone_and_carry_their_hash(own: Path) -> None:
    strange(own)
    with pytest.raises(UsageError, match="nobody vouches for the model in .*my-whisper .*--trust-model") as refused:
        find(str(own))
    assert "\n" not in str(refused.value)
    recogniser = load(str(own), Options(trust_model=True))
    assert recogniser.name == f"my-whisper@{sha256(own / 'model.bin')[:12]}"
    assert list(recogniser.transcribe(np.zeros(16_000, np.float32), 0, None)) == []


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("config.json", None, "lacks config.json"),
        ("vocabulary.txt", None, "lacks vocabulary.txt or vocabulary.json"),
        ("tokenizer.json", None, "lacks tokenizer.json"),
        ("config.json", b"{", "is no JSON"),
        ("model.bin", b"\x80\x04cos\nsystem\n", "another kind of model than Whisper"),
        ("model.bin", b"\x06\0\0\0\x0c\0WhisperSpec\0", "cannot be read"),
    ],
)
def test_a_folder_that_is_no_whisper_gives_one_line(own: Path, file: str, content: bytes | None, said: str) -> None:
    (own / file).unlink()
    if content is not None:
        (own / file).write_bytes(content)
    with pytest.raises(DataError, match=said) as refused:
        load(str(own), Options(trust_model=True))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["small", "Systran/faster-whisper-small"])
def test_a_hub_model_is_never_fetched_while_listening(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))
    with pytest.raises(MissingWeights, match=f"run `overheard models pull {name} --trust-model`"):
        find(name)


def test_a_pulled_model_that_changed_since_is_refused(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(own.parent))
    folder = hub_folder("someone/tiny")
    assert folder.parent == models.home()
    own.rename(folder)
    pinned = sha256(folder / "model.bin")
    (folder / PINS).write_text(json.dumps({"model.bin": pinned}))
    assert find("someone/tiny").name == f"someone/tiny@{pinned[:12]}"
    strange(folder)
    with pytest.raises(DataError, match=r"model\.bin is not what was pulled"):
        find("someone/tiny")


@pytest.mark.parametrize("name", ["giant", "yamnet", "./none", "../../x", "a/b/c", ""])
def test_a_name_that_means_nothing_says_which_do(name: str) -> None:
    with pytest.raises((UsageError, MissingWeights), match=r"there is no transcript model|is not on this machine"):
        find(name)
