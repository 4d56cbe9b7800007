"""Whether planted faults turn an evaluation red: the same questions of a small world, with each fault and without.

A reply passes when it is right, its reason too, and everything it cites is in the store.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.evals.answerer import Answerer, agent
from agent.evals.citations import untrue
from agent.evals.statistics.intervals import Interval, paired
from agent.evals.statistics.scoring import Mark
from agent.evals.worlds.marking import right
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.library import Library
from agent.reply import Reply

OPTIONS = 16


@dataclass(frozen=True, slots=True)
class Change:
    """How much the pass rate and the points of RS(10), of 1, change with a fault."""

    passing: Interval
    points: Interval

    @property
    def red(self) -> bool:
        """Whether both fall beyond chance."""
        return self.passing.below and self.points.below


class Evaluation:
    """One world in a library of its own, its questions, and the marks of the sound agent."""

    def __init__(self, folder: Path, spec: Spec) -> None:
        world = make(spec)
        self.library = Library(folder)
        self.recording = publish(self.library.database, world).public_id
        self.items = [*items(world), *constrained(world, random.Random(spec.seed), OPTIONS)]
        self.sound = self.marks(agent)

    def marks(self, answer: Answerer) -> list[Mark]:
        """Mark what an answerer makes of every question."""
        return [self._mark(item, answer(self.library, self.recording, item.question)) for item in self.items]

    def change(self, spoilt: Sequence[Mark]) -> Change:
        """Give how much marks are below those of the sound agent, with paired bootstrap intervals over questions."""
        return Change(
            paired([mark.right for mark in spoilt], [mark.right for mark in self.sound]),
            paired([mark.points() for mark in spoilt], [mark.points() for mark in self.sound]),
        )

    def _mark(self, item: Item, reply: Reply) -> Mark:
        abstained = reply.status in ("refused", "not_found")
        good = right(item, reply) and not untrue(reply, self.library)
        return Mark(item.status == "answered", abstained, good, reply.confidence)
