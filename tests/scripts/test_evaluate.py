"""The evaluation's command: parts are measured, left out with a reason or told as failed; floors hold and are told."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from agent.evals.report import floors
from agent.evals.report.part import COLUMNS, Part
from scripts import evaluate
from scripts.evaluation_parts import Size, parts

COUNTS = Part("counts", "rows given", "Counts", ("scripts.measure_ambiguities", "--minutes", "5", "--worlds", "1"))
NO_MODULE = Part("gone", "made audio", "Not there", ("scripts.measure_nothing",))
NO_DATA = Part("empty", "real audio or real diarization", "No data", ("scripts.measure_timelines",), data="no such")
NO_RESULT = Part("silent", "made audio", "Says nothing", ("this",))


def evaluated(monkeypatch: pytest.MonkeyPatch, folder: Path, *more: str) -> int:
    monkeypatch.setattr("sys.argv", ["evaluate", "--folder", str(folder), *more])
    return evaluate.main()


def planned(monkeypatch: pytest.MonkeyPatch, *wanted: Part) -> None:
    monkeypatch.setattr(evaluate, "parts", lambda size: list(wanted))


def test_what_cannot_be_measured_is_left_out_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(monkeypatch, COUNTS, NO_MODULE, NO_DATA)
    assert evaluated(monkeypatch, tmp_path) == 0
    text = (tmp_path / "quick" / "EVALUATION.md").read_text(encoding="utf-8")
    assert "planted statements" in text
    assert "there is no module scripts.measure_nothing" in text
    assert "needs the recordings 'no such'" in text
    planned(monkeypatch, COUNTS, NO_MODULE, NO_DATA)
    assert evaluated(monkeypatch, tmp_path, "--no-measuring") == 0
    assert (tmp_path / "quick" / "EVALUATION.md").read_text(encoding="utf-8") == text


def test_a_part_without_a_result_fails_and_leaves_nothing_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / NO_RESULT.file).write_text("{}", encoding="utf-8")
    planned(monkeypatch, NO_RESULT)
    assert evaluated(monkeypatch, tmp_path) == 1
    assert not (tmp_path / "quick" / NO_RESULT.file).exists()
    assert "no result" in (tmp_path / "quick" / "EVALUATION.md").read_text(encoding="utf-8")


FAILING = """
import pathlib, sys
pathlib.Path(sys.argv[-1] + ".first").write_text("{}")
raise SystemExit("the second one failed")
"""
ENDLESS = """
import pathlib, sys, time
pathlib.Path(sys.argv[-1]).with_name("began").write_text("")
time.sleep(60)
pathlib.Path(sys.argv[-1]).with_name("ended").write_text("")
"""


def scripted(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Part:
    """Give a part whose command is a script of its own, which other processes find too."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.syspath_prepend(str(folder))
    return Part(name, "rows given", name, (name,))


def test_what_a_part_wrote_before_it_failed_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(monkeypatch, scripted(tmp_path, monkeypatch, "halfway", FAILING))
    assert evaluated(monkeypatch, tmp_path) == 1
    assert not list((tmp_path / "quick").glob("halfway.json*"))
    assert "ended with exit code 1" in (tmp_path / "quick" / "EVALUATION.md").read_text(encoding="utf-8")


def test_stopping_an_evaluation_stops_its_parts_and_begins_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(monkeypatch, scripted(tmp_path, monkeypatch, "endless", ENDLESS), COUNTS)
    began = tmp_path / "quick" / "began"

    def stop() -> None:
        while not began.exists():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop).start()
    with pytest.raises(SystemExit):
        evaluated(monkeypatch, tmp_path, "--at-once", "1")
    assert not (tmp_path / "quick" / "ended").exists()
    assert not (tmp_path / "quick" / COUNTS.file).exists()


@pytest.mark.parametrize("size", ["floors", "quick", "full"])
def test_parts_have_names_of_their_own_and_columns(size: Size) -> None:
    names = [part.name for part in parts(size)]
    assert len(set(names)) == len(names)
    assert {part.column for part in parts(size)} == ({COLUMNS[0]} if size == "floors" else set(COLUMNS))


def test_the_smallest_evaluation_holds_its_floors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = floors.read(evaluate.FLOORS)["floors"]
    assert evaluated(monkeypatch, tmp_path, "--size", "floors") == 0, capsys.readouterr().out
    beyond_reach = {"RS(10), clean": 100.001}
    floors.write({"floors": {**known, **beyond_reach}}, tmp_path / "floors.toml")
    monkeypatch.setattr(evaluate, "FLOORS", tmp_path / "floors.toml")
    assert evaluated(monkeypatch, tmp_path, "--size", "floors", "--no-measuring") == 1
    assert "FLOOR FELL: RS(10), clean" in capsys.readouterr().out
