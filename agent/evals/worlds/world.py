"""A world's truth: a seed and a length give turns, words, emotions and sounds, and a log of what was planted where.

A shorter world of the same seed is a prefix of a longer one, so that length is the only thing that changes.
"""

import math
import random
from collections.abc import Iterator

from agent.evals.worlds import cast, decoys
from agent.evals.worlds.truth import Aside, Fact, Mention, Slot, Spec, World
from store.record import Emotion, Event, Segment

MEDIAN_TURN_S = 2.8
SIGMA = 0.85
OVERLAP_SHARE = 0.42
WORDS_A_SECOND = 2.5
SECONDS_BETWEEN_SOUNDS = 45.0
EVERY_MENTION = 6
EVERY_FACT = 17


__all__ = ["Aside", "Fact", "Mention", "Spec", "World", "make"]


def make(spec: Spec) -> World:
    """Make the world of a spec."""
    people = random.Random(f"{spec.seed}:cast")
    names = decoys.people(people, spec.cast) if spec.decoys else tuple(people.sample(cast.words("names"), spec.cast))
    world = World(spec, names, tuple(people.sample(cast.words("absent"), 2)))
    texts = random.Random(f"{spec.seed}:texts")
    moods = random.Random(f"{spec.seed}:moods")
    mood = dict.fromkeys(names, "neutral")
    for slot in _slots(spec, names):
        text = (decoys.text if spec.decoys else _text)(world, slot, texts)
        world.segments.append(Segment(slot.t0, slot.t1, text, slot.speaker, language="en", score=0.97))
        if moods.random() > 0.75:
            mood[slot.speaker] = moods.choice(cast.words("emotions"))
            if spec.decoys and moods.random() < decoys.TEMPER:
                mood[slot.speaker] = decoys.temper(spec.seed, slot.speaker)
        score = round(moods.uniform(0.62, 0.97), 3)
        world.emotions.append(Emotion(slot.t0, slot.t1, mood[slot.speaker], score, slot.speaker))
    world.events.extend(_events(spec))
    return world


def _slots(spec: Spec, names: tuple[str, ...]) -> Iterator[Slot]:
    """Give who speaks when: log-normal turns, short gaps, and some that begin before the last one ends."""
    rng, end, number, last = random.Random(f"{spec.seed}:turns"), 0, 0, ""
    shares = [rng.uniform(0.5, 2.0) for _ in names]
    while True:
        others = [(name, share) for name, share in zip(names, shares, strict=True) if name != last or len(names) == 1]
        last = rng.choices([name for name, _ in others], [share for _, share in others])[0]
        length = min(max(rng.lognormvariate(math.log(MEDIAN_TURN_S), SIGMA), 0.7), 60.0)
        back = rng.uniform(0.1, 0.5) * min(length, 4.0)
        t0 = max(0, end - round(1000 * back)) if rng.random() < OVERLAP_SHARE else end + rng.randint(20, 600)
        t1 = t0 + round(1000 * length)
        if t1 > spec.minutes * 60_000:
            return
        yield Slot(last, t0, t1, number)
        end, number = max(end, t1), number + 1


def _text(world: World, slot: Slot, rng: random.Random) -> str:
    """Write a turn's words; every few turns it mentions a topic or states a fact, and the truth is noted."""
    words = max(2, round((slot.t1 - slot.t0) / 1000 * WORDS_A_SECOND))
    if slot.number % EVERY_FACT == EVERY_FACT - 1:
        fact = _fact(world, slot, rng)
        world.facts.append(fact)
        pattern = rng.choice(cast.words("quoted") if fact.source else cast.words("facts"))
        said = pattern.format(name=fact.source, entity=fact.entity, attribute=fact.attribute, value=fact.value)
    elif slot.number % EVERY_MENTION == EVERY_MENTION - 1:
        mention = Mention(rng.choice(cast.words("topics")), slot.speaker, slot.t0, slot.t1)
        world.mentions.append(mention)
        said = rng.choice(cast.words("mentions")).format(topic=mention.topic)
    elif slot.number % 41 == 40:
        said = f"I wrote to {rng.choice(world.absent)} about that"
    else:
        said = cast.filler(rng, words)
    return said[:1].upper() + said[1:] + "."


def _fact(world: World, slot: Slot, rng: random.Random) -> Fact:
    """State a fact of its own, or one about an entity that another speaker has spoken of, with another value."""
    used = {fact.entity for fact in world.facts}
    fresh = [entity for entity in cast.words("entities") if entity not in used]
    if fresh and (not used or rng.random() < 0.6):
        attribute = rng.choice(list(cast.attributes()))
        return Fact(fresh[0], attribute, rng.choice(cast.attributes()[attribute]), slot.speaker, slot.t0, slot.t1)
    about = rng.choice([fact for fact in world.facts])
    same = [f for f in world.facts if (f.entity, f.attribute) == (about.entity, about.attribute)]
    mine = [f for f in same if f.speaker == slot.speaker and f.source is None]
    if mine:
        return Fact(about.entity, about.attribute, mine[0].value, slot.speaker, slot.t0, slot.t1)
    taken = {f.value for f in same}
    values = [v for v in cast.attributes()[about.attribute] if v not in taken] or cast.attributes()[about.attribute]
    quoted = [name for name in world.cast if name not in {f.speaker for f in same} | {slot.speaker}]
    source = rng.choice(quoted) if quoted and rng.random() < 0.35 else None
    return Fact(about.entity, about.attribute, rng.choice(values), slot.speaker, slot.t0, slot.t1, source)


def _events(spec: Spec) -> Iterator[Event]:
    """Give sounds as a Poisson process; one label never overlaps itself."""
    rng, now, busy = random.Random(f"{spec.seed}:sounds"), 0.0, dict[str, float]()
    labels = rng.sample(cast.words("sounds"), 8)
    while True:
        now += rng.expovariate(1 / SECONDS_BETWEEN_SOUNDS)
        label, length = rng.choice(labels), min(max(rng.lognormvariate(1.2, 0.7), 0.5), 40.0)
        if now + length > spec.minutes * 60:
            return
        if busy.get(label, -1.0) + 1.0 < now:
            busy[label] = now + length
            yield Event(round(now * 1000), round((now + length) * 1000), label, round(rng.uniform(0.6, 0.99), 3))
