"""Every answer is paid for, and one that was cut, refused, filtered or empty as well."""

from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from agent.ask import ask
from agent.brains.chat_model import EndpointChat
from agent.brains.openai import OpenAIBrain
from agent.brains.planner import Bill
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Budget, Meter
from agent.library import Library
from tests.agent.brains.meeting import meeting
from tests.tools.loopback import Json, Loopback, message, serving, spoken, streamed, whole
from tests.tools.loopback import Reply as Sent
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault

USELESS = {
    "cut": (message("Let me think and think and think"), "length"),
    "filtered": (message("Let me"), "content_filter"),
    "empty": (message(""), "stop"),
    "refused": (message(None, refusal="No."), "stop"),
}


def _bill(server: Loopback, stream: bool) -> Bill:
    chat = EndpointChat(endpoint=Endpoint(server.url, None, "m"), streamed=stream)
    return Bill(chat, Meter(Budget()))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", USELESS)
def test_an_answer_of_no_use_is_counted_as_the_endpoint_says(kind: str, stream: bool) -> None:
    said, finish = USELESS[kind]
    with serving(lambda request: spoken(request, said, finish)) as server:
        bill = _bill(server, stream)
        with pytest.raises(Fault):
            bill.ask([HumanMessage("Who spoke?")])
    assert bill.meter is not None
    assert (bill.meter.input_tokens, bill.meter.output_tokens, bill.meter.estimated_tokens) == (11, 7, 0)


def test_without_figures_it_is_estimated_by_what_came() -> None:
    sent = Sent(whole(message("Let me think and think"), "length").body.replace('"usage"', '"used"'))
    with serving(lambda request: sent) as server:
        bill = _bill(server, False)
        with pytest.raises(Fault):
            bill.ask([HumanMessage("Who spoke?")])
    assert bill.meter is not None
    assert bill.meter.estimated_tokens == bill.meter.input_tokens + bill.meter.output_tokens
    assert bill.meter.output_tokens >= 5


def test_a_connection_that_is_cut_in_an_answer_is_estimated_too() -> None:
    with serving(lambda request: streamed(message("Let me think and think"), None)) as server:
        bill = _bill(server, True)
        with pytest.raises(Fault):
            bill.ask([HumanMessage("Who spoke?")])
    assert bill.meter is not None
    assert bill.meter.estimated_tokens > 10


def test_an_endpoint_that_does_not_answer_has_cost_nothing() -> None:
    with serving(lambda request: Sent('{"error": {"message": "no more credit"}}', status=402)) as server:
        bill = _bill(server, False)
        with pytest.raises(Fault):
            bill.ask([HumanMessage("Who spoke?")])
    assert bill.meter is not None
    assert (bill.meter.model_calls, bill.meter.input_tokens, bill.meter.output_tokens) == (1, 0, 0)


@pytest.mark.parametrize("stream", [False, True])
def test_cut_plans_are_in_a_replys_usage(stream: bool, tmp_path: Path) -> None:
    def cut(request: Json) -> Sent:
        return spoken(request, message("Let me think and think"), "length")

    library = Library(tmp_path / "library")
    meeting(library.database)
    with serving(cut) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain(), streamed=stream)
        reply = ask(library, "How many people speak?", brain=brain)
    assert reply.usage.model_calls == len(server.requests) > 0
    assert reply.usage.output_tokens == 7 * len(server.requests)
