"""Four-option questions about a world, limited to a speaker: half can be answered, half cannot in four kinds.

The wrong options are what others said of the same thing, so that only who said it decides.
"""

import random
from collections.abc import Iterator

from agent.evals.worlds import cast
from agent.evals.worlds.questions import Item
from agent.evals.worlds.world import Fact, World
from store.clock import clock


def constrained(world: World, rng: random.Random, most: int = 12) -> list[Item]:
    """Give four-option questions limited to a speaker, half of them unanswerable in four kinds."""
    right = [_multiple(world, rng, f.speaker, f.entity, f.attribute, f.value) for f in _clear(world)]
    wrong = [item for kind in (_by_another, _by_nobody_here, _outside, _only_quoted) for item in kind(world, rng)]
    rng.shuffle(right)
    rng.shuffle(wrong)
    return [*right[: most // 2], *wrong[: most // 2]]


def _clear(world: World) -> list[Fact]:
    """Give the facts of which a speaker holds one value only."""
    own = [f for f in world.facts if f.source is None]
    return [
        f
        for f in own
        if len({o.value for o in own if (o.entity, o.attribute, o.speaker) == (f.entity, f.attribute, f.speaker)}) == 1
    ]


def _multiple(
    world: World,
    rng: random.Random,
    who: str,
    entity: str,
    attribute: str,
    value: str | None,
    kind: str = "answerable",
    reasons: tuple[str | None, ...] = (),
    span: tuple[int, int] | None = None,
) -> Item:
    """Make one item; the other options are what others said of it, then other values."""
    held = [f.value for f in world.facts if (f.entity, f.attribute) == (entity, attribute) and f.value != value]
    others = list(dict.fromkeys([*held, *rng.sample(cast.attributes()[attribute], len(cast.attributes()[attribute]))]))
    texts = [text for text in others if text != value][: 3 if value else 4] + ([value] if value else [])
    rng.shuffle(texts)
    options = " ".join(f"({letter}) {text}" for letter, text in zip("ABCD", texts, strict=True))
    where = f" between {clock(span[0])} and {clock(span[1])}" if span else ""
    letter = "ABCD"[texts.index(value)] if value else None
    question = f"According to {who}, what is the {attribute} of {entity}{where}? {options}"
    return Item("options", question, letter, "answered" if value else "refused", reasons, kind)


def _by_another(world: World, rng: random.Random) -> Iterator[Item]:
    for fact in _clear(world):
        about = {f.speaker for f in world.facts if f.entity == fact.entity}
        quoted = {f.source for f in world.facts if f.entity == fact.entity}
        for name in world.cast:
            if name not in about | quoted:
                reasons = ("not_said_by_speaker",)
                yield _multiple(world, rng, name, fact.entity, fact.attribute, None, "said by another", reasons)
                break


def _by_nobody_here(world: World, rng: random.Random) -> Iterator[Item]:
    for fact in world.facts[:4]:
        gone = rng.choice(world.absent)
        yield _multiple(world, rng, gone, fact.entity, fact.attribute, None, "speaker absent", ("unknown_speaker",))


def _outside(world: World, rng: random.Random) -> Iterator[Item]:
    """The speaker said it, but not in the stretch asked, which ends before the first time."""
    reasons = ("speaker_absent_in_range", "not_said_by_speaker", None)
    for fact in _clear(world):
        same = [f for f in world.facts if (f.entity, f.speaker) == (fact.entity, fact.speaker)]
        first = min(f.t0 for f in same)
        others = [f for f in world.facts if f.entity == fact.entity and f.t0 < first]
        if first > 60_000 and not others:
            span = (0, first // 1000 * 1000 - 10_000)
            kind = "outside the time"
            yield _multiple(world, rng, fact.speaker, fact.entity, fact.attribute, None, kind, reasons, span)


def _only_quoted(world: World, rng: random.Random) -> Iterator[Item]:
    for fact in world.facts:
        if fact.source and not [f for f in world.facts if f.speaker == fact.source and f.entity == fact.entity]:
            reasons = ("not_said_by_speaker",)
            yield _multiple(world, rng, fact.source, fact.entity, fact.attribute, None, "only quoted", reasons)
