"""One item under the three conditions of a decomposition: gold evidence, gold plan over what was heard, the system."""

from collections.abc import Callable
from dataclasses import dataclass

from agent.evals.answerer import Answerer
from agent.evals.baselines.reader import Calls, asked, run
from agent.evals.plans.sameness import same
from agent.evals.statistics.decomposition import Outcome, Record
from agent.library import Library
from agent.reply import Reply
from store.catalog import catalog
from store.errors import ToolError
from store.recordings import find
from tools.call import Session
from tools.plan import Plan, parse_plan
from tools.schema import complaint, schema_of

Place = tuple[str, int, int]
Places = frozenset[Place]


@dataclass(frozen=True, slots=True)
class Gold:
    """A question, its gold plan, and who marks a reply to it."""

    question: str
    calls: Calls
    right: Callable[[Reply], bool]


@dataclass(frozen=True, slots=True)
class Pair:
    """The same recording as it was and as it was heard, each in a library, by their ids there."""

    truth: tuple[Library, str]
    heard: tuple[Library, str]


def topline(library: Library, recording_id: str, question: str, calls: Calls) -> Reply:
    """Answer a question by its gold plan, run once over a library's rows, with the reader of the baselines."""
    one = asked(library, recording_id, question, "topline")
    with Session(library.database, one.scope) as session:
        return run(one, session, parse_plan(calls))


def decomposed(gold: Gold, pair: Pair, answer: Answerer, brought: Callable[[Reply], Places] | None = None) -> Record:
    """Ask one item in all conditions; `brought` gives the rows that a system read, else its plan is run again."""
    reply = answer(*pair.heard, gold.question)
    wanted, plan = parse_plan(gold.calls), _plan(reply)
    library, recording_id = pair.heard
    with library.database.reader() as connection:
        scope = catalog(connection, [find(connection, recording_id)])
    with Session(library.database, scope) as session:
        right_rows = _places(session, wanted)
        rows = brought(reply) if brought is not None else frozenset() if plan is None else _places(session, plan)
        planned = plan is not None and same(plan, wanted, session)
    return Record(
        topline=_outcome(gold, topline(*pair.truth, gold.question, gold.calls)),
        heard=_outcome(gold, topline(*pair.heard, gold.question, gold.calls)),
        end=_outcome(gold, reply),
        planned=planned,
        recall=len(right_rows & rows) / len(right_rows) if right_rows else 1.0,
    )


def _plan(reply: Reply) -> Plan | None:
    try:
        return parse_plan(reply.plan) if reply.plan else None
    except ToolError:
        return None


def _places(session: Session, plan: Plan) -> Places:
    try:
        return frozenset((row.stream, row.t0, row.t1) for row in session.run(plan).rows)
    except ToolError:
        return frozenset()


def _outcome(gold: Gold, reply: Reply) -> Outcome:
    if gold.right(reply):
        return "right"
    return "unreadable" if unreadable(reply, gold.calls) else "wrong"


def unreadable(reply: Reply, calls: Calls) -> bool:
    """Say whether a reply failed, or answers with a value that is none of the family its gold plan asks for."""
    if reply.status != "answered":
        return reply.status == "failed"
    schema = schema_of(parse_plan(calls).fuse.answer_schema)
    return reply.value is None or (schema is not None and complaint(reply.value, schema) is not None)
