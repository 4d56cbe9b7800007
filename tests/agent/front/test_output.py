"""Where words go when a stream is closed, full, or gives bytes that are no text."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.front.meeting import vtt
from tests.agent.front.shell import run

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("output")
    run(folder / "lib", "import", str(vtt(folder)))
    return folder / "lib"


def shell(library: Path, script: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    command = f"overheard() {{ {sys.executable} -m agent.front --library '{library}' \"$@\"; }}; {script}"
    return subprocess.run(
        ["bash", "-c", command], env={**os.environ, **environ}, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("overheard list <&-", 0),
        ("overheard list >&-", 0),
        ("overheard list <&- >&- 2>&-", 0),
        ("overheard ask meeting - <&-", 0),
        ("overheard chat meeting <&-", 0),
        ("overheard rm meeting <&-", 2),
        ("overheard show nothing 2>&-", 6),
    ],
)
def test_a_closed_stream_is_no_fault(script: str, code: int, library: Path) -> None:
    done = shell(library, script)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command", ["list", "export meeting -f json", "ask meeting 'Who speaks?' --json", "show meeting"]
)
def test_a_full_disk_behind_the_output_is_one_line(command: str, library: Path) -> None:
    done = shell(library, f"overheard {command} > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "overheard: the output cannot be written: No space left on device\n"


def test_narration_that_nobody_reads_does_not_stop_the_work(tmp_path: Path) -> None:
    path = vtt(tmp_path)
    done = shell(tmp_path / "lib", f"overheard import {path} 2> /dev/full && overheard list --json")
    assert "meeting" in done.stdout


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_a_bad_line_in_the_middle_of_a_batch_costs_that_line_alone(locale: str, library: Path) -> None:
    lines = r"'How many people speak?\nwho said \xff\xfe?\n\nwho said a\0b?\n%s\nWho said drop it?\r\nWho decides?'"
    filler = "x" * 5_000
    done = shell(library, f"printf {lines} {filler} | overheard ask meeting -", LC_ALL=locale)
    assert (done.returncode, done.stderr) == (0, "")
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(replies) == 6
    assert [reply["value"] for reply in (replies[0], replies[4])] == [5, "O'Brien; --"]
    assert all(reply["trace"] for reply in replies)
