"""constrained: options limited to a speaker; half cannot be answered, in four kinds that come equally often."""

from collections.abc import Iterator, Sequence

from agent.evals.tasks import mcqa, stated
from agent.evals.tasks.item import Draft, Item
from agent.evals.worlds.truth import Fact

MARGIN_MS = 10_000
LEAST_SPAN_MS = 60_000


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items, half of them answerable; a kind that a world has none of is made up for by the next."""
    facts = stated.clear(draft.world)
    draft.rng.shuffle(facts)
    for fact in facts[: (most + 1) // 2]:
        yield mcqa.multiple(draft, "answerable", fact, fact.speaker)
    kinds = [_another(draft), _absent(draft), _outside(draft), _quoted(draft)]
    left = most // 2
    while left and kinds:
        for kind in list(kinds):
            item = next(kind, None)
            if item is None:
                kinds.remove(kind)
            elif left:
                left -= 1
                yield item


def _another(draft: Draft) -> Iterator[Item]:
    """Ask somebody who speaks, and said nothing of it, for what another said."""
    for fact in _drawn(draft):
        facts, asides = stated.about(draft.world, stated.thing(fact))
        silent = [name for name in _speaking(draft) if name not in _involved(facts) | {a.speaker for a in asides}]
        if silent:
            yield mcqa.multiple(draft, "said by another", fact, draft.rng.choice(silent), answerable=False)


def _absent(draft: Draft) -> Iterator[Item]:
    """Ask somebody who is spoken of and does not speak."""
    for fact in _drawn(draft):
        gone = draft.rng.choice(draft.world.absent)
        yield mcqa.multiple(draft, "speaker absent", fact, gone, answerable=False)


def _outside(draft: Draft) -> Iterator[Item]:
    """Ask the one who said it for a stretch in which they did not."""
    for fact in _drawn(draft):
        facts, asides = stated.about(draft.world, stated.thing(fact))
        mine = [(f.t0, f.t1) for f in facts if f.speaker == fact.speaker]
        mine += [(a.t0, a.t1) for a in asides if a.speaker == fact.speaker]
        first, last = min(t0 for t0, _ in mine), max(t1 for _, t1 in mine)
        end = draft.world.duration_ms // 1000 * 1000
        before = (0, (first - MARGIN_MS) // 1000 * 1000)
        after = ((last + MARGIN_MS) // 1000 * 1000 + 1000, end)
        spans = [span for span in (before, after) if span[1] - span[0] >= LEAST_SPAN_MS]
        if spans:
            span = draft.rng.choice(spans)
            yield mcqa.multiple(draft, "outside the time", fact, fact.speaker, answerable=False, span=span)


def _quoted(draft: Draft) -> Iterator[Item]:
    """Ask somebody for what only others report of them."""
    reported = [fact for fact in draft.world.facts if fact.source is not None]
    draft.rng.shuffle(reported)
    for fact in reported:
        facts, asides = stated.about(draft.world, stated.thing(fact))
        if fact.source in _speaking(draft) and fact.source not in {f.speaker for f in facts} | {
            a.speaker for a in asides
        }:
            yield mcqa.multiple(draft, "only quoted", fact, fact.source, answerable=False)


def _drawn(draft: Draft) -> list[Fact]:
    facts = stated.clear(draft.world)
    draft.rng.shuffle(facts)
    return facts


def _involved(facts: Sequence[Fact]) -> set[str]:
    return {f.speaker for f in facts} | {f.source for f in facts if f.source is not None}


def _speaking(draft: Draft) -> list[str]:
    there = {segment.speaker for segment in draft.world.segments}
    return [name for name in draft.world.cast if name in there]
