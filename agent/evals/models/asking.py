"""Every question put to a model, many at once, each under its own name on the wire; what it planned first is kept."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Answered, Brain, Feedback, Judged, Planned, Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.questions import Item, Rooms
from agent.evals.models.wire import Wire
from agent.graph.budget import Budget
from agent.graph.sentences import sentences
from agent.reply import Reply
from store.catalog import Catalog
from tools.endpoint import Endpoint
from tools.evidence import Evidence
from tools.plan import Plan


@dataclass
class Witness:
    """A brain that is watched: its first plan, and how many sentences it wrote."""

    inner: Brain
    first: Planned | None = None
    written: int = 0
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.inner.name

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Plan as the inner brain does."""
        planned = self.inner.plan(question, catalog, feedback)
        self.first = self.first or planned
        return planned

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Judge as the inner brain does."""
        return self.inner.judge(question, plan, evidence)

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: Any) -> Answered:
        """Answer as the inner brain does."""
        answered = self.inner.answer(question, plan, evidence, value)
        self.written = len(sentences(answered.text)) if answered.kind == "generated" and answered.found else 0
        return answered


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question: the reply, the first plan, and how many sentences the model wrote for the reply."""

    item: Item
    reply: Reply
    first: Planned | None
    written: int


def put(item: Item, rooms: Rooms, brain: Brain, budget: Budget | None = None) -> Outcome:
    """Put one question to a brain."""
    place, witness = rooms.place(item), Witness(brain)
    reply = ask(place.library, item.question, recording=place.recording, brain=witness, budget=budget)
    return Outcome(item, reply, witness.first, witness.written)


def put_all(
    items: Sequence[Item],
    rooms: Rooms,
    wire: Wire,
    model: str,
    *,
    parallel: int = 4,
    timeout: float = 60.0,
    told: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Put all questions to a model behind the wire, `parallel` at once; `timeout` is for one answer, in seconds."""
    budget = Budget(seconds=2 * timeout)

    def one(item: Item) -> Outcome:
        endpoint = Endpoint(wire.url(item.id), None, model, timeout=timeout)
        outcome = put(item, rooms, OpenAIBrain(endpoint, RulesBrain()), budget)
        told(outcome)
        return outcome

    with ThreadPoolExecutor(max_workers=parallel) as pool:
        return list(pool.map(one, items))
