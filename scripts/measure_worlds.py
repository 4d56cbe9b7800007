"""Ask clean worlds of 10 to 540 minutes everything: by name, by label where nobody is named, and after the rename.

    python -m scripts.measure_worlds [MINUTES ...] [--seeds N]

Prints, by family: right of asked; abstention on what cannot be answered and false refusal on what can, for questions
limited to a speaker; how often a name that no voice bears was refused as unidentified; and whether the counts of each
refusal come out the same when their SQL is run again.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.ask import ask
from agent.evals.worlds.marking import right
from agent.evals.worlds.options import constrained
from agent.evals.worlds.proofs import broken
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.unnamed import labels, unnamed
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from agent.reply import Reply
from store import edits

MINUTES = (10, 30, 60, 300, 540)
OPTIONS = 24


@dataclass
class Tally:
    """What came of one length: right and asked by family, and the three rates, as [hits, asked]."""

    families: dict[str, Counter[bool]] = field(default_factory=dict)
    abstained: Counter[bool] = field(default_factory=Counter)
    refused: Counter[bool] = field(default_factory=Counter)
    unidentified: Counter[bool] = field(default_factory=Counter)
    proofs: Counter[bool] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def main(arguments: Sequence[str]) -> None:
    """Measure every length asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="*", type=float, default=MINUTES)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args(arguments)
    for minutes in options.minutes:
        for naming in ("by name", "by label", "by name, unnamed", "after the rename"):
            tally = Tally()
            for seed in range(500, 500 + options.seeds):
                world = make(Spec(seed, minutes, 3 + seed % 7))
                with tempfile.TemporaryDirectory() as folder:
                    _measure(world, naming, Library(Path(folder)), tally)
            _print(minutes, naming, tally)


def questions(world: World) -> Iterator[Item]:
    """Give a world's questions of every family, and those of four options that are limited to a speaker."""
    yield from items(world, 0)
    yield from items(world, 1)
    yield from constrained(world, random.Random(world.spec.seed), OPTIONS)


def _measure(world: World, naming: str, library: Library, tally: Tally) -> None:
    bare = unnamed(world)
    recording = publish(library.database, world if naming == "by name" else bare)
    if naming == "after the rename":
        for name, label in labels(world).items():
            with library.database.writing() as connection:
                edits.rename(connection, recording.id, label, name)
    for item in questions(bare if naming == "by label" else world):
        if naming == "by label" and (item.reasons == ("unknown_speaker",) or item.kind == "only quoted"):
            item = Item(item.family, item.question, None, item.status, ("speaker_unidentified",), item.kind)
        if naming == "by name, unnamed":
            if _names(item, world):
                reply = ask(library, item.question)
                reason = reply.refusal.reason if reply.refusal else None
                _noted(tally.unidentified, reason == "speaker_unidentified", item, reply, tally)
            continue
        _note(item, ask(library, item.question), library, tally)


def _names(item: Item, world: World) -> bool:
    stem = item.question.partition(" (A) ")[0]
    return any(f" {name} " in f" {stem.replace(',', ' ').replace('?', ' ')} " for name in (*world.cast, *world.absent))


def _note(item: Item, reply: Reply, library: Library, tally: Tally) -> None:
    good = right(item, reply)
    _noted(tally.families.setdefault(item.family, Counter()), good, item, reply, tally)
    if item.family == "options" or item.kind in ("said by another", "speaker absent"):
        if item.status == "answered":
            tally.refused[reply.status != "answered"] += 1
        else:
            tally.abstained[reply.status in ("refused", "not_found")] += 1
    if reply.refusal is not None and reply.refusal.counts:
        complaint = broken(reply, library)
        _noted(tally.proofs, complaint is None, item, reply, tally, complaint or "")


def _noted(counter: "Counter[bool]", good: bool, item: Item, reply: Reply, tally: Tally, why: str = "") -> None:
    counter[good] += 1
    if not good:
        tally.wrong.append(f"{why}{item.kind}: {item.question} -> {reply.status} {reply.value!r} | {reply.answer}")


def _print(minutes: float, naming: str, tally: Tally) -> None:
    print(f"\n{minutes:g} min, {naming}")
    for family, found in sorted(tally.families.items()):
        print(f"  {family:14}{_rate(found)}")
    for label, found in (
        ("abstention", tally.abstained),
        ("false refusal", tally.refused),
        ("speaker_unidentified", tally.unidentified),
        ("proofs that hold", tally.proofs),
    ):
        if found:
            print(f"  {label:22}{_rate(found)}")
    for line in tally.wrong[:12]:
        print(f"    {line[:300]}")
    sys.stdout.flush()


def _rate(found: "Counter[bool]") -> str:
    return f"{found[True]:5} of {sum(found.values()):5}  {found[True] / sum(found.values()):.3f}"


if __name__ == "__main__":
    main(sys.argv[1:])
