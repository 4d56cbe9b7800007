"""A bare reply is the same after it went over the wire, whole or in events."""

import time
from typing import Any

import pytest

from agent.brains.chat_model import EndpointChat
from agent.evals.models.said import complaint, heard, sent
from agent.evals.models.wire import Json, Sent, serving
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault

CALLS = [{"name": "speaker", "arguments": {"names": ["Zoé"]}}, {"name": "fuse", "arguments": {"anchor": "speaker"}}]
SAID: list[dict[str, Any]] = [{"content": "Zoé wants to wait [2]."}, {"tool_calls": CALLS}]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_is_read_back_as_it_was_said(said: dict[str, Any], stream: bool) -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "Who?"}], "stream": stream}
    assert heard(sent(said, request)) == said


@pytest.mark.parametrize("stream", [False, True])
def test_the_product_reads_it_and_its_tokens(stream: bool) -> None:
    with serving(lambda name, request: sent({"content": name}, request)) as wire:
        chat = EndpointChat(endpoint=Endpoint(wire.named("bank.who"), None, "m"), streamed=stream)
        answer = chat.invoke("Who spoke?")
        assert Endpoint(wire.named("any"), None).model == "model"
    assert answer.content == "bank.who"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["input_tokens"] > 0


@pytest.mark.parametrize(
    "said", [None, [], {}, {"content": " "}, {"content": 3}, {"tool_calls": []}, {"tool_calls": [{"name": "fuse"}]}]
)
def test_what_cannot_be_sent_is_said(said: object) -> None:
    assert complaint(said)


def test_what_can_be_sent_is_fine() -> None:
    assert [complaint(said) for said in SAID] == [None, None]


def test_who_may_be_silent_for_longer_may_take_longer_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.endpoint.WHOLE_ANSWER", 0.2)

    def slow(name: str, request: Json) -> Sent:
        time.sleep(0.5)
        return sent({"content": "read by a person"}, request)

    with serving(slow) as wire:
        chat = EndpointChat(endpoint=Endpoint(wire.url, None, "m", timeout=3600))
        assert chat.invoke("Who spoke?").content == "read by a person"
        with pytest.raises(Fault, match="still answering"):
            EndpointChat(endpoint=Endpoint(wire.url, None, "m")).invoke("Who spoke?")
