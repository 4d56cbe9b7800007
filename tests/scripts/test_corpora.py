from argparse import ArgumentParser
from pathlib import Path

import pytest

from scripts.corpora import ROOT, corpus, data_folder, data_option


@pytest.mark.parametrize(("told", "found"), [("/a/b", Path("/a/b")), ("", ROOT.parent / "shared/data")])
def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch, told: str, found: Path) -> None:
    monkeypatch.setenv("OVERHEARD_DATA", told)
    assert data_folder() == found


def test_what_is_missing_is_one_line_and_only_when_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OVERHEARD_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(SystemExit, match=r"^there is no folder .*nowhere/qmsum; set OVERHEARD_DATA .*$"):
        corpus("qmsum")
    parser = ArgumentParser()
    data_option(parser)
    assert parser.parse_args(["--data", str(tmp_path)]).data == tmp_path
    with pytest.raises(SystemExit):
        parser.parse_args([])
    assert "there is no folder" in capsys.readouterr().err.splitlines()[-1]


def test_what_is_there_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "qmsum").mkdir()
    monkeypatch.setenv("OVERHEARD_DATA", str(tmp_path))
    assert corpus("qmsum") == tmp_path / "qmsum"
    parser = ArgumentParser()
    data_option(parser)
    assert parser.parse_args([]).data == tmp_path
