"""Every question leaves a trace: its steps and calls in the GenAI words, and the reply it came to."""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Answered, Planned, Question
from agent.brains.scripted import ScriptedBrain
from agent.graph.budget import Budget
from store.errors import EndpointError
from store.trace import show
from tests.agent.graph.talk import talk
from tools.evidence import Evidence
from tools.plan import Plan


def test_a_trace_holds_steps_calls_and_the_reply(tmp_path: Path) -> None:
    library = talk(tmp_path)
    reply = ask(library, "Who mentioned the budget?")
    with library.database.reader() as connection:
        trace = show(connection, reply.trace)
    names = [span.name.split()[0] for span in trace.spans]
    assert names[0] == "invoke_agent"
    assert {"chat", "execute_tool", "invoke_agent"} == set(names)
    assert all(span.t_end is not None and span.t_end >= span.t_start for span in trace.spans)
    assert trace.reply is not None
    assert trace.reply["value"] == "Anna"
    assert trace.question == "Who mentioned the budget?"
    retrieve = next(span for span in trace.spans if span.args.get("step") == "retrieve")
    assert any(span.parent == retrieve.id and span.name.startswith("execute_tool") for span in trace.spans)


def test_a_question_that_ends_badly_is_traced_too(tmp_path: Path) -> None:
    library = talk(tmp_path)
    spent = ask(library, "Who mentioned the budget?", budget=Budget(tool_calls=1))
    with library.database.reader() as connection:
        trace = show(connection, spent.trace)
    assert trace.reply is not None
    assert trace.reply["error"]["kind"] == "budget_spent"
    assert any(span.error and "BudgetSpent" in span.error for span in trace.spans)


class Unreachable(ScriptedBrain):
    """A brain whose endpoint goes away when the answer is to be worded."""

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: object) -> Answered:
        raise EndpointError("the endpoint localhost cannot be reached; start it", "endpoint_unreachable")


class Broken(ScriptedBrain):
    """A brain with a bug."""

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: object) -> Answered:
        raise ZeroDivisionError("a bug")


def test_an_endpoint_that_goes_away_is_a_failed_reply(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who mentioned the budget?", brain=Unreachable())
    assert reply.status == "failed"
    assert reply.error is not None
    assert reply.error.kind == "endpoint_unreachable"
    assert reply.exit == 3


def test_a_bug_keeps_its_traceback_and_its_trace(tmp_path: Path) -> None:
    library = talk(tmp_path)
    with pytest.raises(ZeroDivisionError):
        ask(library, "Who mentioned the budget?", brain=Broken())
    with library.database.reader() as connection:
        (row,) = connection.execute("SELECT id, reply FROM trace").fetchall()
        trace = show(connection, row["id"])
    assert row["reply"] is None
    assert any(span.error and "a bug" in span.error for span in trace.spans)


def test_a_search_that_the_fence_stops_is_a_plain_line_and_traced(tmp_path: Path) -> None:
    calls: list[dict[str, Any]] = [
        {"name": "transcript", "args": {"speaker": "\x00"}, "id": "t", "type": "tool_call"},
        {"name": "fuse", "args": {"anchor": "t", "answer_schema": "quote"}, "id": "f", "type": "tool_call"},
    ]
    library = talk(tmp_path)
    reply = ask(library, "What did \x00 say?", brain=ScriptedBrain(script=[Planned(calls)]))
    assert (reply.status, reply.exit) == ("failed", 1)
    assert reply.error is not None
    assert "could not be run" in reply.error.message
    with library.database.reader() as connection:
        assert show(connection, reply.trace).reply is not None
    assert ask(library, "Who mentioned the budget?").value == "Anna"
