"""`ask` is the only thing that talks to the graph: one question in, one reply out, always with a trace.

The graph and its library are imported when a question is asked, since importing them takes longer than answering.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agent.brains.protocol import Brain, Question
from agent.brains.rules.choice import split_options
from agent.graph.budget import Budget, Meter
from agent.library import Library
from agent.reply import Fault, Reply, Usage
from store.catalog import Catalog, catalog
from store.errors import BudgetSpent, EndpointError, NotFound
from store.recordings import every, find
from tools.call import Embed, Session


def ask(
    library: Library,
    question: str,
    *,
    recording: str | None = None,
    brain: Brain | None = None,
    budget: Budget | None = None,
    on_event: Callable[[Any], None] | None = None,
    embed: Embed | None = None,
) -> Reply:
    """Ask one recording (by id, prefix or title), or the whole library when none is named.

    `on_event` is called with a `Stage` after each step. NotFound says that there is nothing to ask; whatever else
    goes wrong is a reply of status `failed`.
    """
    from agent.brains.rules.brain import RulesBrain
    from agent.graph.trace import Trace

    thinker = brain or RulesBrain()
    scope = _scope(library, recording)
    text, options = split_options(question)
    asked = Question(text, options)
    meter = Meter(budget or Budget())
    with Trace.open(library.database, question, scope) as trace:
        try:
            with Session(library.database, scope, embed=embed, tracer=trace) as session:
                reply = _run(asked, thinker, scope, library, session, meter, trace, on_event)
        except EndpointError as error:
            reply = _failed(error.kind, str(error), meter)
        reply = reply.model_copy(update={"trace": trace.id, "brain": thinker.name})
        trace.finish(reply)
    return reply


def _scope(library: Library, recording: str | None) -> Catalog:
    with library.database.reader() as connection:
        wanted = every(connection) if recording is None else [find(connection, recording)]
        if not wanted:
            raise NotFound("the library is empty: ingest or import a recording first")
        return catalog(connection, wanted)


def _run(
    question: Question,
    brain: Brain,
    scope: Catalog,
    library: Library,
    session: Session,
    meter: Meter,
    trace: Any,
    on_event: Callable[[Any], None] | None,
) -> Reply:
    from langgraph.errors import GraphRecursionError

    from agent.graph.graph import RECURSION_LIMIT, graph
    from agent.graph.state import Desk, Stage

    def watch(stage: Stage) -> None:
        trace.stage(stage)
        if on_event is not None:
            on_event(stage)

    desk = Desk(brain, question, scope, library.database, session, meter, watch, semantic=session.semantic if hasattr(session, "semantic") else False)
    state = {"question": question.text, "options": dict(question.options)}
    try:
        final = graph().invoke(state, config={"recursion_limit": RECURSION_LIMIT}, context=desk)
        parts = final["reply"]
    except (BudgetSpent, GraphRecursionError) as error:
        parts = _spent(str(error), desk)
    plan = desk.asked or desk.plan
    return Reply(
        **parts,
        plan=plan.tool_calls() if plan is not None else [],
        sql=list(desk.evidence.sql) if desk.evidence is not None else [],
        usage=_usage(meter),
    )


def _spent(message: str, desk: Any) -> dict[str, Any]:
    """Answer from the rows that were found before the budget ran out; without any, fail."""
    from agent.graph.spent import from_rows

    parts: dict[str, Any] | None = None
    with suppress(BudgetSpent):
        parts = from_rows(desk)
    return parts or {
        "status": "failed",
        "answer": f"The budget was spent before an answer was found: {message}.",
        "error": Fault(kind="budget_spent", message=message),
    }


def _failed(kind: str, message: str, meter: Meter) -> Reply:
    fault = Fault.model_validate({"kind": kind, "message": message})
    return Reply(status="failed", answer=message, error=fault, usage=_usage(meter))


def _usage(meter: Meter) -> Usage:
    return Usage(
        model_calls=meter.model_calls,
        tool_calls=meter.tool_calls,
        input_tokens=meter.input_tokens,
        output_tokens=meter.output_tokens,
        seconds=round(meter.seconds, 3),
    )
