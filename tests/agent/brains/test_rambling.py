"""A small model that never comes to an end costs a question half its time, and then the rules plan."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.chat_model import EndpointChat
from agent.brains.openai import OpenAIBrain
from agent.brains.planner import Bill, Planner, Unreadable
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Budget, Meter
from agent.library import Library
from store.database import Database
from store.trace import show
from tests.agent.brains.meeting import meeting
from tests.tools.loopback import Json, Reply, event, message, serving, spoken
from tools.endpoint import Endpoint

SSE = "text/event-stream"
ENDLESS = Reply(pieces=(event({"content": "Firework, "}),) * 400, kind=SSE, pace=0.02)
SILENT = Reply(wait=3.0)
PLAN = {"out_of_scope": False, "calls": [{"tool": "transcript", "keywords": ["lift"]}]}
PLAN |= {"fuse": {"anchor": "transcript", "aggregate": "count", "answer_schema": "count"}}


def _cut_but(form: str) -> Callable[[Json], Reply]:
    """Answer in one form, and come to no end in the others."""

    def answer(request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type", "tools" if "tools" in request else "text")
        good = kind == form
        return spoken(request, message(json.dumps(PLAN) if good else "Firework, Fire"), "stop" if good else "length")

    return answer


@pytest.mark.parametrize(("form", "requests"), [("json_schema", 2), ("json_object", 3), ("text", 4)])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_plan_cut_at_its_length_is_asked_for_in_the_next_form(form: str, requests: int, streamed: bool) -> None:
    told: list[Any] = []
    with serving(_cut_but(form)) as server:
        bill = Bill(EndpointChat(endpoint=Endpoint(server.url, None, "m"), streamed=streamed))
        calls = Planner(learned=told.append).plan(bill, "How often is the lift mentioned?")
    assert calls is not None
    assert [call["name"] for call in calls] == ["transcript", "fuse"]
    assert (len(server.requests), told) == (requests, [])


@pytest.mark.parametrize("said", [ENDLESS, SILENT], ids=["endless", "silent"])
def test_no_plan_is_waited_for_longer_than_it_may_take(said: Reply) -> None:
    with serving(lambda request: said) as server:
        began = time.monotonic()
        chat = EndpointChat(endpoint=Endpoint(server.url, None, "m"))
        with pytest.raises(Unreadable):
            Planner().plan(Bill(chat, Meter(Budget()), until=began + 0.4), "How often is the lift mentioned?")
        assert time.monotonic() - began < 2.0


@pytest.mark.parametrize(
    ("question", "value"), [("How many people speak?", 3), ("Who mentioned the certificate?", "Ben")], ids=str
)
def test_the_rules_answer_in_the_time_that_is_left(question: str, value: Any, database: Database) -> None:
    meeting(database)
    ask(Library(database.folder), question)  # what is imported once takes no time of the question that counts
    with serving(lambda request: ENDLESS) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        reply = ask(Library(database.folder), question, brain=brain, budget=Budget(seconds=3.0))
    assert (reply.status, reply.error, reply.exit.value) == ("answered", None, 0)
    assert reply.usage.seconds < 2.5
    with database.reader() as connection:
        planned = [span for span in show(connection, reply.trace).spans if span.args.get("step") == "plan"]
    assert "the rules planned" in str(planned[0].result_ref)
