"""The table of an endpoint's faults, played by a real server while a question is planned and while it is answered.

Whatever it does, whole or streamed: one plain line, the right exit code and kind, no traceback, no key; the trace is
complete and the next question works.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.brains.abilities import Abilities, keep
from store.database import Database
from store.trace import Trace, show
from tests.agent.front.meeting import vtt
from tests.agent.front.shell import Done, run
from tests.sleeping import cut_short
from tests.tools.loopback import Json, Reply, call, event, message, script, serving, spoken

KEY = "sk-CANARY0123456789abcdef"
QUESTION = "Why do they ship on Friday?"
SAID = "They ship on Friday [1]."
PLAN = message(
    None,
    tool_calls=[
        call("transcript", '{"keywords": ["ship"], "ref": "said"}', "c1"),
        call("fuse", '{"anchor": "said", "answer_schema": "text"}', "c2"),
    ],
)
SSE = "text/event-stream"
PHASES = ("planned", "answered")
Server = Callable[[Json], Reply]


@dataclass(frozen=True)
class Case:
    """One fault: what is sent, where it is played, and what must come of it; `kind` None: played once, an answer."""

    send: Server
    kind: str | None
    told: str
    phases: tuple[str, ...] = PHASES
    streams: tuple[bool, ...] = (False, True)


def good(request: Json) -> Reply:
    """Plan and answer as a sound model does."""
    return spoken(request, message(SAID)) if _answering(request) else spoken(request, PLAN, "tool_calls")


def _answering(request: Json) -> bool:
    return "<rows>" in json.dumps(request["messages"])


def error(status: int, text: str, **headers: str) -> Server:
    return script(Reply(json.dumps({"error": {"message": text}}), status=status, headers=headers))


def always(said: Json, finish: str | None = "stop") -> Server:
    return lambda request: spoken(request, said, finish)


def body(text: str, kind: str = "application/json") -> Server:
    return script(Reply(text, kind=kind))


def pieces(*sent: str, **ending: float) -> Server:
    return script(Reply(pieces=sent, kind=SSE, **ending))  # type: ignore[arg-type]


HALF = message("It was", tool_calls=[call("transcript", '{"keywords": ["ship"]}')])
HALF_CALL = event({"tool_calls": [{"index": 0, **call("transcript", '{"keywords": ["sh')}]})
BAD_ARGUMENTS = message(None, tool_calls=[call("transcript", '{"keywords": ["shi')])
LIST_ARGUMENTS = message(None, tool_calls=[call("transcript", '["ship"]')])
UNKNOWN_TOOL = message(None, tool_calls=[call("rm_rf", '{"path": "/"}')])
CUT = Reply(pieces=(event({"content": "It was "}),), kind=SSE, cut=True)
STALLED = Reply(pieces=(event({"content": "It was "}),), kind=SSE, stall=1.2)
PLANNED, ANSWERED, STREAMED = ("planned",), ("answered",), (True,)

CASES: dict[str, Case] = {
    "429 once": Case(error(429, "slow down", **{"retry-after": "1"}), None, "ship on Friday"),
    "429": Case(error(429, "slow down", **{"retry-after": "1"}), "endpoint_fault", "limits its requests (429)"),
    "500 once": Case(error(500, "boom"), None, "ship on Friday"),
    "500": Case(error(500, "boom"), "endpoint_fault", "failed (500): boom"),
    "401": Case(error(401, f"Incorrect API key provided: {KEY}"), "endpoint_fault", "refused the key (401)"),
    "context": Case(error(400, "maximum context length is 9 tokens"), "endpoint_fault", "does not fit"),
    "context once": Case(error(400, "maximum context length is 9"), None, "ship on Friday", ANSWERED),
    "no answer": Case(script(Reply(wait=0.9)), "endpoint_unreachable", "did not answer within 0.3 s"),
    "stalled": Case(script(STALLED), "endpoint_unreachable", "did not answer within", streams=STREAMED),
    "cut once": Case(script(CUT), None, "ship on Friday"),
    "cut": Case(script(CUT), "endpoint_fault", "cut the connection"),
    "no finish": Case(always(message("It was Al"), None), "truncated", "stopped in the middle", streams=STREAMED),
    "cut in arguments once": Case(pieces(HALF_CALL), None, "ship on Friday", PLANNED, STREAMED),
    "cut in arguments": Case(pieces(HALF_CALL), "truncated", "stopped in the middle", PLANNED, STREAMED),
    "bad arguments once": Case(always(BAD_ARGUMENTS, "tool_calls"), None, "ship on Friday", PLANNED),
    "list arguments once": Case(always(LIST_ARGUMENTS, "tool_calls"), None, "ship on Friday", PLANNED),
    "unknown tool once": Case(always(UNKNOWN_TOOL, "tool_calls"), None, "ship on Friday", PLANNED),
    "HTML": Case(body("<html><h1>Sign in</h1>", "text/html"), "endpoint_fault", "not OpenAI-compatible: <html>"),
    "bad JSON in SSE": Case(pieces("data: {half\n\n"), "endpoint_fault", "not OpenAI-compatible: {half"),
    "no choices": Case(body('{"choices": []}'), "endpoint_fault", "without a choice"),
    "null choices": Case(body('{"choices": null}'), "endpoint_fault", "without a choice"),
    "null": Case(body("null"), "endpoint_fault", "not OpenAI-compatible"),
    "choices are text": Case(body('{"choices": "x"}'), "endpoint_fault", "without a choice"),
    "choices hold numbers": Case(body('{"choices": [7]}'), "empty", "answered nothing"),
    "error in 200": Case(body('{"error": {"message": "out of memory"}}'), "endpoint_fault", "out of memory"),
    "error in SSE": Case(pieces('data: {"error": "gpu gone"}\n\n'), "endpoint_fault", "gpu gone"),
    "empty": Case(always(message("  ")), "empty", "answered nothing"),
    "refusal": Case(always(message(None, refusal="I cannot")), "model_refused", "I cannot"),
    "length": Case(always(message("It was Al"), "length"), "truncated", "length limit"),
    "length once": Case(always(message("It was Al"), "length"), None, "ship on Friday", PLANNED),
    "filter": Case(always(message(None), "content_filter"), "content_filter", "content filter"),
    "surrogate": Case(always(message(f"{SAID}\ud83d")), None, "ship on Friday", ANSWERED),
}
PLAYED = [
    pytest.param(name, phase, stream, id=f"{name}, {phase}, {'streamed' if stream else 'whole'}")
    for name, case in CASES.items()
    for phase in case.phases
    for stream in case.streams
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    assert run(folder / "lib", "import", str(vtt(folder)), "--title", "talk").code == 0
    return folder / "lib"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten waits and time-outs; their order stays."""
    cut_short(monkeypatch, longest=0.01)
    monkeypatch.setattr("tools.endpoint.TIMEOUT", 0.3)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("name", "phase", "stream"), PLAYED)
def test_a_fault_of_the_endpoint(
    name: str, phase: str, stream: bool, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    left = [case.send] * (1 if case.kind is None else 20)

    def answer(request: Json) -> Reply:
        faulty = left and _answering(request) == (phase == "answered")
        return (left.pop() if faulty else good)(request)

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_MODEL", "m")
    with serving(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        keep(library, f"127.0.0.1:{server.server_address[1]}", "m", Abilities("tools", streamed=stream))
        done = run(library, "ask", "talk", "--json", QUESTION)
        asked = len(server.requests)
        left.clear()
        after = run(library, "ask", "talk", QUESTION)
    _holds(done, case)
    if phase == "answered" and name in ("stalled", "no finish", "length"):
        assert "(incomplete): It was" in done.json["answer"]
    assert asked <= 12
    trace = _trace(library, done.json["trace"])
    assert trace.reply is not None
    assert trace.reply["usage"] == done.json["usage"]
    assert done.json["usage"]["model"] == "m"
    assert bool(case.kind) == any(span.error for span in trace.spans)
    assert (after.code, "ship on Friday" in after.out) == (0, True)
    assert all(b"CANARY" not in path.read_bytes() for path in library.rglob("*") if path.is_file())


def _holds(done: Done, case: Case) -> None:
    reply = done.json
    assert "Traceback" not in done.err
    assert "CANARY" not in done.out + done.err
    if case.kind is None:
        assert (done.code, reply["status"], reply["error"]) == (0, "answered", None), done
        assert case.told in reply["answer"]
        return
    assert (done.code, reply["status"], reply["error"]["kind"]) == (3, "failed", case.kind), done
    assert case.told in reply["error"]["message"]
    assert "\n" not in reply["error"]["message"]
    assert reply["answer"]
    assert reply["value"] is None


def _trace(library: Path, key: str) -> Trace:
    with Database.open(library).reader() as connection:
        return show(connection, key)
