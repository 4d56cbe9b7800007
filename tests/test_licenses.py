"""LICENSES.md names every weight file, every shipped file of data and every direct dependency."""

import re
import tomllib
from pathlib import Path

from tests.conftest import ROOT
from tools.provision.manifest import manifest

PAGE = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")]
CODE = {".md", ".py", ".pyc", ".toml"}
SHIPPED_DATA = {".onnx", ".npz", ".ogg", ".opus", ".flac", ".mp3", ".wav", ".tsv", ".bin", ".int8"}


def test_every_shipped_file_of_data_has_a_row() -> None:
    named = {row[0] for row in ROWS}
    shipped = {
        path.relative_to(ROOT).as_posix()
        for top in ("agent", "tools", "store", "prompts")
        for path in Path(ROOT, top).rglob("*")
        if path.is_file() and (path.suffix in SHIPPED_DATA or path.parent.name == "weights") and path.suffix not in CODE
    }
    assert shipped
    assert shipped - named == set()


def test_every_row_of_a_shipped_file_is_a_file() -> None:
    rows = [row[0] for row in ROWS if "/" in row[0]]
    assert rows
    assert [name for name in rows if not (ROOT / name).is_file()] == []


def test_every_fetched_file_has_a_row() -> None:
    rows = {row[0]: row[1].split(", ") for row in ROWS if len(row) == 3}
    for model in manifest().models.values():
        if model.kind != "shipped":
            assert rows[model.name] == [file.name for file in model.files]


def test_every_direct_dependency_has_a_row() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *sum(project["optional-dependencies"].values(), [])]
    names = {re.split(r"[<>=\[]", requirement)[0] for requirement in wanted}
    assert names - {row[0] for row in ROWS} == set()
