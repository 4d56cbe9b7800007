"""Each fault of an endpoint is played by a real server, whole and streamed, and comes out as one plain line."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from store.errors import EndpointError, Exit, UsageError
from tests.sleeping import cut_short
from tests.tools.loopback import Reply, call, event, message, script, serving, spoken, streamed, whole
from tools.endpoint import Endpoint
from tools.endpoints.completion import Completion, Fault
from tools.endpoints.patience import LONGEST_WAIT

KEY = "sk-CANARY0123456789abcdef"
ASK = [{"role": "user", "content": "How many?"}]
TOOL = {"type": "function", "function": {"name": "transcript", "parameters": {"type": "object", "properties": {}}}}
SSE = "text/event-stream"


def _ask(answer: Callable[[dict[str, Any]], Reply], stream: bool, **more: Any) -> Completion:
    with serving(answer) as server:
        return Endpoint(server.url, KEY, "m", timeout=0.5).complete(ASK, stream=stream, **more)


@pytest.mark.parametrize("stream", [False, True])
def test_text_and_the_endpoints_token_count_arrive(stream: bool) -> None:
    with serving(lambda request: spoken(request, message("Two people speak [1]."))) as server:
        found = Endpoint(server.url, KEY, "m").complete(ASK, tools=[TOOL], stream=stream)
    assert (found.text, found.input_tokens, found.output_tokens) == ("Two people speak [1].", 11, 7)
    assert server.keys == [f"Bearer {KEY}"]
    assert server.requests[0]["tools"] == [TOOL]


@pytest.mark.parametrize("stream", [False, True])
def test_several_tool_calls_arrive_with_their_arguments_and_unknown_fields(stream: bool) -> None:
    first = call("transcript", json.dumps({"keywords": ["a", "budget überall"]}), "c1")
    first["extra_content"] = {"google": {"thought_signature": "abc"}}
    said = message(None, tool_calls=[first, call("fuse", "", "c2")])
    found = _ask(lambda request: spoken(request, said, "tool_calls"), stream)
    assert [(c.id, c.name, c.arguments, c.problem) for c in found.calls] == [
        ("c1", "transcript", {"keywords": ["a", "budget überall"]}, None),
        ("c2", "fuse", {}, None),
    ]
    assert found.message["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "abc"}}


FAULTS: list[tuple[str, Reply, str, str]] = [
    ("500", Reply('{"error": {"message": "boom"}}', status=500), "endpoint_fault", "failed (500)"),
    ("404", Reply('{"error": {"message": "no model m"}}', status=404), "endpoint_fault", "(404): no model m"),
    (
        "html",
        Reply("<html><h1>Sign in</h1></html>", kind="text/html"),
        "endpoint_fault",
        "not OpenAI-compatible: <html>",
    ),
    ("no choices", Reply('{"choices": []}'), "endpoint_fault", "without a choice"),
    ("null choices", Reply('{"choices": null}'), "endpoint_fault", "without a choice"),
    ("null", Reply("null"), "endpoint_fault", "not OpenAI-compatible"),
    ("list", Reply("[]"), "endpoint_fault", "not OpenAI-compatible"),
    ("error in 200", Reply('{"error": {"message": "out of memory"}}'), "endpoint_fault", "out of memory"),
    (
        "error in SSE",
        Reply(pieces=('data: {"error": {"message": "gpu gone"}}\n\n',), kind=SSE),
        "endpoint_fault",
        "gpu gone",
    ),
    (
        "bad SSE",
        Reply(pieces=("data: {half\n\n",), kind=SSE),
        "endpoint_fault",
        "stream is not OpenAI-compatible: {half",
    ),
    ("empty SSE", Reply(pieces=("data: [DONE]\n\n",), kind=SSE), "truncated", "stopped in the middle"),
    ("no finish", streamed(message("It was Al"), None), "truncated", "stopped in the middle"),
    ("length", whole(message("It was Al"), "length"), "truncated", "length limit"),
    ("length SSE", streamed(message("It was Al"), "length"), "truncated", "length limit"),
    ("filter", whole(message(None), "content_filter"), "content_filter", "content filter"),
    ("filter SSE", streamed(message(""), "content_filter"), "content_filter", "content filter"),
    ("refusal", whole(message(None, refusal="I cannot help")), "model_refused", "I cannot help"),
    ("refusal SSE", streamed(message(None, refusal="I cannot help")), "model_refused", "I cannot help"),
    ("empty", whole(message("  ")), "empty", "answered nothing"),
    ("empty stop SSE", streamed(message(None)), "empty", "answered nothing"),
    ("message null", Reply('{"choices": [{"message": null, "finish_reason": "stop"}]}'), "empty", "answered nothing"),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("reply", "kind", "line"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_one_plain_line_of_the_right_kind(
    reply: Reply, kind: str, line: str, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(monkeypatch, longest=0.02)
    with pytest.raises(EndpointError) as caught:
        _ask(script(reply), stream)
    assert (caught.value.kind, caught.value.exit) == (kind, Exit.ENDPOINT)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_echoed_by_the_endpoint_is_not_shown_and_not_tried_again() -> None:
    refused = Reply(json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}."}}), status=401)
    with serving(script(refused)) as server, pytest.raises(Fault) as caught:
        Endpoint(server.url, KEY, "m").complete(ASK)
    assert len(server.requests) == 1
    assert caught.value.cause == "key"
    assert KEY not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert "[key]" in str(caught.value)


def test_a_password_in_the_address_is_not_shown() -> None:
    with pytest.raises(UsageError) as caught:
        Endpoint("ftp://user:hunter22@host/v1", None)
    assert "hunter22" not in str(caught.value)
    assert Endpoint("http://user:hunter22@host:81/v1", None).host == "host:81"


@pytest.mark.parametrize("stream", [False, True])
def test_a_limit_is_waited_out_as_told(stream: bool) -> None:
    told: list[str] = []
    limited = Reply('{"error": {"message": "slow down"}}', status=429, headers={"retry-after": "1"})
    answers = script(limited, streamed(message("Two")) if stream else whole(message("Two")))
    started = time.monotonic()
    with serving(answers) as server:
        found = Endpoint(server.url, KEY, "m", say=told.append).complete(ASK, stream=stream)
    assert found.text == "Two"
    assert 1.0 <= time.monotonic() - started < 3.0
    assert "trying again in 1 s" in told[0]


def test_a_limit_is_never_waited_longer_than_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = cut_short(monkeypatch)
    limited = Reply('{"error": {"message": "slow down"}}', status=429, headers={"retry-after": "86400"})
    with serving(script(limited)) as server, pytest.raises(Fault, match="limits its requests"):
        Endpoint(server.url, KEY, "m").complete(ASK)
    assert sum(waits) == pytest.approx(2 * LONGEST_WAIT, abs=0.1)
    assert len(server.requests) == 3


@pytest.mark.parametrize("stream", [False, True])
def test_no_answer_in_time_is_unreachable(stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    with serving(script(Reply(wait=0.6))) as server, pytest.raises(EndpointError) as caught:
        Endpoint(server.url, KEY, "m", timeout=0.1).complete(ASK, stream=stream)
    assert caught.value.kind == "endpoint_unreachable"
    assert "within 0.1 s" in str(caught.value)


def test_a_stalled_stream_keeps_the_text_that_had_arrived() -> None:
    stalled = Reply(pieces=(event({"content": "It was "}), event({"content": "Alice"})), kind=SSE, stall=1.0)
    with pytest.raises(Fault) as caught:
        _ask(script(stalled), True)
    assert (caught.value.kind, caught.value.partial) == ("endpoint_unreachable", "It was Alice")


def test_an_answer_that_trickles_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.endpoint.WHOLE_ANSWER", 0.2)
    endless = Reply(pieces=(event({"content": "and "}),) * 100, kind=SSE, pace=0.02)
    with pytest.raises(Fault, match="still answering after 0.2 s") as caught:
        _ask(script(endless), True)
    assert caught.value.kind == "truncated"
    assert caught.value.partial.startswith("and and ")


def test_nobody_listening_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(EndpointError, match="cannot be reached") as caught:
        Endpoint(f"http://127.0.0.1:{port}/v1", KEY, "m").complete(ASK)
    assert caught.value.kind == "endpoint_unreachable"


def test_a_cut_connection_is_asked_once_more_when_nothing_was_shown() -> None:
    cut = Reply(pieces=(event({"content": "It was "}),), kind=SSE, cut=True)
    with serving(script(cut, streamed(message("It was Bo")))) as server:
        assert Endpoint(server.url, KEY, "m").complete(ASK, stream=True).text == "It was Bo"
    assert len(server.requests) == 2


def test_a_cut_connection_is_not_asked_again_after_text_was_shown() -> None:
    shown: list[str] = []
    cut = Reply(pieces=(event({"content": "It was "}),), kind=SSE, cut=True)
    with serving(script(cut)) as server, pytest.raises(Fault, match="cut the connection") as caught:
        Endpoint(server.url, KEY, "m").complete(ASK, stream=True, on_text=shown.append)
    assert (len(server.requests), shown, caught.value.partial) == (1, ["It was "], "It was ")


@pytest.mark.parametrize("ending", [{"cut": True}, {"stall": 1.0}, {}])
def test_a_stream_that_ends_inside_a_tool_call_yields_no_call(ending: dict[str, Any]) -> None:
    half = event({"tool_calls": [{"index": 0, **call("query_sql", '{"sql": "SELECT text FROM transcript"}')}]})
    with pytest.raises(EndpointError):
        _ask(script(Reply(pieces=(half,), kind=SSE, **ending)), True)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("arguments", "problem"), [('{"keywords": [', "no JSON"), ("[1, 2]", "must be an object"), ('"x"', "must be")]
)
def test_unusable_arguments_are_told_and_not_used(arguments: str, problem: str, stream: bool) -> None:
    said = message(None, tool_calls=[call("transcript", arguments)])
    (found,) = _ask(lambda request: spoken(request, said, "tool_calls"), stream).calls
    assert found.arguments == {}
    assert problem in str(found.problem)


@pytest.mark.parametrize("stream", [False, True])
def test_a_lone_surrogate_can_be_printed(stream: bool) -> None:
    found = _ask(lambda request: spoken(request, message("a\ud83d b")), stream)
    assert found.text.encode("utf-8") == b"a? b"


def test_an_overflow_of_the_context_is_recognised() -> None:
    told = {
        "error": {"message": "This model's maximum context length is 4096 tokens", "code": "context_length_exceeded"}
    }
    with pytest.raises(Fault, match="does not fit") as caught:
        _ask(script(Reply(json.dumps(told), status=400)), False)
    assert caught.value.cause == "context"


def test_a_field_the_endpoint_does_not_know_is_left_out_from_then_on() -> None:
    def picky(request: dict[str, Any]) -> Reply:
        for field in ("temperature", "stream_options"):
            if field in request:
                return Reply(json.dumps({"error": {"message": f"unsupported parameter: {field}"}}), status=400)
        return streamed(message("ok"))

    with serving(picky) as server:
        endpoint = Endpoint(server.url, KEY, "m")
        assert endpoint.complete(ASK, stream=True).text == "ok"
        assert endpoint.complete(ASK, stream=True).text == "ok"
    assert len(server.requests) == 4


def test_a_redirect_is_not_followed() -> None:
    with serving(script(whole(message("leaked")))) as elsewhere:
        moved = Reply(status=307, headers={"location": f"{elsewhere.url}/chat/completions"})
        with serving(script(moved)) as server, pytest.raises(EndpointError):
            Endpoint(server.url, KEY, "m").complete(ASK)
    assert elsewhere.requests == []


def test_the_only_model_is_taken_and_several_are_named() -> None:
    with serving(script(whole(message("ok"))), offers=("llama",)) as server:
        assert Endpoint(server.url, None).model == "llama"
    with serving(script(whole(message("ok"))), offers=("a", "b")) as server, pytest.raises(UsageError, match="a, b"):
        Endpoint(server.url, None).complete(ASK)


def test_an_extra_body_and_extra_headers_go_with_every_request_and_stay_secret() -> None:
    refused = Reply(json.dumps({"error": {"message": "bad header hunter22"}}), status=401)
    with serving(script(whole(message("ok")), refused)) as server:
        endpoint = Endpoint(
            server.url, None, "m", extra_body={"top_k": 5, "temperature": 1}, extra_headers={"X-Team": "hunter22"}
        )
        assert endpoint.complete(ASK).text == "ok"
        with pytest.raises(Fault) as caught:
            endpoint.complete(ASK)
    assert [(r["top_k"], r["temperature"], r["model"]) for r in server.requests] == [(5, 1, "m")] * 2
    assert [headers["x-team"] for headers in server.headers] == ["hunter22"] * 2
    assert "hunter22" not in str(caught.value)


@pytest.mark.parametrize("field", ["model", "messages", "tools", "response_format", "stream"])
def test_an_extra_body_cannot_ask_something_else(field: str) -> None:
    with pytest.raises(UsageError, match=field):
        Endpoint("http://127.0.0.1:9/v1", None, "m", extra_body={field: 1})


@pytest.mark.parametrize("stream", [False, True])
def test_unknown_fields_of_a_message_come_back_whole(stream: bool) -> None:
    said = message("Two.", reasoning_content="Let me count: Ada, Ben.", audio={"id": "a1"}, annotations=[])
    found = _ask(lambda request: spoken(request, said), stream)
    assert found.message == {
        "role": "assistant", "content": "Two.", "reasoning_content": "Let me count: Ada, Ben.", "audio": {"id": "a1"},
    }  # fmt: skip


def test_a_carried_field_that_the_endpoint_refuses_is_left_out_from_then_on() -> None:
    def picky(request: dict[str, Any]) -> Reply:
        if any("reasoning_content" in said for said in request["messages"]):
            return Reply('{"error": {"message": "messages.1.reasoning_content: unknown field"}}', status=422)
        return whole(message("ok"))

    carried = [*ASK, message("Two.", reasoning_content="I count."), *ASK]
    with serving(picky) as server:
        endpoint = Endpoint(server.url, KEY, "m")
        assert [endpoint.complete(carried).text for _ in range(2)] == ["ok", "ok"]
    assert len(server.requests) == 3
    assert server.requests[-1]["messages"][1] == message("Two.")


@pytest.mark.parametrize("stream", [False, True])
def test_half_a_surrogate_pair_anywhere_can_be_stored_and_carried_back(stream: bool) -> None:
    bad = call("trans\ud83d", '{"keywords": ["a\\ud83d"]}', "c\ud83d")
    said = message(None, tool_calls=[bad], note="\ud83d")
    found = _ask(lambda request: spoken(request, said, "tool_calls"), stream)
    (made,) = found.calls
    assert (made.name, made.id, made.arguments) == ("trans\ufffd", "c\ufffd", {"keywords": ["a\ufffd"]})
    json.dumps(found.message, ensure_ascii=False).encode("utf-8")


NESTED = "[" * 100_000


@pytest.mark.parametrize("stream", [False, True])
def test_arguments_without_a_bottom_are_told_and_a_body_without_one_is_a_fault(stream: bool) -> None:
    said = message(None, tool_calls=[call("transcript", NESTED)])
    (made,) = _ask(lambda request: whole(said, "tool_calls"), stream).calls
    assert "no JSON" in str(made.problem)
    for kind, body in (("application/json", NESTED), (SSE, f"data: {NESTED}\n\n")):
        with pytest.raises(Fault, match="not OpenAI-compatible"):
            _ask(script(Reply(body, kind=kind)), stream)


@pytest.mark.parametrize("kind", [SSE, "application/json"])
def test_an_answer_that_is_one_endless_line_is_ended(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.endpoint.WHOLE_ANSWER", 0.2)
    with pytest.raises(Fault, match="still answering"):
        _ask(script(Reply(pieces=("data: and ",) * 60, kind=kind, pace=0.02)), True)
    monkeypatch.setattr("tools.endpoint.WHOLE_ANSWER", 60)
    monkeypatch.setattr("tools.endpoints.body.MOST_BYTES", 100_000)
    with pytest.raises(Fault, match="longer than 0.1 MB"):
        _ask(script(Reply(pieces=("x" * 50_000,) * 4, kind=kind)), True)


@pytest.mark.parametrize("stream", [False, True])
def test_all_tries_together_end_in_the_time_that_is_given(stream: bool) -> None:
    started = time.monotonic()
    with serving(script(Reply(wait=5))) as server, pytest.raises(Fault, match="did not answer") as caught:
        Endpoint(server.url, KEY, "m", timeout=0.3).complete(ASK, stream=stream, seconds=0.5)
    assert time.monotonic() - started < 2.5
    assert caught.value.kind == "endpoint_unreachable"


def test_the_time_of_one_request_is_not_the_next_ones() -> None:
    with serving(script(whole(message("ok")))) as server:
        endpoint = Endpoint(server.url, KEY)
        assert endpoint.complete(ASK, seconds=0.3).text == "ok"
        time.sleep(0.35)
        assert endpoint.complete(ASK).text == "ok"
        assert endpoint.models() == ["only-one"]


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ('{"data": [{"id": "a"}, {"id": "b\\u001b[2J"}]}', ["a", "b"]),
        ('[{"id": "a"}, "b"]', ["a", "b"]),
        ('{"data": null}', []),
        ('{"data": [{}, 7, {"id": ""}, {"id": 9}]}', []),
    ],
)
def test_a_list_of_models_is_read_as_endpoints_give_it(listed: str, names: list[str]) -> None:
    with serving(script(whole(message("ok")))) as server:
        server.listed = listed
        assert Endpoint(server.url, None).models() == names


@pytest.mark.parametrize("listed", ["<html>", "7", '{"data": 7}', "", NESTED])
def test_what_is_no_list_of_models_is_a_fault(listed: str) -> None:
    with serving(script(whole(message("ok")))) as server:
        server.listed = listed
        with pytest.raises(Fault, match="not OpenAI-compatible"):
            Endpoint(server.url, None).models()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>\nAda {or} Ben?\n</think>\n\nBen [1].", "Ben [1]."),
        ("Ada or Ben?\n</think>\n\nBen [1].", "Ben [1]."),
        ("<think></think>Ben [1].", "Ben [1]."),
        ("Ben says <think> [1].", "Ben says <think> [1]."),
        ("Ben <think>so</think> [1].", "Ben <think>so</think> [1]."),
    ],
)
def test_what_a_model_thinks_aloud_is_no_answer(said: str, text: str, stream: bool) -> None:
    assert _ask(lambda request: spoken(request, message(said)), stream).text == text


@pytest.mark.parametrize("said", ["<think>Ada or Ben?</think>", "<think>Ada or Ben? Ada or"])
def test_a_model_that_only_thinks_answers_nothing(said: str) -> None:
    with pytest.raises(Fault) as caught:
        _ask(lambda request: spoken(request, message(said)), True)
    assert caught.value.kind == "empty"


def test_half_an_answer_is_kept_without_the_thinking_before_it() -> None:
    with pytest.raises(Fault) as caught:
        _ask(lambda request: streamed(message("<think>Ada or Ben?</think>It was"), None), True)
    assert caught.value.partial == "It was"
