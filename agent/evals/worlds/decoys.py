"""What makes a world misleading: namesakes, and statements that are asked, denied, taken back or worded freely.

Code names do not run out, so that a long world holds as many fresh statements an hour as a short one.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from agent.evals.worlds import cast
from agent.evals.worlds.truth import Aside, Fact, Mention, Slot, World

EVERY_MENTION, EVERY_FACT, EVERY_ABSENT = 6, 11, 41
FREE_SHARE, REASON_SHARE = 0.2, 0.2
TEMPER = 0.3
KINDS = {"said": 0.72, "asked": 0.1, "negated": 0.09, "corrected": 0.09}


def people(rng: random.Random, most: int) -> tuple[str, ...]:
    """Give a cast; every second one of two and more holds a pair of namesakes."""
    pair = rng.choice(cast.decoys()["namesakes"]) if most > 1 and rng.random() < 0.5 else []
    others = [name for name in cast.words("names") if name not in pair]
    names = [*pair, *rng.sample(others, most - len(pair))]
    rng.shuffle(names)
    return tuple(names)


def text(world: World, slot: Slot, rng: random.Random) -> str:
    """Write a turn's words, and note in the truth what was planted."""
    words = max(2, round((slot.t1 - slot.t0) / 1000 * 2.5))
    if slot.number % EVERY_FACT == EVERY_FACT - 1:
        said = _statement(world, slot, rng)
    elif slot.number % EVERY_MENTION == EVERY_MENTION - 1:
        mention = Mention(rng.choice(cast.words("topics")), slot.speaker, slot.t0, slot.t1)
        world.mentions.append(mention)
        said = rng.choice(cast.words("mentions")).format(topic=mention.topic)
    elif slot.number % EVERY_ABSENT == EVERY_ABSENT - 1:
        said = f"I wrote to {rng.choice(world.absent)} about that"
    else:
        said = cast.filler(rng, words)
    return said[:1].upper() + said[1:] + ("" if said.endswith("?") else ".")


def temper(seed: int, name: str) -> str:
    """Give the emotion to which a speaker returns most often."""
    return random.Random(f"{seed}:{name}:temper").choice(cast.words("emotions"))


@cache
def codenames(seed: int) -> Sequence[str]:
    """Give a seed's code names in the order in which they are first spoken of."""
    names = [head + tail for head in cast.decoys()["heads"] for tail in cast.decoys()["tails"]]
    random.Random(f"{seed}:codenames").shuffle(names)
    return names


def _statement(world: World, slot: Slot, rng: random.Random) -> str:
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    told = _recent(world)
    if kind == "corrected":
        mine = [fact for fact in told if fact.speaker == slot.speaker and not fact.source and not fact.corrects]
        return _stated(world, slot, rng, rng.choice(mine), "corrected") if mine else _said(world, slot, rng)
    if kind == "said" or not told:
        return _said(world, slot, rng)
    return _aside(world, slot, rng, kind, rng.choice(told))


def _said(world: World, slot: Slot, rng: random.Random) -> str:
    """State something new, or another value of what somebody else stated, as one's own or as another's words."""
    told = _recent(world)
    if not told or rng.random() < 0.5:
        names, attribute = codenames(world.spec.seed), rng.choice(list(cast.attributes()))
        entity = names[len({fact.entity for fact in world.facts}) % len(names)]
        value = rng.choice(cast.attributes()[attribute])
        return _written(world, rng, Fact(entity, attribute, value, slot.speaker, slot.t0, slot.t1))
    return _stated(world, slot, rng, rng.choice(told), "other")


def _stated(world: World, slot: Slot, rng: random.Random, about: Fact, kind: str) -> str:
    """State another value of the same thing, or once more the speaker's own."""
    same = [f for f in world.facts if (f.entity, f.attribute) == (about.entity, about.attribute)]
    mine = [fact for fact in same if fact.speaker == slot.speaker and fact.source is None]
    fresh = [v for v in cast.attributes()[about.attribute] if v not in {fact.value for fact in same}]
    quoted = [name for name in world.cast if name not in {fact.speaker for fact in same} | {slot.speaker}]
    value, source, corrects = (rng.choice(fresh) if fresh else about.value), None, None
    if mine and (kind != "corrected" or not fresh):
        value = mine[-1].value
    elif mine:
        corrects = mine[-1].value
    elif quoted and rng.random() < 0.35:
        source = rng.choice(quoted)
    fact = Fact(about.entity, about.attribute, value, slot.speaker, slot.t0, slot.t1, source, corrects)
    return _written(world, rng, fact)


def _written(world: World, rng: random.Random, fact: Fact) -> str:
    """Word a statement and note it."""
    free = fact.source is None and fact.corrects is None and rng.random() < FREE_SHARE
    kind = "quoted" if fact.source else "corrected" if fact.corrects else "said"
    patterns = cast.decoys()["free"][fact.attribute] if free else cast.decoys()[kind]
    reason = rng.choice(cast.decoys()["reasons"]) if kind == "said" and rng.random() < REASON_SHARE else None
    world.facts.append(replace(fact, free=free, reason=reason))
    said: str = rng.choice(patterns)
    said = said.format(name=fact.source, entity=fact.entity, attribute=fact.attribute, value=fact.value)
    return f"{said} because {reason}" if reason else said


def _aside(world: World, slot: Slot, rng: random.Random, kind: str, about: Fact) -> str:
    """Ask or deny a value that the speaker has not stated."""
    mine = {f.value for f in world.facts if (f.entity, f.speaker) == (about.entity, slot.speaker)}
    value = rng.choice([v for v in cast.attributes()[about.attribute] if v not in mine])
    word: Literal["asked", "negated"] = "asked" if kind == "asked" else "negated"
    world.asides.append(Aside(word, about.entity, about.attribute, value, slot.speaker, slot.t0, slot.t1))
    said: str = rng.choice(cast.decoys()[word])
    return said.format(entity=about.entity, attribute=about.attribute, value=value)


def _recent(world: World) -> list[Fact]:
    """Give what people still speak of: the last statements, so that what is said of one thing stays near in time."""
    return world.facts[-24:]
