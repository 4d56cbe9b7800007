"""qa: what, who and why about one planted statement."""

from collections.abc import Iterator

from agent.evals.tasks import stated
from agent.evals.tasks.item import Asked, Draft, Item
from agent.evals.worlds.truth import Fact

WHAT = (
    "What did {who} say the {attribute} of {entity} is?",
    "According to {who}, what is the {attribute} of {entity}?",
    "What did {who} say about the {attribute} of {entity}?",
)
WHO = ("Who said that the {attribute} of {entity} is {value}?", "Who said {value} is the {attribute} of {entity}?")
WHY = ("Why is the {attribute} of {entity} {value}, according to {who}?",)


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items, half of them what, the others who and why."""
    facts = stated.clear(draft.world)
    draft.rng.shuffle(facts)
    for kind, share in ((_what, (most + 1) // 2), (_who, (most + 2) // 4), (_why, most // 4)):
        made = (item for fact in facts if (item := kind(draft, fact)) is not None)
        yield from (item for _, item in zip(range(share), made, strict=False))


def _words(fact: Fact) -> dict[str, str]:
    return {"who": fact.speaker, "entity": fact.entity, "attribute": fact.attribute, "value": fact.value}


def _what(draft: Draft, fact: Fact) -> Item:
    text = draft.rng.choice(WHAT).format(**_words(fact))
    return draft.item(
        "text",
        "what",
        text,
        fact.value,
        Asked(speaker=fact.speaker, entity=fact.entity, attribute=fact.attribute),
        reference=stated.sentence(draft.world, fact),
        facts=(fact.value,),
        evidence=stated.rows(draft.world, fact),
        decoys=stated.misleading(draft.world, fact),
    )


def _who(draft: Draft, fact: Fact) -> Item | None:
    """Ask who; left out where somebody also reports, asks or denies it, since "said" may mean that as well."""
    facts, asides = stated.about(draft.world, stated.thing(fact))
    if any(f.value == fact.value and f.source for f in facts) or any(a.value == fact.value for a in asides):
        draft.left_out["also reported, asked or denied"] += 1
        return None
    sayers = sorted({f.speaker for f in facts if f.value == fact.value})
    places = tuple(("transcript", f.t0, f.t1) for f in facts if f.value == fact.value)
    asked = Asked(entity=fact.entity, attribute=fact.attribute, value=fact.value)
    text = draft.rng.choice(WHO).format(**_words(fact))
    decoys = tuple(d for d in stated.misleading(draft.world, fact) if d != "worded freely")
    free = any(f.free for f in facts if f.value == fact.value)
    return draft.item(
        "names",
        "who",
        text,
        sayers,
        asked,
        reference=", ".join(sayers),
        facts=tuple(sayers),
        evidence=places,
        decoys=(*decoys, "worded freely") if free else decoys,
    )


def _why(draft: Draft, fact: Fact) -> Item | None:
    same = [f for f in stated.own(draft.world) if (stated.thing(f), f.speaker) == (stated.thing(fact), fact.speaker)]
    reasons = {f.reason for f in same if f.reason is not None}
    if len(reasons) != 1:
        return None
    (reason,) = reasons
    told = next(f for f in same if f.reason is not None)
    text = draft.rng.choice(WHY).format(**_words(fact))
    return draft.item(
        "text",
        "why",
        text,
        reason,
        Asked(speaker=fact.speaker, entity=fact.entity, attribute=fact.attribute, value=fact.value),
        reference=stated.sentence(draft.world, told),
        facts=(reason,),
        evidence=tuple(("transcript", f.t0, f.t1) for f in same if f.reason is not None),
        decoys=stated.misleading(draft.world, told),
    )
