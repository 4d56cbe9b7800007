"""Twelve planted secrets reach none of the sinks: library and traces, JSON, terminal, crash."""

import json
from pathlib import Path

import pytest

from agent.front import cli
from agent.front.command import Command
from tests.agent.front import meeting
from tests.agent.front.shell import Done, run
from tests.tools.loopback import Json, Reply, call, message, serving, spoken

KEY = "sk-CANARY0123456789abcdef"
PLANTED = {
    "environment": KEY,
    "another variable": "hunter2-canary-variable",
    "address": "canaryuser:canary-pass-in-url",
    "header": "Bearer canary.bearer.0123456789",
    "echoed by a 401": "sk-proj-CANARYechoed00000",
    "hugging face": "hf_CANARYabcdefghijklmno",
    "github": "ghp_CANARYabcdefghijklmnop",
    "aws": "AKIACANARYCANARY1234",
    "json field": "canary-in-a-json-field",
    "assignment": "canary-after-an-equals-sign",
    "web token": "eyJCANARYabcdef.eyJCANARYabcdef.CANARYabcdef",
    "tool argument": "sk-CANARYtoolargument000",
}
ECHO = json.dumps(
    {
        "error": {
            "message": f"Incorrect API key provided: {PLANTED['echoed by a 401']}. Authorization: {PLANTED['header']} "
            f"password={PLANTED['assignment']} {PLANTED['hugging face']} {PLANTED['github']} {PLANTED['aws']} "
            f"https://{PLANTED['address']}@proxy.example/ {PLANTED['web token']} {PLANTED['another variable']} "
            f'{{"api_key": "{PLANTED["json field"]}"}}'
        }
    }
)


def leaks(library: Path, *shown: Done) -> list[str]:
    sinks = [path.read_bytes() for path in library.rglob("*") if path.is_file()]
    sinks += [(done.out + done.err).encode() for done in shown]
    whole = b"\n".join(sinks)
    return [name for name, secret in PLANTED.items() if secret.split(" ")[-1].encode() in whole]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("PROXY_PASSWORD", PLANTED["another variable"])
    assert run(tmp_path / "lib", "import", str(meeting.vtt(tmp_path)), "--title", "talk").code == 0
    return tmp_path / "lib"


def test_an_endpoint_that_echoes_secrets_leaks_none(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda request: Reply(ECHO, status=401)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("//", f"//{PLANTED['address']}@"))
        done = [run(library, "ask", "talk", "Why is it late?", *form) for form in ([], ["--json"])]
        done.append(run(library, "ask", "talk", "-", stdin="Why is it late?\n"))
        done.append(run(library, "trace", "list"))
    assert [each.code for each in done] == [3, 3, 0, 0]
    assert json.loads(done[1].out)["error"]["kind"] == "endpoint_fault"
    assert leaks(library, *done) == []


def test_a_model_that_puts_secrets_into_tool_arguments_leaks_none(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"keywords": [PLANTED["tool argument"], KEY, f"token={PLANTED['assignment']}"]}

    def answer(request: Json) -> Reply:
        calls = [call("transcript", json.dumps(words)), call("fuse", json.dumps({"anchor": "transcript"}), "call_2")]
        return spoken(request, message(None, tool_calls=calls), "tool_calls")

    with serving(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        done = [run(library, "ask", "talk", "Why is it late?", *form) for form in ([], ["--json"])]
    assert json.loads(done[1].out)["plan"]
    assert leaks(library, *done) == []


def test_a_question_that_holds_a_key_is_kept_without_it(library: Path) -> None:
    question = f"Who said {PLANTED['tool argument']} or {PLANTED['github']}?"
    done = run(library, "ask", "talk", question, "--brain", "rules", "--json")
    assert leaks(library) == []
    assert done.code in (0, 6)


def test_a_crash_keeps_its_traceback_and_no_secret(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(options: object) -> int:
        raise RuntimeError(ECHO + KEY)

    monkeypatch.setattr(cli.parser, "__defaults__", ((Command("boom", "fail", lambda parser: None, fail),),))
    done = run(library, "boom")
    assert done.code == 1
    assert "RuntimeError" in done.err
    assert leaks(library, done) == []
