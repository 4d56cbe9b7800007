"""`ask` is the only thing that talks to the graph: one question in, one reply out, always with a trace.

The graph and its library are imported when a question is asked, since importing them takes longer than answering.
"""

from collections.abc import Callable
from typing import Any

from agent import privacy
from agent.brains.protocol import Brain, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from agent.graph.budget import Budget, Meter
from agent.graph.loading import lean
from agent.graph.spent import from_rows
from agent.graph.state import Desk, Stage, State
from agent.graph.trace import Trace
from agent.library import Library
from agent.reply import Fault, Reply, Usage
from store.catalog import Catalog, catalog
from store.errors import BudgetSpent, EndpointError, NotFound
from store.recordings import every, find
from tools.call import Embed, Session
from tools.sanitize import sanitize


def ask(
    library: Library,
    question: str,
    *,
    recording: str | None = None,
    brain: Brain | None = None,
    budget: Budget | None = None,
    on_event: Callable[[Stage], None] | None = None,
    embed: Embed | None = None,
) -> Reply:
    """Ask one recording (by id, prefix or title), or the whole library when none is named.

    `on_event` is called with a `Stage` after each step. NotFound says that there is nothing to ask; whatever else
    goes wrong is a reply of status `failed`.
    """
    privacy.protect()
    thinker = brain or RulesBrain()
    question = sanitize(question)
    scope = _scope(library, recording)
    text, options = split_options(question)
    meter = Meter(budget or Budget())
    with Trace(library.database, question, scope, thinker.name) as trace:
        with Session(library.database, scope, embed=embed, tracer=trace) as session:
            desk = Desk(
                brain=thinker,
                question=Question(text, options),
                catalog=scope,
                database=library.database,
                session=session,
                meter=meter,
                trace=trace,
                watch=on_event or _unwatched,
                semantic=embed is not None,
            )
            parts = _parts(desk)
        reply = _reply(parts, desk)
        trace.finish(reply)
    return reply


def _scope(library: Library, recording: str | None) -> Catalog:
    with library.database.reader() as connection:
        wanted = every(connection) if recording is None else [find(connection, recording)]
        if not wanted:
            raise NotFound("the library is empty: ingest or import a recording first")
        return catalog(connection, wanted)


def _parts(desk: Desk) -> dict[str, Any]:
    """Run the graph, and give the reply's parts; a spent budget and a broken endpoint are replies too."""
    with lean():
        from langgraph.errors import GraphRecursionError

        from agent.graph.graph import RECURSION_LIMIT, graph

    state: State = {"question": desk.question.text, "options": dict(desk.question.options)}
    try:
        final = graph().invoke(state, config={"recursion_limit": RECURSION_LIMIT}, context=desk)
    except (BudgetSpent, GraphRecursionError) as error:
        return _spent(str(error), desk)
    except EndpointError as error:
        return _failed(error.kind, str(error), error.partial)
    parts: dict[str, Any] = final["reply"]
    return parts


def _reply(parts: dict[str, Any], desk: Desk) -> Reply:
    plan = desk.asked or desk.plan
    return Reply(
        **parts,
        brain=desk.brain.name,
        plan=plan.tool_calls() if plan is not None else [],
        sql=list(desk.evidence.sql) if desk.evidence is not None else [],
        usage=_usage(desk.meter),
        trace=desk.trace.id,
    )


def _spent(message: str, desk: Desk) -> dict[str, Any]:
    """Answer from the rows that were found before the budget ran out; without any, fail."""
    parts = from_rows(desk)
    return parts or _failed("budget_spent", f"the budget was spent before an answer was found: {message}")


def _failed(kind: str, message: str, partial: str = "") -> dict[str, Any]:
    said = f"{message}\nUntil then it said (incomplete): {partial}" if partial else message
    return {"status": "failed", "answer": said, "error": Fault.model_validate({"kind": kind, "message": message})}


def _unwatched(stage: Stage) -> None:
    """Watch nothing."""


def _usage(meter: Meter) -> Usage:
    return Usage(
        model_calls=meter.model_calls,
        tool_calls=meter.tool_calls,
        input_tokens=meter.input_tokens,
        output_tokens=meter.output_tokens,
        seconds=round(meter.seconds, 3),
    )
