"""Whatever a model writes into a plan, and however long it goes on: a reply within the budget, never a traceback."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Budget
from agent.library import Library
from agent.reply import Reply
from store.errors import Exit
from tests.agent.brains.meeting import meeting
from tests.tools.loopback import Json, Loopback, call, message, serving, spoken
from tests.tools.loopback import Reply as Sent
from tools.endpoint import Endpoint

QUESTION = "Why is the launch late?"
NASTY: list[Any] = [
    10**30, -(10**30), 2**63, 0, -1, 1e308, float("nan"), float("inf"), True, None, "", "x" * 3000, "a\ud83d", "\x00",
    "\x1b[2J", "%", "'\"--", [], [[]], [""], [None], {}, ["a\x00b"], ["*"], ['"'], ["a b OR c"], "NEAR(a b)",
]  # fmt: skip
CALLS = {
    "transcript": ("keywords", "semantic", "speaker", "start", "nth"),
    "events": ("labels", "end"),
    "speaker": ("names", "start"),
    "fuse": ("anchor", "joins", "group", "limit", "every", "min_value", "answer_schema"),
}
Server = Callable[[Json], Sent]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("hostile") / "library")
    meeting(library.database)
    return library


def _asked(library: Library, server: Loopback, budget: Budget | None = None, stream: bool = True) -> Reply:
    brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain(), streamed=stream)
    reply = ask(library, QUESTION, brain=brain, budget=budget)
    json.dumps(reply.model_dump(mode="json"), ensure_ascii=False, allow_nan=False).encode("utf-8")
    return reply


def _calls(*made: tuple[str, Json]) -> Json:
    return message(None, tool_calls=[call(name, json.dumps(args), f"c{n}") for n, (name, args) in enumerate(made)])


def _answering(request: Json) -> bool:
    return "<rows>" in json.dumps(request["messages"])


PLACES = [(name, key) for name, keys in CALLS.items() for key in keys]


@pytest.mark.parametrize(("name", "key"), PLACES)
def test_no_value_in_a_plan_breaks_a_question(name: str, key: str, library: Library) -> None:
    place = PLACES.index((name, key))
    form, values = ("tools", "text")[place % 2], ["\x00", *NASTY[place % 5 :: 5]]
    plan: list[Json] = []

    def answer(request: Json) -> Sent:
        if _answering(request):
            return spoken(request, message("It is the certificate [1]."))
        if len(request["messages"]) > 2:
            return spoken(request, message("I do not know."))
        stream, fuse = plan
        if form == "tools":
            return spoken(request, _calls((stream["tool"], {**stream, "tool": None}), ("fuse", fuse)), "tool_calls")
        return spoken(request, message(json.dumps({"calls": [stream], "fuse": fuse})))

    with serving(answer) as server:
        for value in values:
            stream = {"tool": "transcript" if name == "fuse" else name} | ({} if name == "fuse" else {key: value})
            fuse = {"anchor": stream["tool"], "answer_schema": "text"} | ({key: value} if name == "fuse" else {})
            plan[:] = [stream, fuse]
            assert _asked(library, server).status in ("answered", "refused", "not_found"), value


def _endless() -> Iterator[tuple[str, Server]]:
    """Give models that never come to an end."""
    new = iter(range(10_000))
    same = _calls(("transcript", {"keywords": ["launch"]}))
    yield "the same call", lambda request: spoken(request, same, "tool_calls")
    yield "other calls", lambda request: spoken(request, _calls(("events", {"nth": 1 + next(new)})), "tool_calls")
    yield "talk", lambda request: spoken(request, message("Let me think about it."))
    yield (
        "broken arguments",
        lambda request: spoken(request, message(None, tool_calls=[call("transcript", "{half")]), "tool_calls"),
    )
    yield "unknown tools", lambda request: spoken(request, _calls(("rm_rf", {})), "tool_calls")

    def plans(request: Json) -> Sent:
        found = ("transcript", {"keywords": [f"zeppelin{next(new)}"], "ref": "t"})
        return spoken(request, _calls(found, ("fuse", {"anchor": "t", "answer_schema": "text"})), "tool_calls")

    yield "new plans that find nothing", plans

    def unsure(request: Json) -> Sent:
        if _answering(request):
            return spoken(request, message("NOT FOUND"))
        found = ("transcript", {"keywords": ["launch"], "ref": f"t{next(new)}"})
        fuse = {"anchor": "transcript", "limit": 1 + next(new), "answer_schema": "text"}
        return spoken(request, _calls(found, ("fuse", fuse)), "tool_calls")

    yield "never content", unsure


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("name", "server"), list(_endless()), ids=[name for name, _ in _endless()])
def test_a_model_that_never_ends_is_ended_by_the_budget(
    name: str, server: Server, stream: bool, library: Library
) -> None:
    with serving(server) as running:
        reply = _asked(library, running, stream=stream)
    assert len(running.requests) == reply.usage.model_calls <= Budget().model_calls
    assert reply.usage.tool_calls <= Budget().tool_calls
    assert reply.exit in (Exit.DONE, Exit.NOT_FOUND, Exit.BUDGET, Exit.REFUSED)
    assert reply.trace


def test_the_same_call_three_times_ends_the_asking_for_calls(library: Library) -> None:
    _, same = next(_endless())
    with serving(same) as server:
        _asked(library, server)
    assert sum("tools" in request for request in server.requests) == 3


@pytest.mark.parametrize("stream", [False, True])
def test_a_slow_model_ends_with_the_questions_time(stream: bool, library: Library) -> None:
    def slow(request: Json) -> Sent:
        time.sleep(0.4)
        return spoken(request, message("Let me think about it."))

    with serving(slow) as server:
        began = time.monotonic()
        reply = _asked(library, server, Budget(seconds=1.0), stream)
    assert time.monotonic() - began < 3.0
    assert reply.exit == Exit.BUDGET
    if reply.status == "answered":  # the rules' plan was run before the time was over
        assert reply.citations
        assert "budget_spent" in reply.caveats
    else:
        assert "1 s" in str(reply.error)


def test_a_model_that_uses_too_many_tokens_is_not_asked_again(library: Library) -> None:
    with serving(lambda request: spoken(request, message("Let me think."))) as server:
        reply = _asked(library, server, Budget(tokens=40))
    assert reply.exit == Exit.BUDGET
    assert len(server.requests) == 3  # 18 tokens each, as the endpoint says
