"""What the log says of one thing: who stated which value as their own, and what else was said that misleads."""

from collections.abc import Sequence

from agent.evals.tasks.item import Place
from agent.evals.worlds.truth import Aside, Fact, World

Thing = tuple[str, str]


def own(world: World) -> list[Fact]:
    """Give the statements that are their speakers' own, not those they report."""
    return [fact for fact in world.facts if fact.source is None]


def clear(world: World) -> list[Fact]:
    """Give the first of each speaker's statements of a thing of which they never stated another value."""
    held: dict[tuple[str, Thing], list[Fact]] = {}
    for fact in own(world):
        held.setdefault((fact.speaker, thing(fact)), []).append(fact)
    return [facts[0] for facts in held.values() if len({fact.value for fact in facts}) == 1]


def thing(fact: Fact | Aside) -> Thing:
    """Give what a statement is about."""
    return fact.entity, fact.attribute


def about(world: World, what: Thing) -> tuple[Sequence[Fact], Sequence[Aside]]:
    """Give all that is stated of a thing, and all that only sounds so."""
    return [f for f in world.facts if thing(f) == what], [a for a in world.asides if thing(a) == what]


def misleading(world: World, fact: Fact) -> tuple[str, ...]:
    """Say what else is said of a statement's thing."""
    facts, asides = about(world, thing(fact))
    kinds: set[str] = {aside.kind for aside in asides}
    kinds |= {"said by another" for f in facts if f.source is None and f.speaker != fact.speaker}
    kinds |= {"quoted" for f in facts if f.source is not None} | {"corrected" for f in facts if f.corrects}
    kinds |= {"worded freely"} if fact.free else set()
    return tuple(sorted(kinds))


def rows(world: World, fact: Fact) -> tuple[Place, ...]:
    """Give the rows in which a speaker states this value."""
    same = (f for f in own(world) if (thing(f), f.speaker, f.value) == (thing(fact), fact.speaker, fact.value))
    return tuple(("transcript", f.t0, f.t1) for f in same)


def sentence(world: World, fact: Fact) -> str:
    """Give the words of a statement as they were said."""
    return next(s.text for s in world.segments if (s.t0, s.t1, s.speaker) == (fact.t0, fact.t1, fact.speaker))
