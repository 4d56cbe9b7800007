"""Every script starts: what it imports from the others and from the product is there."""

from importlib import import_module

import pytest

from tests.conftest import ROOT

EXPORTING = {"onnx", "torch"}  # of the dependency group `export`, in no environment of the tests
NAMES = sorted(path.stem for path in (ROOT / "scripts").glob("*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_a_script_starts(name: str) -> None:
    try:
        module = import_module(f"scripts.{name}")
    except ModuleNotFoundError as error:
        if error.name not in EXPORTING:
            raise
        pytest.skip(f"{error.name} is installed for the export alone")
    assert module.__doc__
