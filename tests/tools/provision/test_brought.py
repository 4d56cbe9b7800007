"""A model that somebody brings is looked at before it is read: which files, whose weights, which hash."""

from pathlib import Path

import pytest

from store.errors import DataError, UsageError
from tools.provision.brought import KINDS, find, sha256

EMOTION = KINDS["emotion"]


def model(folder: Path, *files: str) -> str:
    for file in files:
        (folder / file).write_bytes(file.encode())
    return str(folder)


def test_tensors_are_read_without_a_word_and_preferred(tmp_path: Path) -> None:
    name = model(tmp_path, *EMOTION.needed, "pytorch_model.bin", "model.onnx", "model.safetensors")
    found = find(name, EMOTION)
    assert (found.weights, found.safe, found.sha256) == (
        "model.safetensors", True, sha256(tmp_path / "model.safetensors"),
    )  # fmt: skip
    assert found.name == f"{tmp_path.name}@{found.sha256[:12]}"


@pytest.mark.parametrize("weights", ["pytorch_model.bin", "model.onnx"])
def test_what_could_do_harm_needs_the_users_word(tmp_path: Path, weights: str) -> None:
    name = model(tmp_path, *EMOTION.needed, weights)
    with pytest.raises(UsageError, match="--trust-model if you know its source, or bring it as model.safetensors"):
        find(name, EMOTION)
    assert find(name, EMOTION, trusted=True).weights == weights


def test_a_folder_of_something_else_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="lacks preprocessor_config.json, model.safetensors or model.onnx or pytorch"):
        find(model(tmp_path, "config.json"), EMOTION)


def test_a_home_that_is_nobodys_is_one_line() -> None:
    with pytest.raises(UsageError, match="there is no such home directory"):
        find("~nobody-of-this-name/model", EMOTION)


@pytest.mark.parametrize(
    "name", ["", "no such folder", "../elsewhere", "a/b/c", "x" * 5_000, "a/" + "x" * 5_000, "nul\0"]
)
def test_a_name_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="neither a folder nor a hub name"):
        find(name, EMOTION)
