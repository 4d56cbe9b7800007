"""The endpoint as a chat model: what it said is carried back word for word, and what is broken does no harm."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel

from agent.brains.chat_model import RAW, EndpointChat, wire
from tests.tools.loopback import Json, Reply, message, serving, spoken
from tools.endpoint import Endpoint

SIGNED = {"id": "c1", "type": "function", "function": {"name": "events", "arguments": '{"labels": ["bell"]}'}}


def answering(said: Json, finish: str = "stop") -> Callable[[Json], Reply]:
    return lambda request: spoken(request, said, finish)


def told(said: Json, *, streamed: bool, finish: str = "stop", **more: Any) -> tuple[AIMessage, Json]:
    with serving(answering(said, finish)) as server:
        chat = EndpointChat(endpoint=Endpoint(server.url, None, "m"), streamed=streamed)
        answer = chat.invoke([SystemMessage("You."), HumanMessage("Hi")], **more)
        return answer, server.requests[0]


@pytest.mark.parametrize("streamed", [True, False])
def test_calls_and_fields_we_do_not_know_are_carried_back(streamed: bool) -> None:
    call = SIGNED | {"extra_content": {"signature": "é"}}
    answer, _ = told(message(None, tool_calls=[call], odd=[1]), streamed=streamed, finish="tool_calls")
    assert [(one["name"], one["args"]) for one in answer.tool_calls] == [("events", {"labels": ["bell"]})]
    back = wire(answer)
    assert back["tool_calls"][0]["extra_content"] == {"signature": "é"}
    assert back["odd"] == [1]
    assert back == wire(answer)


@pytest.mark.parametrize("arguments", ['{"labels": ', "[1]", "[" * 5_000])
def test_broken_arguments_are_emptied_on_the_way_back(arguments: str) -> None:
    """Templates of local servers parse what they are handed, and fail on what is no JSON."""
    call = SIGNED | {"function": {"name": "events", "arguments": arguments}}
    answer, _ = told(message(None, tool_calls=[call]), streamed=False, finish="tool_calls")
    assert answer.tool_calls == []
    assert [one["name"] for one in answer.invalid_tool_calls] == ["events"]
    assert wire(answer)["tool_calls"][0]["function"] == {"name": "events", "arguments": "{}"}


def test_other_messages_are_written_as_the_protocol_has_them() -> None:
    assert wire(HumanMessage("Hi")) == {"role": "user", "content": "Hi"}
    assert wire(ToolMessage("done", tool_call_id="c1")) == {"role": "tool", "content": "done", "tool_call_id": "c1"}
    given = AIMessage("x", additional_kwargs={RAW: {"role": "assistant", "content": "y", "odd": 1}})
    assert wire(given) == {"role": "assistant", "content": "y", "odd": 1}


def test_what_steers_a_screen_is_not_in_the_text() -> None:
    answer, _ = told(message("a\x1b[2J\u202eb"), streamed=False)
    assert "\x1b" not in str(answer.content)
    assert "\u202e" not in str(answer.content)


class Note(BaseModel):
    """Note a word."""

    word: str


def test_tools_and_formats_are_sent_as_they_were_bound() -> None:
    with serving(answering(message("ok"))) as server:
        chat = EndpointChat(endpoint=Endpoint(server.url, None, "m"), streamed=False)
        chat.bind_tools([Note]).invoke([HumanMessage("Hi")], response_format={"type": "json_object"})
        (request,) = server.requests
    assert request["tools"][0]["function"]["name"] == "Note"
    assert request["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("streamed", [True, False])
def test_text_is_the_same_streamed_or_not(streamed: bool) -> None:
    answer, request = told(message("Grüße 🙂\nund mehr"), streamed=streamed)
    assert answer.content == "Grüße 🙂\nund mehr"
    assert bool(request.get("stream")) == streamed
