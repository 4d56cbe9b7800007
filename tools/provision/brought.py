"""A model that somebody brings, a folder of one's own or a hub's repository that was pulled: checked before it is read.

safetensors are tensors and nothing else. A pickle runs code when it is loaded, and other formats are read by C++ that
was never hardened against hostile files; so these are read on the user's word alone, given when they are pulled or
with --trust-model. Nothing here asks a network, and nothing is loaded.
"""

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from store.errors import DataError, MissingWeights, UsageError
from tools import models

PINS = "pins.json"
SAFE = ".safetensors"
_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model: the files it must have, its weights by preference, what else is fetched where it is there.

    `option` is what names such a model on the command line, `instead` what needs none.
    """

    name: str
    needed: tuple[str, ...]
    weights: tuple[str, ...]
    optional: tuple[str, ...]
    option: str
    instead: str


TENSORS = ("model.safetensors", "pytorch_model.bin")
KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "emotion", ("config.json", "preprocessor_config.json"), (TENSORS[0], "model.onnx", TENSORS[1]), (),
            "--emotion", "--emotion default",
        ),
        Kind(
            "align", ("config.json", "preprocessor_config.json", "vocab.json"), TENSORS,
            ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
            "--align-model", "whisperx without it",
        ),
        Kind(
            "speaker", ("config.yaml",), ("segmentation/pytorch_model.bin",),
            ("embedding/pytorch_model.bin", "plda/plda.npz", "plda/xvec_transform.npz"),
            "--diarize-model", "--diarizer default",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Brought:
    """A checked model: the name that a stream heard with it carries, its folder, its weights' name and SHA-256."""

    name: str
    folder: Path
    weights: str
    sha256: str

    @property
    def safe(self) -> bool:
        """Whether its weights are tensors and nothing else."""
        return self.weights.endswith(SAFE)


def find(name: str, kind: Kind, *, trusted: bool = False) -> Brought:
    """Give the model that a folder or a hub's name means.

    MissingWeights when it is not here, DataError when it is of another kind, UsageError when the name means nothing or
    nobody vouches for weights that could do harm.
    """
    if (folder := own_folder(name)) is not None:
        found = check(folder, kind)
        if not (found.safe or trusted):
            raise UsageError(
                f"nobody vouches for {folder / found.weights} (SHA-256 {found.sha256}), and reading it can run code; "
                f"add --trust-model if you know its source, or bring it as model{SAFE}"
            )
        return found
    if not is_hub_name(name):
        raise UsageError(
            f"{kind.option} {name!r} is neither a folder nor a hub name (OWNER/NAME); {kind.instead} needs no model"
        )
    here(
        name,
        f"run `overheard models pull {name} --for {kind.name} --trust-model`, give a folder, or use {kind.instead}",
    )
    return pinned(name, kind)


def check(folder: Path, kind: Kind) -> Brought:
    """Give the model in a folder; DataError says which files it lacks."""
    weights = _weights(folder, kind)
    found = sha256(folder / weights)
    return Brought(f"{folder.resolve().name}@{found[:12]}", folder, weights, found)


def pinned(repository: str, kind: Kind) -> Brought:
    """Give a repository that was pulled, when its files are still what came; DataError."""
    folder = hub_folder(repository)
    weights = _weights(folder, kind)
    found = compare(repository)[weights]
    return Brought(f"{repository}@{found[:12]}", folder, weights, found)


def compare(repository: str) -> dict[str, str]:
    """Hold a repository's files against the hashes that came, and give these; DataError when one differs."""
    folder = hub_folder(repository)
    pins: dict[str, str] = json.loads((folder / PINS).read_text(encoding="utf-8"))
    for file, known in pins.items():
        if sha256(folder / file) != known:
            raise DataError(f"{folder / file} is not what was pulled; run `overheard models pull {repository}` again")
    return pins


def _weights(folder: Path, kind: Kind) -> str:
    """Give the name of the weights in a folder that has all that its kind needs; DataError."""
    lacks = [file for file in kind.needed if not (folder / file).is_file()]
    weights = next((file for file in kind.weights if (folder / file).is_file()), None)
    if weights is None:
        lacks.append(" or ".join(kind.weights))
    if lacks or weights is None:
        raise DataError(f"{folder} is no model for {kind.option}: it lacks {', '.join(lacks)}")
    return weights


def path(name: str) -> Path:
    """Give the path that a name means, with its `~`; UsageError where there is no such home."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{name}: there is no such home directory") from error


def own_folder(name: str) -> Path | None:
    """Give the folder that a name means, None when it means none, as a name too long does; UsageError as `path`."""
    return path(name) if name and os.path.isdir(path(name)) else None  # noqa: PTH112 - Path.is_dir raises


def here(repository: str, instead: str) -> Path:
    """Give the folder of a repository that was pulled; MissingWeights says what to do `instead` where it was not."""
    folder = hub_folder(repository)
    if not (folder / PINS).is_file():
        raise MissingWeights(f"{repository} is not on this machine, and nothing is fetched while listening; {instead}")
    return folder


def is_hub_name(name: str) -> bool:
    """Say whether a name has the form of a hub's repository."""
    return _HUB.fullmatch(name) is not None and not name.startswith(".") and len(name) <= _LONGEST


def hub_folder(repository: str) -> Path:
    """Give where a hub's repository is kept on this machine."""
    return models.home() / repository.replace("/", "--")


def sha256(path: Path) -> str:
    """Give a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
