"""What goes from node to node: JSON-safe values only. Rows stay on the desk, which is made anew for each question."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypedDict

from agent.brains.protocol import Brain, Question
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Meter
from agent.graph.trace import Trace
from agent.threads.turns import Turn
from store.catalog import Catalog
from store.database import Database
from tools.again.ear import SecondListen
from tools.again.listening import Again
from tools.call import Session
from tools.canonical import to_json
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Call, Fuse, Plan
from tools.stream import StreamQuery


class Objection(TypedDict, total=False):
    """Why a question cannot be answered as it stands; without a `reason` nothing was found, which is no refusal.

    `constraint` is what cannot hold and `call` where it stands, `told` its stretch in words, `exists` what there is
    instead, `meant` who could be meant by a pronoun; `said` marks a message that is shown as it is.
    """

    reason: str | None
    message: str
    constraint: dict[str, Any]
    exists: list[str]
    call: str
    told: str
    said: bool
    meant: list[str]


class Draft(TypedDict, total=False):
    """A reply on its way, by the names of `agent.reply.Reply`; `lead` is put before the answer when it is verified."""

    status: str
    lead: str
    answer: str
    value: Any
    answer_kind: str
    confidence: float
    caveats: list[str]
    citations: list[dict[str, Any]]
    refusal: dict[str, Any]


class State(TypedDict, total=False):
    """The state of one question; `route` names the node that comes next, `seen` are the plans tried so far.

    `scope` (public ids), `spent` and `inquiry` are what a question that was asked back needs to go on. `turns` are
    those before this one in a conversation, `read_as` the question that stands alone where another was asked.
    """

    turns: list[Turn]
    trace: str
    read_as: str
    question: str
    options: dict[str, str]
    tool_calls: list[dict[str, Any]]
    seen: list[str]
    feedback: str | None
    understood: bool
    reread: bool
    route: str
    widened: list[str]
    caveats: list[str]
    refusal: Objection | None
    reply: Draft
    scope: list[str]
    spent: dict[str, Any]
    inquiry: dict[str, Any]
    diagnosed: bool
    ran: list[str]


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
    answerable: bool = False
    best: tuple[Plan, Evidence] | None = None
    people: tuple[str, ...] = ()
    ran: dict[str, Evidence] = field(default_factory=dict)
    second: SecondListen | None = None
    again: Again | None = None

    @property
    def by_rules(self) -> bool:
        """Whether the rules plan, which cannot plan otherwise when they are told what is wrong."""
        return self.brain.name == RulesBrain.name

    @property
    def current(self) -> tuple[Plan, Evidence]:
        """The plan that ran last and what it brought; only nodes after `retrieve` may ask."""
        assert self.plan is not None
        assert self.evidence is not None
        return self.plan, self.evidence

    def to_best(self) -> bool:
        """Go back to the plan that found rows, False when none did."""
        if self.best is None:
            return False
        self.plan, self.evidence = self.asked, _ = self.best
        return True

    def run(self, plan: Plan) -> Evidence:
        """Run a plan beside the question's own, each once a question; ToolError as ever."""
        key = to_json(plan.tool_calls())
        if key not in self.ran:
            self.ran[key] = self.session.run(plan)
        return self.ran[key]

    def find(self, query: StreamQuery, fuse: Fuse) -> Evidence:
        """Run a plan of one call beside the question's own; `fuse` names it by its stream and _1; ToolError as ever."""
        call = Call.model_construct(id=f"{query.stream}_1", query=query)
        return self.run(Plan.model_construct(calls=[call], fuse=fuse))
