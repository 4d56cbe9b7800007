"""A whole run of a few questions: the rules behind a real endpoint as the model, kept replies, the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.serve.loopback import running
from agent.serve.server import Server, answer
from agent.serve.wire import MODEL
from tests.agent.front.shell import Done, run
from tests.tools.loopback import Reply, message, script, serving, whole

ROOT = Path(__file__).resolve().parents[4]
SET = """
[[question]]
id = "bank.who.said"
on = "world 101"
question = "Who said {X}?"
plan = [["transcript", {keywords = ["{X}"]}], ["fuse", {anchor = "transcript", aggregate = "count", group = "speaker", answer_schema = "who"}]]

[[question]]
id = "bank.count.turns"
on = "world 102"
question = "How many people speak?"
plan = [["speaker", {names = ["{S}"]}], ["fuse", {anchor = "speaker", aggregate = "count", answer_schema = "count"}]]

[[question]]
id = "open.why"
on = "Festival meeting"
question = "Why does Victor object to the fireworks?"
must = [["hospital"], ["unicorn"]]

[[question]]
id = "absent"
on = "Festival meeting"
question = "What did Maria say about the food?"
status = "refused"
reasons = ["unknown_speaker"]
"""  # noqa: E501


@pytest.fixture(scope="module")
def rules() -> Iterator[Server]:
    with running(Server()) as server:
        yield server


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "set.toml"
    path.write_text(SET, encoding="utf-8")
    return str(path)


def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str | None, *more: str) -> Done:
    for name, value in {"OPENAI_BASE_URL": url, "OPENAI_MODEL": MODEL if url else None}.items():
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    return run(tmp_path / "library", "eval", "model", *more)


def test_a_run_is_scored_kept_and_free_the_second_time(
    tmp_path: Path, rules: Server, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    more = ("--set", questions, "--recorded", str(kept), "--yes", "--price", "1,2")
    done = _run(tmp_path, monkeypatch, rules.url, *more)
    assert done.code == 0, done.err
    assert "4 questions: about 5 calls" in done.err
    assert "in money (estimated)" in done.err
    assert "plan accuracy              0.5" in done.out  # the second question's gold plan is another's
    assert "wrong bank.count.turns: plan: speaker" in done.out
    assert "wrong open.why: answer: lacks unicorn" in done.out
    result = json.loads((kept / "report.json").read_text(encoding="utf-8"))
    wanted = {"bank.who.said": "passed", "bank.count.turns": "failed", "open.why": "failed", "absent": "passed"}
    assert {case["id"]: case["outcome"] for case in result["cases"]} == wanted
    assert result["figures"]["refusals_right"] == 1
    assert result["figures"]["calls"] == sum(map(len, result["requests"].values()))
    assert "hospital" in (kept / "replies.md").read_text(encoding="utf-8")
    again = _run(tmp_path, monkeypatch, None, *more, "--model", MODEL)
    assert again.out == done.out, again.err
    assert "replies kept" in again.err
    assert "missing" not in again.err
    same = run(tmp_path / "library", "eval", "diff", str(kept), str(kept))
    assert same.out == "  nothing differs\n"


def test_a_replay_asks_nobody_and_says_which_reply_is_missing(
    tmp_path: Path, rules: Server, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    _run(tmp_path, monkeypatch, rules.url, "--set", questions, "--recorded", str(kept), "--yes", "--limit", "1")
    done = _run(tmp_path, monkeypatch, None, "--set", questions, "--recorded", str(kept), "--model", MODEL)
    assert done.code == 0
    assert "wrong open.why: plan: none" not in done.out
    assert "no reply is kept for request" in done.out
    assert "open.why" in done.out


def test_without_an_endpoint_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for more in ((), ("--recorded", str(tmp_path))):
        done = _run(tmp_path, monkeypatch, None, *more)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        assert "no model measured: set OPENAI_BASE_URL" in done.err


def test_nothing_is_sent_before_somebody_agreed(
    tmp_path: Path, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(script(whole(message("x")))) as server:
        done = _run(tmp_path, monkeypatch, server.url, "--set", questions)
        assert server.requests == []
    assert done.code == 2
    assert "about 5 calls" in done.err
    assert "--yes says so" in done.err


def test_an_endpoint_that_fails_is_a_wrong_answer_and_not_the_end(
    tmp_path: Path, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(script(Reply('{"error": {"message": "no such key"}}', status=401))) as server:
        done = _run(tmp_path, monkeypatch, server.url, "--set", questions, "--recorded", str(tmp_path / "k"), "--yes")
    assert done.code == 0
    assert "failed                       4" in done.out
    assert "refused the key (401)" in done.out


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path: Path, questions: str) -> None:
    asked: list[Any] = []

    def slow(request: dict[str, Any]) -> Reply:
        asked.append(request)
        time.sleep(0.4 if len(asked) > 2 else 0)
        return Reply(json.dumps(answer(request | {"stream": False})[1]))

    kept = tmp_path / "kept"
    with serving(slow) as server:
        command = [sys.executable, "-m", "agent.front", "--library", str(tmp_path / "l"), "eval", "model", "--yes"]
        command += ["--set", questions, "--recorded", str(kept), "--parallel", "1"]
        environ = os.environ | {"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": MODEL, "PYTHONPATH": str(ROOT)}
        first = subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while len(asked) < 3 and first.poll() is None:
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
        first.wait()
        before = len(list(kept.glob("*.json")))
        assert before == 2
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert "2 replies kept" in done.stderr
    requests = len(list(kept.glob("*.json"))) - 1  # all but report.json
    assert len(asked) == requests + 1  # only the one in flight was asked twice
    assert "failed                       0" in done.stdout
