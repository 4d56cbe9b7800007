"""Near-duplicate texts and ties in worlds, counted: they are how such benchmarks lie.

Planted turns are compared as sets of words. Equal ones are repetitions; near ones differ in one word, such as the
value, and are what decoys are made of.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from agent.evals.tasks.run import Tier, spec
from agent.evals.worlds.truth import World
from agent.evals.worlds.world import make


def ambiguities(tier: Tier) -> dict[str, int]:
    """Count over the worlds of a tier: planted turns, equal and nearly equal pairs, turns and sounds that tie."""
    found: Counter[str] = Counter()
    for minutes in tier.lengths:
        for number in range(tier.worlds):
            found.update(of_world(make(spec(tier, minutes, number))))
    return dict(found)


def of_world(world: World) -> dict[str, int]:
    """Count them in one world."""
    planted = {(f.t0, f.speaker): f.entity for f in world.facts}
    planted |= {(a.t0, a.speaker): a.entity for a in world.asides}
    by_thing: dict[str, list[frozenset[str]]] = defaultdict(list)
    for row in world.segments:
        thing = planted.get((row.t0, str(row.speaker)))
        if thing is not None:
            by_thing[thing].append(frozenset(row.text.casefold().rstrip(".?").split()))
    pairs = [pair for texts in by_thing.values() for pair in combinations(texts, 2)]
    return {
        "planted statements": sum(len(texts) for texts in by_thing.values()),
        "equal pairs": sum(a == b for a, b in pairs),
        "pairs that differ in one word": sum(a != b and max(len(a - b), len(b - a)) == 1 for a, b in pairs),
        "turns that begin together": _ties([s.t0 for s in world.segments]),
        "sounds that begin together": _ties([e.t0 for e in world.events]),
    }


def _ties(starts: Sequence[int]) -> int:
    return sum(times - 1 for times in Counter(starts).values())
