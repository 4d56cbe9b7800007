"""What goes from node to node: JSON-safe values only. Rows stay on the desk, which is made anew for each question."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from agent.brains.protocol import Brain, Question
from agent.graph.budget import Meter
from agent.graph.trace import Trace
from store.catalog import Catalog
from store.database import Database
from tools.call import Session
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Call, Fuse, Plan
from tools.stream import StreamQuery


class State(TypedDict, total=False):
    """The state of one question; `route` names the node that comes next, `seen` are the plans tried so far."""

    question: str
    options: dict[str, str]
    tool_calls: list[dict[str, Any]]
    seen: list[str]
    feedback: str | None
    understood: bool
    route: str
    widened: list[str]
    caveats: list[str]
    refusal: dict[str, Any]
    reply: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step as it happens, for whoever watches: the node, what it did in a few words, how long it took."""

    name: str
    text: str
    seconds: float


@dataclass(slots=True)
class Desk:
    """What the nodes of one question work with and leave to each other, outside the state."""

    brain: Brain
    question: Question
    catalog: Catalog
    database: Database
    session: Session
    meter: Meter
    trace: Trace
    watch: Callable[[Stage], None]
    plan: Plan | None = None
    asked: Plan | None = None
    evidence: Evidence | None = None
    cited: tuple[EvidenceRow, ...] = ()
    semantic: bool = False

    @property
    def current(self) -> tuple[Plan, Evidence]:
        """The plan that ran last and what it brought; only nodes after `retrieve` may ask."""
        assert self.plan is not None
        assert self.evidence is not None
        return self.plan, self.evidence

    def find(self, query: StreamQuery, fuse: Fuse) -> Evidence:
        """Run a plan of one call beside the question's own; `fuse` names it by its stream and _1; ToolError as ever."""
        call = Call.model_construct(id=f"{query.stream}_1", query=query)
        return self.session.run(Plan.model_construct(calls=[call], fuse=fuse))
