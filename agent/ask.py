"""`ask` is the only thing that talks to the graph: one question in, one reply out, always with a trace.

The graph and its library are imported when a question is asked, since importing them takes longer than answering.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent import privacy
from agent.brains.protocol import Brain, Question, model_of
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from agent.dialogue import Dialogue
from agent.graph.budget import Budget, Meter, metered
from agent.graph.confidence import rated
from agent.graph.loading import lean
from agent.graph.spent import from_rows
from agent.graph.state import Desk, Stage
from agent.graph.trace import Trace
from agent.library import Library
from agent.reply import Fault, Reply, Usage
from agent.threads.turns import begun
from store.catalog import Catalog, catalog
from store.errors import BudgetSpent, EndpointError, NotFound, ToolError
from store.listing import listed
from store.recordings import every, find
from tools.again.ear import SecondListen
from tools.call import Embed, Session
from tools.sanitize import sanitize

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


def ask(
    library: Library,
    question: str,
    *,
    recording: str | None = None,
    brain: Brain | None = None,
    budget: Budget | None = None,
    on_event: Callable[[Stage], None] | None = None,
    embed: Embed | None = None,
    second: SecondListen | None = None,
    dialogue: Dialogue | None = None,
) -> Reply:
    """Ask one recording (by id, prefix or title), or the whole library when none is named.

    `on_event` is called with a `Stage` after each step. NotFound says that there is nothing to ask; whatever else
    goes wrong is a reply of status `failed`. With a `dialogue` a question that cannot be answered before it is known
    which voice is meant waits there as its `inquiry`: the reply is the refusal that stands until `resume` is told.
    Asked in the same dialogue again, a question may lean on the turns before it; the reply says what it was read as.
    """
    privacy.protect()
    ways = _Ways(library, brain or RulesBrain(), on_event or _unwatched, embed, second, dialogue)
    asked, scope = sanitize(question), _scope(library, recording)
    with nullcontext() if dialogue is None else dialogue.turn(asked, _names(scope)):
        return _turn(ways, asked, scope, Meter(budget or Budget()))


def resume(
    library: Library,
    dialogue: Dialogue,
    answer: str,
    *,
    brain: Brain | None = None,
    budget: Budget | None = None,
    on_event: Callable[[Stage], None] | None = None,
    embed: Embed | None = None,
    second: SecondListen | None = None,
) -> Reply:
    """Go on with the question that waits in a dialogue, by the voice whose key is the answer.

    NotFound says that nothing was asked back, or names the voices there are to choose from.
    """
    privacy.protect()
    with dialogue.turn("", dialogue.state.get("scope", [])):
        inquiry, state = dialogue.inquiry, dialogue.state
        keys = [choice.key for choice in inquiry.choices] if inquiry is not None else []
        if answer not in keys:
            there = listed(keys, 8) or "nothing was asked back"
            raise NotFound(f"'{answer}' is none of the voices asked about: {there}")
        ways = _Ways(library, brain or RulesBrain(), on_event or _unwatched, embed, second, dialogue)
        with library.database.reader() as connection:
            scope = catalog(connection, [find(connection, public_id) for public_id in state["scope"]])
        meter = Meter.after(budget or Budget(), state["spent"])
        return _turn(ways, state["question"], scope, meter, answer)


@dataclass(frozen=True, slots=True)
class _Ways:
    """What a question is asked with."""

    library: Library
    brain: Brain
    watch: Callable[[Stage], None]
    embed: Embed | None
    second: SecondListen | None
    dialogue: Dialogue | None


def _turn(ways: _Ways, question: str, scope: Catalog, meter: Meter, answer: str | None = None) -> Reply:
    """Run the graph once, from the question or from the answer to what was asked back, always with a trace."""
    database = ways.library.database
    text, options = split_options(question)
    with Trace(database, question, scope, ways.brain) as trace:
        with Session(database, scope, embed=ways.embed, tracer=trace) as session:
            desk = Desk(
                brain=metered(ways.brain, meter),
                question=Question(text, options),
                catalog=scope,
                database=database,
                session=session,
                meter=meter,
                trace=trace,
                watch=ways.watch,
                semantic=ways.embed is not None,
                answerable=ways.dialogue is not None,
                second=ways.second,
            )
            parts = _parts(desk, ways.dialogue, _given(question, desk, ways.dialogue, answer))
        reply = _reply(parts, desk)
        trace.finish(reply)
    return reply


def _scope(library: Library, recording: str | None) -> Catalog:
    with library.database.reader() as connection:
        wanted = every(connection) if recording is None else [find(connection, recording)]
        if not wanted:
            raise NotFound("the library is empty: ingest or import a recording first")
        return catalog(connection, wanted)


def _given(question: str, desk: Desk, dialogue: Dialogue | None, answer: str | None) -> Any:
    """Give what the graph is run with: a new turn after those before it, or the answer to what was asked back."""
    if answer is not None and dialogue is not None:
        with lean():
            from langgraph.types import Command

        if read_as := dialogue.state.get("read_as"):
            desk.question = Question(read_as, desk.question.options)
        return Command(resume=answer, update={"trace": desk.trace.id})
    turns = [] if dialogue is None else dialogue.turns
    return begun(question, desk.question.options, _names(desk.catalog), turns, desk.trace.id)


def _names(scope: Catalog) -> list[str]:
    return [entry.recording.public_id for entry in scope.recordings]


def _parts(desk: Desk, dialogue: Dialogue | None, given: Any) -> dict[str, Any]:
    """Run the graph, and give the reply's parts; a spent budget and a broken endpoint are replies too."""
    with lean():
        from langgraph.errors import GraphRecursionError

        from agent.graph.graph import RECURSION_LIMIT, graph

    kept = graph() if dialogue is None else graph(dialogue.checkpointer)
    config: RunnableConfig = {"recursion_limit": RECURSION_LIMIT}
    config |= {} if dialogue is None else dialogue.config
    try:
        final = kept.invoke(given, config=config, context=desk, durability=None if dialogue is None else "sync")
    except (BudgetSpent, GraphRecursionError) as error:
        return _spent(str(error), desk)
    except EndpointError as error:
        return _failed(error.kind, str(error), error.partial)
    except ToolError as error:
        # Searches beside the plan (a refusal's counts) that the fence stops: a plain line, and the next question works.
        return _failed("internal", f"a search could not be run: {error}")
    parts: dict[str, Any] = final["reply"]
    return parts


def _reply(parts: dict[str, Any], desk: Desk) -> Reply:
    plan = desk.asked or desk.plan
    return Reply(
        **(parts | {"confidence": rated(parts, desk)}),
        brain=desk.brain.name,
        plan=plan.tool_calls() if plan is not None else [],
        sql=list(desk.evidence.sql) if desk.evidence is not None else [],
        usage=_usage(desk),
        trace=desk.trace.id,
    )


def _spent(message: str, desk: Desk) -> dict[str, Any]:
    """Answer from the best rows that were found before the budget ran out; without any, fail."""
    desk.to_best()
    parts = from_rows(desk)
    return parts or _failed("budget_spent", f"the budget was spent before an answer was found: {message}")


def _failed(kind: str, message: str, partial: str = "") -> dict[str, Any]:
    said = f"{message}\nUntil then it said (incomplete): {partial}" if partial else message
    return {"status": "failed", "answer": said, "error": Fault.model_validate({"kind": kind, "message": message})}


def _unwatched(stage: Stage) -> None:
    """Watch nothing."""


def _usage(desk: Desk) -> Usage:
    meter = desk.meter
    return Usage(
        model=model_of(desk.brain),
        model_calls=meter.model_calls,
        tool_calls=meter.tool_calls,
        input_tokens=meter.input_tokens,
        output_tokens=meter.output_tokens,
        estimated_tokens=meter.estimated_tokens,
        seconds=round(meter.seconds, 3),
    )
