"""Every question put to a model, many at once, each under its own name on the wire; what it planned first is kept."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Brain, Feedback, Planned, Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.questions import Item, Rooms
from agent.evals.models.wire import Wire
from agent.graph.budget import Budget
from agent.reply import Reply
from store.catalog import Catalog
from tools.endpoint import Endpoint


@dataclass
class Watched(OpenAIBrain):
    """A model whose plans are seen, the first one first."""

    plans: list[Planned] = field(default_factory=list)

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Plan as the model does."""
        planned = super().plan(question, catalog, feedback)
        self.plans.append(planned)
        return planned


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question: the reply, and the model's first plan."""

    item: Item
    reply: Reply
    first: Planned | None


def put(item: Item, rooms: Rooms, brain: Brain, budget: Budget | None = None) -> Reply:
    """Put one question to a brain."""
    place = rooms.place(item)
    return ask(place.library, item.question, recording=place.recording, brain=brain, budget=budget)


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
    """Put all questions to a model behind the wire, `parallel` at once; `timeout` is for one reply, in seconds."""
    budget = Budget(seconds=2 * timeout)

    def one(item: Item) -> Outcome:
        # a little longer than the recorder waits for the endpoint, since it can say what went wrong
        brain = Watched(Endpoint(wire.named(item.id), None, model, timeout=timeout + 5), RulesBrain())
        reply = put(item, rooms, brain, budget)
        outcome = Outcome(item, reply, brain.plans[0] if brain.plans else None)
        told(outcome)
        return outcome

    with ThreadPoolExecutor(max_workers=parallel) as pool:
        return list(pool.map(one, items))
