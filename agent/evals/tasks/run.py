"""Ask somebody the tasks' items over worlds of several lengths and presets, and keep a record of each reply."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent.evals.answerer import Answerer, agent
from agent.evals.tasks.drafting import items
from agent.evals.tasks.grounds import grounds, truth_table
from agent.evals.tasks.intact import hearing
from agent.evals.tasks.item import TASKS, Item, Task
from agent.evals.tasks.marking import mark
from agent.evals.tasks.record import MOST_WORDS, Record
from agent.evals.worlds.noise import heard, preset
from agent.evals.worlds.streams import publish
from agent.evals.worlds.truth import Spec, World
from agent.evals.worlds.world import make
from agent.library import Library
from agent.reply import Reply
from store import recordings
from store.catalog import catalog
from tools.call import Session


@dataclass(frozen=True, slots=True)
class Tier:
    """How much is asked: lengths in minutes, worlds a length, presets of noise, items a task and world."""

    lengths: Sequence[float] = (10, 30, 60, 300, 540)
    worlds: int = 20
    presets: Sequence[str] = ("clean", "paper", "field")
    most: int = 8
    tasks: Sequence[Task] = TASKS
    first_seed: int = 7_000


QUICK = Tier((10, 60), 2, ("clean", "paper"), 4)
FULL = Tier()


@dataclass
class Asking:
    """One run: what is asked of whom, and what was left out of the worlds on the way.

    `reworded` may put other items in the place of the drafted ones, such as the same ones in other people's words.
    """

    tier: Tier
    folder: Path
    answer: Answerer = agent
    topline: bool = True
    reworded: Callable[[Sequence[Item]], Sequence[Item]] = list
    left_out: Counter[str] = field(default_factory=Counter)

    def records(self) -> Iterator[Record]:
        """Ask everything; worlds one after the other, each under each preset."""
        for minutes in self.tier.lengths:
            for number in range(self.tier.worlds):
                world = make(spec(self.tier, minutes, number))
                drafted = self.reworded(items(world, self.tier.most, self.tier.tasks, self.left_out))
                for name in self.tier.presets:
                    place = self.folder / f"{world.spec.seed}-{minutes:g}-{name}"
                    yield from self._asked(world, drafted, name, Library(place))

    def _asked(self, world: World, drafted: Sequence[Item], name: str, library: Library) -> Iterator[Record]:
        observed = heard(world, preset(name))
        recording = publish(library.database, world, noise=preset(name), observed=observed).public_id
        beside = hearing(world, observed.segments)
        with library.database.reader() as connection:
            scope = catalog(connection, [recordings.find(connection, recording)])
        with Session(library.database, scope) as session, truth_table(world) as truth:
            for item in drafted:
                started = time.perf_counter()
                reply = self.answer(library, recording, item.question)
                found = recorded(item, reply, world, name, time.perf_counter() - started)
                found = grounded(found, item, reply, library, session, truth)
                found = replace(found, intact=beside.intact(item))
                if self.topline and item.task == "mcqa":
                    found = replace(found, topline=self._topline(world, item, library))
                yield found

    def _topline(self, world: World, item: Item, library: Library) -> bool:
        """Say whether an item is answered rightly from its gold evidence as it was said, and nothing else."""
        places = {(t0, t1) for _, t0, t1 in item.evidence}
        only = [s for s in world.segments if (s.t0, s.t1) in places]
        bare = World(world.spec, world.cast, world.absent, only)
        alone = Library(library.folder / "topline")
        recording = publish(alone.database, bare, title=item.id).public_id
        return mark(item, self.answer(alone, recording, item.question)).right


def spec(tier: Tier, minutes: float, number: int) -> Spec:
    """Give a world's spec: casts from 2 to 12, the same worlds at every length."""
    return Spec(tier.first_seed + number, minutes, 2 + (3 * number + 2) % 11, decoys=True)


def recorded(item: Item, reply: Reply, world: World, name: str, seconds: float) -> Record:
    """Mark a reply and give what is kept of it; `name` is the preset."""
    found = mark(item, reply)
    return Record(
        id=item.id,
        task=item.task,
        kind=item.kind,
        minutes=world.spec.minutes,
        preset=name,
        seed=world.spec.seed,
        question=item.question,
        gold=item.gold,
        answerable=item.answerable,
        decoys=list(item.decoys),
        status=reply.status,
        reason=reply.refusal.reason if reply.refusal is not None else None,
        value=reply.value,
        answer=reply.answer[:MOST_WORDS],
        parsed=found.parsed,
        abstained=found.abstained,
        score=round(found.score, 6),
        right=found.right,
        confidence=reply.confidence,
        metrics={name: value if value is None else round(value, 6) for name, value in found.metrics.items()},
        tokens_in=reply.usage.input_tokens,
        tokens_out=reply.usage.output_tokens,
        calls=reply.usage.tool_calls,
        model_calls=reply.usage.model_calls,
        seconds=round(seconds, 4),
    )


def grounded(
    found: Record, item: Item, reply: Reply, library: Library, session: Session, truth: sqlite3.Connection
) -> Record:
    """Add what a reply stands on."""
    seen = grounds(item, reply, library, session, truth)
    return replace(
        found,
        plan=seen.plan,
        recall=seen.recall,
        precision=seen.precision,
        citations=seen.citations,
        proven=seen.proven,
        proof=seen.proof,
    )
