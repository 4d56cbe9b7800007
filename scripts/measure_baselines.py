"""Ask worlds of several lengths the same questions of the agent and of every baseline, and print the difference.

    python -m scripts.measure_baselines [MINUTES ...] [--worlds N] [--noise clean|paper|field] [--only NAME ...]

Prints a line a length and answerer: right of asked, RS(10), abstention and false refusal, tokens read (median), seconds
(median), and how much more the agent has (paired bootstrap over worlds, 95 %).
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.evals.answerer import Answerer, agent
from agent.evals.baselines.names import BASELINES
from agent.evals.statistics.intervals import paired
from agent.evals.statistics.scoring import Mark, abstention, false_refusal, passed, rs
from agent.evals.worlds.marking import right
from agent.evals.worlds.noise import PRESETS
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.library import Library
from agent.reply import Reply

FIRST = 700
OPTIONS = 16


@dataclass(frozen=True)
class Asked:
    """One question as it was answered."""

    world: int
    family: str
    mark: Mark
    tokens: int
    seconds: float


def main(arguments: Sequence[str]) -> None:
    """Measure every length asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="*", type=float, default=(10, 60, 300))
    parser.add_argument("--worlds", type=int, default=4)
    parser.add_argument("--noise", choices=tuple(PRESETS), default="clean")
    parser.add_argument("--only", nargs="*", choices=tuple(BASELINES), default=tuple(BASELINES))
    options = parser.parse_args(arguments)
    answerers: dict[str, Answerer] = {"agent": agent} | {name: BASELINES[name] for name in options.only}
    for minutes in options.minutes:
        found: dict[str, list[Asked]] = {name: [] for name in answerers}
        for seed in range(FIRST, FIRST + options.worlds):
            _world(Spec(seed, minutes, 3 + seed % 7), options.noise, answerers, found)
        _print(minutes, found)


def _world(spec: Spec, noise: str, answerers: dict[str, Answerer], found: dict[str, list[Asked]]) -> None:
    world = make(spec)
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        recording = publish(library.database, world, noise=None if noise == "clean" else PRESETS[noise]).public_id
        for item in [*items(world), *constrained(world, random.Random(spec.seed), OPTIONS)]:
            for name, answer in answerers.items():
                began = time.perf_counter()
                reply = answer(library, recording, item.question)
                seconds = time.perf_counter() - began
                read = reply.usage.input_tokens
                found[name].append(Asked(spec.seed, item.family, marked(item, reply), read, seconds))


def marked(item: Item, reply: Reply) -> Mark:
    """Mark a reply to a world's question; abstaining rightly is enough, since baselines give no reason."""
    abstained, answerable = reply.status in ("refused", "not_found"), item.status == "answered"
    good = right(item, reply) if answerable else abstained
    return Mark(answerable, abstained, good, reply.confidence)


def _print(minutes: float, found: dict[str, list[Asked]]) -> None:
    ours = found["agent"]
    print(f"\n{minutes:g} min, {len({one.world for one in ours})} worlds, {len(ours)} questions")
    for name, theirs in found.items():
        marks = [one.mark for one in theirs]
        line = f"  {name:18} right {passed(marks):.3f}  RS(10) {rs(marks):7.1f}  abstention {abstention(marks):.3f}"
        line += f"  false refusal {false_refusal(marks):.3f}  tokens {statistics.median(o.tokens for o in theirs):6g}"
        line += f"  {statistics.median(one.seconds for one in theirs):.3f} s"
        if name != "agent":
            worlds = [one.world for one in ours]
            more = paired([o.mark.right for o in ours], [o.mark.right for o in theirs], worlds)
            dearer = paired([o.mark.points() for o in ours], [o.mark.points() for o in theirs], worlds)
            line += f"  agent: right +{more}, points +{dearer}"
        print(line)
    families = sorted({one.family for one in ours})
    print("  right by family: " + "; ".join(f"{family} {_by(family, found)}" for family in families))
    sys.stdout.flush()


def _by(family: str, found: dict[str, list[Asked]]) -> str:
    return "/".join(f"{passed([one.mark for one in some if one.family == family]):.2f}" for some in found.values())


if __name__ == "__main__":
    main(sys.argv[1:])
