"""Which Whisper model a name means: one of `models list`, one that was pulled from a hub, or a folder of one's own.

A CTranslate2 model is tensors and JSON, no pickle: reading it runs none of its code. But its reader is C++ that was
never hardened against hostile files, so weights whose hash is not the manifest's are heard only on the user's word,
given once when they are pulled, or with --trust-model for a folder. A folder with the manifest's bytes needs no word.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from store.errors import DataError, UsageError
from tools import models
from tools.provision.brought import Kind, compare, here, is_hub_name, own_folder, sha256
from tools.provision.manifest import manifest

ALIASES = {"base": "whisper-base", "tiny.en": "whisper-tiny.en"}
SIZES = (
    "tiny", "base.en", "small", "small.en", "medium", "medium.en", "large-v1", "large-v2", "large-v3",
)  # fmt: skip
NEEDED = ("model.bin", "config.json", "tokenizer.json")
VOCABULARIES = ("vocabulary.txt", "vocabulary.json")
KIND = Kind("transcript", NEEDED[1:], NEEDED[:1], (*VOCABULARIES, "preprocessor_config.json"), "--model", "base")
_SPEC = b"WhisperSpec"


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's folder, checked, the name that a stream heard with it carries, and its model.bin's SHA-256."""

    name: str
    folder: Path
    sha256: str


def find(name: str, *, trusted: bool = False) -> Weights:
    """Give the model that a name means, without asking any network.

    MissingWeights when its files are not here, DataError when they are no Whisper of CTranslate2, UsageError when the
    name means nothing or weights that nobody vouched for are to be heard.
    """
    called = ALIASES.get(name, name)
    if called in manifest().models and manifest().model(called).title.startswith("Whisper"):
        known = next(file.sha256 for file in manifest().model(called).files if file.name == NEEDED[0])
        return Weights(called, models.weights(called), known)
    if (folder := own_folder(name)) is not None:
        return _own(folder, trusted)
    repository = hub_name(name)
    if repository is None:
        raise UsageError(
            f"there is no transcript model {name!r}; give {', '.join(ALIASES)}, whisperx, one of the sizes "
            f"{', '.join(SIZES)}, a hub name (OWNER/NAME) or a folder with a Whisper that CTranslate2 reads"
        )
    return _pulled(name, repository)


def hub_name(name: str) -> str | None:
    """Give the hub repository that a size or a hub name means, None when it is neither."""
    if name in SIZES:
        return f"Systran/faster-whisper-{name}"
    return name if is_hub_name(name) else None


def check(folder: Path) -> None:
    """Raise DataError, in one line, unless a folder holds a Whisper model as CTranslate2 writes it."""
    lacks = [file for file in NEEDED if not (folder / file).is_file()]
    if not any((folder / file).is_file() for file in VOCABULARIES):
        lacks.append(" or ".join(VOCABULARIES))
    if lacks:
        raise DataError(
            f"{folder} is no Whisper model for CTranslate2: it lacks {', '.join(lacks)}; "
            "`ct2-transformers-converter --copy_files tokenizer.json` writes such a folder"
        )
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{folder / 'config.json'} is no JSON ({error})") from error
    with (folder / "model.bin").open("rb") as file:
        head = file.read(64)
    if _SPEC not in head or not isinstance(settings, dict):
        raise DataError(f"{folder} holds another kind of model than Whisper, or its model.bin is damaged")


def _own(folder: Path, trusted: bool) -> Weights:
    check(folder)
    found = sha256(folder / "model.bin")
    for model in manifest().models.values():
        if any((file.name, file.sha256) == ("model.bin", found) for file in model.files):
            return Weights(model.name, folder, found)
    if not trusted:
        raise UsageError(
            f"nobody vouches for the model in {folder} (SHA-256 {found}); add --trust-model if you know its source"
        )
    return Weights(f"{folder.resolve().name}@{found[:12]}", folder, found)


def _pulled(name: str, repository: str) -> Weights:
    folder = here(repository, f"run `overheard models pull {name} --trust-model`, or hear it with base")
    check(folder)
    found = compare(repository)[NEEDED[0]]
    return Weights(f"{repository}@{found[:12]}", folder, found)
