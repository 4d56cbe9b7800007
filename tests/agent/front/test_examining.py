"""`doctor endpoint` against models that can do all, little or nothing, and what it means for the next question."""

import json
from pathlib import Path

import pytest

from agent.brains.abilities import ENDPOINTS
from tests.agent.front.meeting import vtt
from tests.agent.front.models import FULL, JSON_ONLY, PLAIN, model
from tests.agent.front.shell import Done, run
from tests.tools.loopback import Json, Loopback, Reply, message, script, serving, spoken, whole

ALL = [
    "models", "chat", "streamed chat", "tool call", "streamed tool call", "strict JSON schema", "JSON mode",
    "3k context", "12k context", "plan",
]  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Path:
    assert run(tmp_path / "lib", "import", str(vtt(tmp_path)), "--title", "talk").code == 0
    return tmp_path / "lib"


def _examined(library: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> tuple[Done, dict[str, str]]:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    done = run(library, "doctor", "endpoint")
    rows = [line for line in done.out.splitlines() if line[:2] in ("ok", "--", "!!")]
    return done, {line[4:28].strip(): line[:2] for line in rows}


def _kept(library: Path, server: Loopback) -> Json:
    path = library / ENDPOINTS
    assert path.stat().st_mode & 0o777 == 0o600
    kept: Json = json.loads(path.read_text())[f"127.0.0.1:{server.server_address[1]} only-one"]
    return kept


@pytest.mark.parametrize(
    ("lacks", "form", "words", "without"),
    [
        (FULL, "tools", "tool calls, streamed; else a strict JSON schema, JSON mode, plain text with repair", []),
        (JSON_ONLY, "json", "JSON mode, streamed; else plain text with repair", ALL[3:6]),
        (PLAIN, "text", "plain text with repair, streamed", ALL[3:7]),
    ],
)
@pytest.mark.parametrize("refuses", [True, False])
def test_a_model_is_examined_and_used_as_it_can(
    lacks: tuple[str, ...], form: str, words: str, without: list[str], refuses: bool,
    library: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    with serving(model(lacks, refuses=refuses)) as server:
        done, states = _examined(library, server, monkeypatch)
        examined = len(server.requests)
        reply = run(library, "ask", "talk", "--json", "How many people speak?")
    assert done.code == 0, done
    assert list(states) == ALL
    assert [name for name, state in states.items() if state != "ok"] == without
    assert f"plans    {words}" in done.out
    assert "context  12,000 tokens" in done.out
    assert _kept(library, server) == {"form": form, "streamed": True, "context": 12_000}
    assert reply.json["value"] == 5
    assert reply.json["usage"]["model"] == "only-one"
    assert len(server.requests) == examined + 1  # the form that works was asked for first
    sent = json.dumps(server.requests[:examined])
    assert "We ship on Friday" not in sent


def test_what_it_costs_is_said_first_and_holds(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(model(FULL)) as server:
        done, _ = _examined(library, server, monkeypatch)
    first = done.out.splitlines()[0]
    assert first.startswith("about 10 requests and 20,000 tokens go to 127.0.0.1:")
    assert len(server.requests) <= 10
    assert len(json.dumps(server.requests)) / 4 <= 22_000
    assert all("s, 11+7 tokens)" in line for line in done.out.splitlines()[2:11])


def test_a_context_that_is_cut_in_silence_is_found(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(model(FULL, context=4096)) as server:
        done, states = _examined(library, server, monkeypatch)
    assert (states["3k context"], states["12k context"]) == ("ok", "--")
    assert "I see no code word.; is the server's context large enough?" in done.out
    assert "context  4,096 tokens" in done.out
    assert _kept(library, server)["context"] is None


def test_a_model_whose_streams_are_broken_is_asked_without(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    able = model(FULL)

    def broken(request: Json) -> Reply:
        return Reply("data: {half", kind="text/event-stream") if request.get("stream") else able(request)

    with serving(broken) as server:
        done, states = _examined(library, server, monkeypatch)
        reply = run(library, "ask", "talk", "--json", "How many people speak?")
    assert [name for name, state in states.items() if state != "ok"] == ["streamed chat", "streamed tool call"]
    assert "plans    tool calls, not streamed" in done.out
    assert (reply.json["value"], server.requests[-1].get("stream")) == (5, None)


def test_a_server_that_loses_tool_calls_in_a_stream_is_asked_without(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    able = model(FULL)

    def losing(request: Json) -> Reply:
        lost = request.get("stream") and request.get("tools")
        return spoken(request, message("Let me call the tool.")) if lost else able(request)

    with serving(losing) as server:
        done, states = _examined(library, server, monkeypatch)
    assert [name for name, state in states.items() if state != "ok"] == ["streamed tool call"]
    assert "plans    tool calls, not streamed" in done.out


def test_a_model_that_plans_better_than_it_chats_is_used_as_it_plans(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    able = model(FULL)

    def odd(request: Json) -> Reply:
        return able(request) if "Question: " in str(request["messages"]) else spoken(request, message("I only plan."))

    with serving(odd) as server:
        done, states = _examined(library, server, monkeypatch)
    assert [name for name, state in states.items() if state == "ok"] == ["models", "streamed chat", "plan"]
    assert "plans    tool calls, streamed" in done.out


def test_a_model_that_only_chats_leaves_plans_to_the_rules(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(script(whole(message("Harbour.")))) as server:
        done, states = _examined(library, server, monkeypatch)
    assert (done.code, states["chat"], states["plan"]) == (0, "ok", "--")
    assert "the rules planned" in done.out


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply('{"error": {"message": "Incorrect API key provided: sk-CANARY0123456789"}}', status=401), "[key]"),
        (Reply("<html>Sign in</html>", kind="text/html"), "not OpenAI-compatible"),
        (whole(message("")), "answered nothing"),
    ],
)
def test_an_endpoint_of_no_use_is_told_at_once_and_nothing_is_kept(
    reply: Reply, told: str, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-CANARY0123456789")
    with serving(script(reply)) as server:
        done, states = _examined(library, server, monkeypatch)
    assert (done.code, states) == (3, {"models": "ok", "chat": "!!"})
    assert told in done.out
    assert "CANARY" not in done.out + done.err
    assert len(server.requests) == 1
    assert not (library / ENDPOINTS).exists()


def test_without_an_endpoint_there_is_nothing_to_examine(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = run(library, "doctor", "endpoint")
    assert (done.code, done.out) == (2, "")
    assert "OPENAI_BASE_URL" in done.err
    monkeypatch.setenv("OPENAI_API_KEY", "sk-CANARY0123456789")
    done = run(library, "doctor", "endpoint")
    assert (done.code, done.out) == (2, "")
    assert "api.openai.com is not used" in done.err


def test_several_models_are_named(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(model(FULL), offers=("a", "b")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        several = run(library, "doctor", "endpoint")
        monkeypatch.setenv("OPENAI_MODEL", "c")
        other = run(library, "doctor", "endpoint")
    assert several.code == 2
    assert "(a, b)" in several.err
    assert other.code == 0
    assert "--  models                   c is not among: a, b" in other.out
