"""A person who waits for an endpoint sees why and may stop it; a failure is one plain line in every front."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from store.database import Database
from store.trace import latest
from tests.agent.front.meeting import vtt
from tests.agent.front.shell import run
from tests.agent.front.test_faults import QUESTION, body, error, good
from tests.tools.loopback import Json, Reply, message, script, serving, spoken

ROOT = Path(__file__).resolve().parents[3]
OVERHEARD = [sys.executable, "-c", "import sys; from agent.front.cli import main; sys.exit(main())"]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert run(tmp_path / "lib", "import", str(vtt(tmp_path)), "--title", "talk").code == 0
    monkeypatch.setenv("OPENAI_MODEL", "m")
    return tmp_path / "lib"


def _started(library: Path, url: str, *words: str) -> "subprocess.Popen[str]":
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "OPENAI_BASE_URL": url, "OVERHEARD_LIBRARY": str(library)}
    pipe = subprocess.PIPE
    return subprocess.Popen([*OVERHEARD, *words], env=environ, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("fault", ["429", "no answer"])
def test_a_wait_is_told_and_ctrl_c_ends_it(fault: str, library: Path) -> None:
    answer = error(429, "slow down", **{"retry-after": "25"}) if fault == "429" else script(Reply(wait=20))
    with serving(answer) as server, _started(library, server.url, "ask", "talk", QUESTION) as asking:
        began = time.monotonic()
        while not server.requests and time.monotonic() - began < 20:
            time.sleep(0.02)
        time.sleep(0.3)
        asking.send_signal(signal.SIGINT)
        out, err = asking.communicate(timeout=10)
    assert (asking.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "interrupted"
    assert ("asks to wait: trying again in 25 s (Ctrl-C stops)" in err) == (fault == "429")
    with Database.open(library).reader() as connection:
        (trace,) = latest(connection, 5)
    assert trace.question == QUESTION


def test_in_a_chat_a_fault_is_one_line_and_the_next_question_works(library: Path) -> None:
    left = [body("<html>Sign in</html>", "text/html")]

    def answer(request: Json) -> Reply:
        return (left.pop() if left else good)(request)

    with serving(answer) as server, _started(library, server.url, "chat", "talk") as chat:
        out, err = chat.communicate(f"{QUESTION}\n{QUESTION}\n", timeout=60)
    assert chat.returncode == 0
    assert "not OpenAI-compatible: <html>Sign in</html>" in out
    assert "They ship on Friday [0:00 Select]." in out
    assert "Traceback" not in err


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_batch_goes_on_after_a_fault(json: list[str], library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [error(401, "no")]

    def answer(request: Json) -> Reply:
        return (left.pop() if left else good)(request)

    with serving(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        done = run(library, "ask", "talk", "-", *json, stdin=f"{QUESTION}\n{QUESTION}\n")
    assert done.code == 0
    assert ["failed" in line for line in done.out.splitlines()] == [True, False]


def test_a_failure_is_one_plain_line(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(error(401, "no such key\n\x1b[2J  here")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        done = run(library, "ask", "talk", QUESTION)
    assert done.code == 3
    (line,) = [line for line in done.out.splitlines() if line.strip()]
    assert "refused the key (401): no such key here" in line
    assert "\x1b" not in done.out + done.err


def test_an_endpoint_is_chosen_without_a_flag_and_named(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(good) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OVERHEARD_EXTRA_BODY", '{"top_k": 5}')
        monkeypatch.setenv("OVERHEARD_EXTRA_HEADERS", '{"X-Team": "red"}')
        reply = run(library, "ask", "talk", "--json", QUESTION)
        rules = run(library, "ask", "talk", "--json", "--brain", "rules", QUESTION)
    assert f"go to 127.0.0.1:{server.server_address[1]}" in reply.err
    assert (reply.json["brain"], reply.json["usage"]["model"]) == ("openai", "m")
    assert (rules.json["brain"], rules.json["usage"]["model"]) == ("rules", None)
    assert {(request["top_k"], request["model"]) for request in server.requests} == {(5, "m")}
    assert {headers["x-team"] for headers in server.headers} == {"red"}


@pytest.mark.parametrize("name", ["OVERHEARD_EXTRA_BODY", "OVERHEARD_EXTRA_HEADERS"])
@pytest.mark.parametrize("value", ["[1]", "{half sk-CANARY000000", "7", '"x"'])
def test_what_is_no_object_is_a_usage_error(
    name: str, value: str, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv(name, value)
    done = run(library, "ask", "talk", QUESTION)
    assert (done.code, done.out) == (2, "")
    assert name in done.err
    assert "CANARY" not in done.err


def test_tokens_that_the_endpoint_does_not_tell_are_estimated_and_marked(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(request: Json) -> Reply:
        told = good(request)
        pieces = tuple(piece for piece in told.pieces if '"usage"' not in piece)
        return Reply(pieces=pieces, kind=told.kind)

    with serving(good) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        figures = run(library, "ask", "talk", "--json", QUESTION).json["usage"]
    with serving(silent) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        usage = run(library, "ask", "talk", "--json", QUESTION).json["usage"]
    assert (figures["input_tokens"], figures["output_tokens"], figures["estimated_tokens"]) == (22, 14, 0)
    assert usage["estimated_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 2_000
    assert usage["model_calls"] == figures["model_calls"] == 2


def test_what_a_failed_question_cost_is_counted(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(request: Json) -> Reply:
        return spoken(request, message(None, refusal="no")) if "<rows>" in str(request) else good(request)

    with serving(refusing) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        reply = run(library, "ask", "talk", "--json", QUESTION).json
    assert reply["error"]["kind"] == "model_refused"
    assert (reply["usage"]["model_calls"], reply["usage"]["input_tokens"]) == (2, 11)
