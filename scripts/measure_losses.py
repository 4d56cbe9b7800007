"""Say where points are lost on worlds with noise: in hearing, in the plan, in retrieval, in judging, or in form.

    python -m scripts.measure_losses [--minutes M] [--worlds N] [--noise clean|paper|field] [--json FILE]

A gold plan is the rules' own on the clean world, kept only where it gives the right answer there (topline); so the
agent, which plans by the same rules, can lose nothing to its plan here, and a baseline only to what it reads.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from agent.evals.answerer import agent
from agent.evals.baselines.lines import Line
from agent.evals.baselines.oneshot import OneShot
from agent.evals.baselines.retrieval import Retrieval
from agent.evals.baselines.topline import Gold, Pair, Places, decomposed, topline
from agent.evals.report.found import Found, write
from agent.evals.report.stages import table
from agent.evals.statistics.decomposition import Record, decompose
from agent.evals.worlds.marking import right
from agent.evals.worlds.noise import PRESETS
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from agent.reply import Reply
from store.catalog import catalog
from store.record import Segment
from store.recordings import find

FIRST = 760
OPTIONS = 16
B2S = Retrieval(speakers=True, name="B2s")


def main() -> None:
    """Print a table for the agent and for two baselines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--worlds", type=int, default=3)
    parser.add_argument("--noise", choices=tuple(PRESETS), default="paper")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    records: dict[str, list[Record]] = {"agent": [], "B3-shared": [], "B2s": []}
    for seed in range(FIRST, FIRST + options.worlds):
        world = make(Spec(seed, options.minutes, 3 + seed % 7))
        with tempfile.TemporaryDirectory() as folder:
            for name, record in measured(world, Path(folder), options.noise):
                records[name].append(record)
    settings = f"{options.minutes:g} min, {options.worlds} worlds, noise {options.noise}"
    print(settings)
    for name, found in records.items():
        print(f"{name}:", *decompose(found).lines(), sep="\n  ")
    if options.json:
        write(Found((table(records),), settings=f"{settings}, seeds from {FIRST}"), options.json)


def measured(world: World, folder: Path, noise: str) -> Iterator[tuple[str, Record]]:
    """Publish a world as it is and as it is heard, and give a record an item and answerer."""
    truth, heard = Library(folder / "truth"), Library(folder / "heard")
    clean = publish(truth.database, world).public_id
    pair = Pair((truth, clean), (heard, publish(heard.database, world, noise=PRESETS[noise]).public_id))
    for gold in golds(truth, clean, [*items(world), *constrained(world, random.Random(world.spec.seed), OPTIONS)]):
        yield "agent", decomposed(gold, pair, agent)
        yield "B3-shared", decomposed(gold, pair, OneShot(shared=True))
        yield "B2s", decomposed(gold, pair, B2S, _read(pair, gold))


def golds(library: Library, recording_id: str, asked: Sequence[Item]) -> Iterator[Gold]:
    """Give the items with their gold plans, where the rules' plan is right on the truth."""
    with library.database.reader() as connection:
        scope = catalog(connection, [find(connection, recording_id)])
    for item in asked:
        planned = RulesBrain().plan(Question(*split_options(item.question)), scope, None)
        gold = Gold(item.question, planned.tool_calls, marked(item))
        if planned.tool_calls and gold.right(topline(library, recording_id, item.question, planned.tool_calls)):
            yield gold


def marked(item: Item) -> Callable[[Reply], bool]:
    """Give who marks an item; abstaining rightly is enough."""

    def mark(reply: Reply) -> bool:
        return right(item, reply) if item.status == "answered" else reply.status in ("refused", "not_found")

    return mark


def _read(pair: Pair, gold: Gold) -> Callable[[Reply], Places]:
    def places(reply: Reply) -> Places:
        return frozenset(place for line in B2S.brought(*pair.heard, gold.question) for place in _places(line))

    return places


def _places(line: Line) -> Iterator[tuple[str, int, int]]:
    row = line.row
    kinds = ("transcript", "speaker") if isinstance(row, Segment) else ("events",)
    return ((kind, row.t0, row.t1) for kind in kinds)


if __name__ == "__main__":
    main()
