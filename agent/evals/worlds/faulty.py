"""What faulty brains make of a world's questions: how they end, and whether anything unsupported was answered."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.ask import ask
from agent.brains.faults import INVENTIONS, Fault
from agent.brains.scripted import ScriptedBrain
from agent.evals.worlds.marking import right
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.graph.budget import Budget
from agent.graph.grounded import NOTE
from agent.graph.sentences import sentences
from agent.library import Library
from agent.reply import Reply


@dataclass
class Tally:
    """How replies ended; `wrong` answers have another value, `invented` ones hold a fault's own words."""

    asked: int = 0
    right: int = 0
    partial: int = 0
    refused: int = 0
    not_found: int = 0
    failed: int = 0
    over: int = 0
    most_calls: int = 0
    wrong: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    broke: list[str] = field(default_factory=list)

    @property
    def unsupported(self) -> list[str]:
        """Every answer that should not have been given."""
        return [*self.wrong, *self.invented]


def tally(folder: Path, specs: Sequence[Spec], fault: Fault, most: int | None = None) -> Tally:
    """Ask each world's questions of a brain with a fault; `most` a world."""
    found = Tally()
    for spec in specs:
        world = make(spec)
        library = Library(folder / str(spec.seed))
        publish(library.database, world)
        asked = [*items(world), *constrained(world, random.Random(spec.seed), 8)]
        random.Random(spec.seed).shuffle(asked)
        for item in asked[:most]:
            _count(found, item, library, fault)
    return found


def _count(found: Tally, item: Item, library: Library, fault: Fault) -> None:
    found.asked += 1
    try:
        reply = ask(library, item.question, brain=ScriptedBrain(fault=fault))
    except Exception as error:  # a bug is what is looked for here
        found.broke.append(f"{item.question} {type(error).__name__}: {error}")
        return
    budget, usage = Budget(), reply.usage
    found.over += usage.model_calls > budget.model_calls + 1 or usage.tool_calls > budget.tool_calls
    found.most_calls = max(found.most_calls, usage.model_calls)
    good = right(item, reply)
    found.right += good
    found.partial += "budget_spent" in reply.caveats
    found.refused += reply.status == "refused"
    found.not_found += reply.status == "not_found"
    found.failed += reply.status == "failed"
    said = f"{item.family} {item.question} -> {reply.value!r} {reply.answer[:300]!r} {reply.caveats}"
    if reply.status == "answered" and not good and reply.value is not None:
        found.wrong.append(f"{item.status} {item.value!r}: {said}")
    if invented(reply):
        found.invented.append(said)


def invented(reply: Reply) -> bool:
    """Say whether a reply holds, outside of marked sentences, what only a fault can have said."""
    sure = " ".join(sentence.raw for sentence in sentences(reply.answer) if NOTE not in sentence.raw)
    claimed = f"{sure} {reply.value!r}" if reply.status == "answered" else ""
    return any(word in claimed for word in INVENTIONS)
