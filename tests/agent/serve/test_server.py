"""The endpoint over HTTP: the protocol's forms, its errors, only this machine, only what a request holds."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai
import pytest

from agent.serve.loopback import running
from agent.serve.server import LARGEST, Server, is_loopback
from agent.serve.wire import MODEL
from store.errors import UsageError
from tests.agent.front.shell import run, stoppable

ROOT = Path(__file__).resolve().parents[3]
SAYS = "I am the rules of Overheard"
CATALOG = (
    "<catalog>\nrecording 1: x, 3:09 long\n  speakers (2): Ada 1:06, Ben 1:01\n</catalog>\n\nQuestion: Who spoke first?"
)
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(Server()) as made:
        yield made


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.url, api_key="none", max_retries=0) as made:
        yield made


def post(server: Server, body: bytes, path: str = "/v1/chat/completions", **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=20)  # type: ignore[arg-type]
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_the_one_model_is_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == [MODEL]


def test_an_answer_is_whole_with_its_usage(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model=MODEL, messages=HELLO)  # type: ignore[arg-type]
    assert (answer.choices[0].message.content or "").startswith(SAYS)
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 0


@pytest.mark.parametrize("tools", [True, False])
def test_a_stream_says_what_the_whole_says(tools: bool, client: openai.OpenAI) -> None:
    from agent.brains.schemas import tools as plan_tools

    more: Any = {"tools": plan_tools()} if tools else {}
    asked: Any = {"model": MODEL, "messages": [{"role": "user", "content": CATALOG}], **more}
    whole = client.chat.completions.create(**asked)
    pieces = list(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    calls: dict[int, list[str]] = {}
    for piece in pieces:
        for call in (piece.choices[0].delta.tool_calls or []) if piece.choices else []:
            assert call.function is not None
            known = calls.setdefault(call.index, ["", ""])
            known[0] += call.function.name or ""
            known[1] += call.function.arguments or ""
    message = whole.choices[0].message
    assert text == (message.content or "")
    assert [tuple(call) for call in calls.values()] == [
        (call.function.name, call.function.arguments) for call in message.tool_calls or []
    ]
    assert [p.choices[0].finish_reason for p in pieces if p.choices][-1] == whole.choices[0].finish_reason
    assert pieces[-1].usage == whole.usage
    assert (whole.choices[0].finish_reason == "tool_calls") is tools
    if not tools:
        assert json.loads(text)["fuse"]["limit"] == 1


def test_a_stream_tells_its_usage_only_when_asked(client: openai.OpenAI) -> None:
    asked: Any = {"model": MODEL, "messages": HELLO, "stream": True}
    assert all(piece.usage is None and piece.choices for piece in client.chat.completions.create(**asked))


GOOD: dict[str, Any] = {"model": MODEL, "messages": HELLO}
BAD: list[tuple[Any, int, str | None]] = [
    (b"{", 400, None),
    (b"[]", 400, None),
    ({"messages": HELLO}, 400, "model"),
    ({**GOOD, "model": "gpt-9"}, 404, "model"),
    ({**GOOD, "messages": []}, 400, "messages"),
    ({**GOOD, "messages": "Hello"}, 400, "messages"),
    ({**GOOD, "messages": ["Hello"]}, 400, "messages"),
    ({**GOOD, "messages": [{"role": "boss", "content": "x"}]}, 400, "messages"),
    ({**GOOD, "n": 2}, 400, "n"),
    ({**GOOD, "tools": {}}, 400, "tools"),
    ({**GOOD, "tools": [{"type": "function"}]}, 400, "tools"),
    ({**GOOD, "response_format": "json"}, 400, "response_format"),
    ({**GOOD, "response_format": {"type": "xml"}}, 400, "response_format"),
    ({**GOOD, "stream_options": 1}, 400, "stream_options"),
]


@pytest.mark.parametrize(("body", "status", "param"), BAD)
def test_a_bad_request_gets_an_error_of_the_protocol(body: Any, status: int, param: str | None, server: Server) -> None:
    written = body if isinstance(body, bytes) else json.dumps(body).encode()
    got, answer = post(server, written)
    assert got == status
    assert answer["error"]["param"] == param
    assert answer["error"]["type"] == "invalid_request_error"
    assert answer["error"]["message"]


def test_the_client_knows_the_errors_by_their_kinds(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as unknown:
        client.chat.completions.create(model="gpt-9", messages=HELLO)  # type: ignore[arg-type]
    assert unknown.value.code == "model_not_found"
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(model=MODEL, messages=[])


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/v1/completions", {}, 404),
        ("/v1/chat/completions", {"Host": "evil.example"}, 403),
        ("/v1/chat/completions", {"Host": "127.0.0.1.evil.example:80"}, 403),
        ("/v1/chat/completions", {"Content-Length": str(LARGEST + 1)}, 413),
        ("/v1/chat/completions", {"Content-Length": "many"}, 411),
    ],
)
def test_what_is_not_for_it_is_refused(path: str, headers: dict[str, str], status: int, server: Server) -> None:
    got, answer = post(server, json.dumps(GOOD).encode(), path, **headers)
    assert got == status
    assert answer["error"]["message"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", "", "127.0.0.1.example.org"])
def test_only_this_machine_is_served(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(UsageError, match="127.0.0.1"):
        Server(host)


def test_a_port_that_is_taken_or_is_none_is_told_in_one_line(server: Server, tmp_path: Path) -> None:
    for port in (server.server_address[1], 70_000, -1):
        done = run(tmp_path, "serve-brain", "--port", str(port))
        assert done.code == 2
        told = [line for line in done.err.strip().splitlines() if not line.startswith("usage: ")]
        assert len(told) == 1
        assert str(port) in told[0]


def test_many_ask_at_once_and_some_leave(server: Server, client: openai.OpenAI) -> None:
    def ask(place: int) -> str:
        if place % 3 == 0:
            connection = http.client.HTTPConnection(*server.server_address[:2])  # type: ignore[arg-type]
            connection.request("POST", "/v1/chat/completions", json.dumps(GOOD | {"stream": True}).encode())
            connection.close()
            return SAYS
        return client.chat.completions.create(**GOOD).choices[0].message.content or ""

    with ThreadPoolExecutor(8) as pool:
        assert all(said.startswith(SAYS) for said in pool.map(ask, range(24)))


@contextmanager
def _ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """End a process whatever becomes of the test."""
    try:
        yield
    finally:
        process.kill()


def test_the_command_says_how_to_use_it_keeps_nothing_and_ends_with_an_interrupt(tmp_path: Path) -> None:
    library = tmp_path / "library"
    command = [sys.executable, "-m", "agent.front", "--library", str(library), "serve-brain", "--port", "0"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with (
        subprocess.Popen(
            command, env=environ, stdout=-1, stderr=-1, text=True, cwd=tmp_path, preexec_fn=stoppable
        ) as process,
        _ended(process),
    ):
        assert process.stdout is not None
        lines = dict(process.stdout.readline().removeprefix("export ").strip().split("=", 1) for _ in range(3))
        assert set(lines) == {"OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"}
        with openai.OpenAI(base_url=lines["OPENAI_BASE_URL"], api_key=lines["OPENAI_API_KEY"]) as client:
            answer = client.chat.completions.create(model=lines["OPENAI_MODEL"], messages=HELLO)  # type: ignore[arg-type]
        assert (answer.choices[0].message.content or "").startswith(SAYS)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "")
    assert "Traceback" not in err
    assert not library.exists()
