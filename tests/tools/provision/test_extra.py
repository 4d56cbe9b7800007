"""Every recogniser's file can be imported where its library is not, and a library that is missing is one line."""

import json
import os
from pathlib import Path

import pytest

from store.errors import MissingPackage
from tests.agent.front.shell import fresh_python
from tests.conftest import ROOT
from tools.provision.extra import extra, narrated

HEAVY = [
    "torch", "torchaudio", "transformers", "whisperx", "nltk", "pyannote.audio", "panns_inference", "ctranslate2",
    "faster_whisper", "onnxruntime", "kaldi_native_fbank",
]  # fmt: skip
IMPORTED = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
failed = {}
for name in json.loads(sys.argv[2]):
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = repr(error)
print(json.dumps(failed))
"""


def backends() -> list[str]:
    files = sorted(Path(ROOT, "tools").glob("*/recognisers/*.py"))
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files if file.stem != "__init__"]


def test_no_file_of_a_recogniser_needs_its_library_to_be_imported() -> None:
    assert len(backends()) > 20
    assert json.loads(fresh_python(IMPORTED, json.dumps(HEAVY), json.dumps(backends()))[-1]) == {}


def test_a_library_that_is_missing_is_one_line_with_what_works_without() -> None:
    with pytest.raises(MissingPackage) as told, extra("whistling", "--tagger yamnet"):
        import no_such_library_of_the_extra  # type: ignore[import-not-found]  # noqa: F401
    line = str(told.value)
    assert line.startswith("whistling cannot be imported (No module named 'no_such_library_of_the_extra'): install")
    assert line.endswith("or use --tagger yamnet, which needs none of it")
    assert "\n" not in line


def test_libraries_that_report_home_are_told_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYANNOTE_METRICS_ENABLED", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "as it was")
    with extra("anything", "nothing"):
        assert (os.environ["PYANNOTE_METRICS_ENABLED"], os.environ["HF_HUB_OFFLINE"]) == ("0", "1")


def test_what_a_library_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    with narrated():
        print("Using CPU.")  # noqa: T201
    assert capsys.readouterr() == ("", "Using CPU.\n")
