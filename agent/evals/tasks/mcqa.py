"""mcqa: four options, the wrong ones from what others said in the same recording, of this thing first."""

from collections.abc import Iterator

from agent.evals.tasks import stated
from agent.evals.tasks.item import Asked, Draft, Item, Place
from agent.evals.worlds import cast
from agent.evals.worlds.truth import Fact
from store.clock import clock

LETTERS = "ABCD"
PLAIN = ("What is the {attribute} of {entity}?", "Which of these is the {attribute} of {entity}?")
BY = ("According to {who}, what is the {attribute} of {entity}{where}?",)
OF = ("What did {who} say the {attribute} of {entity} is{where}?",)


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items: half of what only one value was stated of, half of what one speaker says."""
    facts = stated.clear(draft.world)
    draft.rng.shuffle(facts)
    single = [fact for fact in facts if _undisputed(draft, fact)]
    disputed = [fact for fact in facts if "said by another" in stated.misleading(draft.world, fact)]
    for fact in single[: (most + 1) // 2]:
        yield multiple(draft, "undisputed", fact, None)
    for fact in disputed[: most // 2]:
        yield multiple(draft, "disputed", fact, fact.speaker)


def multiple(
    draft: Draft,
    kind: str,
    about: Fact,
    who: str | None,
    *,
    answerable: bool = True,
    span: tuple[int, int] | None = None,
) -> Item:
    """Make one item about a statement; unanswerable, its value is one of the options and nobody's to choose."""
    options = _options(draft, about, right=about.value)
    where = "" if span is None else f" between {clock(span[0])} and {clock(span[1])}"
    pattern = draft.rng.choice(PLAIN if who is None else BY + OF)
    stem = pattern.format(who=who, entity=about.entity, attribute=about.attribute, where=where)
    gold = next(letter for letter, text in options.items() if text == about.value) if answerable else None
    asked = Asked(who, span, about.entity, about.attribute, options=options)
    return draft.item(
        "letter",
        kind,
        f"{stem} {' '.join(f'({letter}) {text}' for letter, text in options.items())}",
        gold,
        asked,
        answerable=answerable,
        reference=about.value if answerable else "",
        facts=(about.value,) if answerable else (),
        evidence=_within(stated.rows(draft.world, about), span) if answerable else (),
        decoys=stated.misleading(draft.world, about),
    )


def _within(rows: tuple[Place, ...], span: tuple[int, int] | None) -> tuple[Place, ...]:
    return rows if span is None else tuple(row for row in rows if row[1] < span[1] and span[0] < row[2])


def _undisputed(draft: Draft, fact: Fact) -> bool:
    facts, _ = stated.about(draft.world, stated.thing(fact))
    return len({f.value for f in facts}) == 1


def _options(draft: Draft, about: Fact, right: str) -> dict[str, str]:
    """Give four values in a drawn order: the right one, others of the same thing, others of the same attribute."""
    facts, asides = stated.about(draft.world, stated.thing(about))
    near = [f.value for f in facts] + [a.value for a in asides]
    far = [f.value for f in draft.world.facts if f.attribute == about.attribute and f.speaker != about.speaker]
    draft.rng.shuffle(far)
    rest = draft.rng.sample(cast.attributes()[about.attribute], len(cast.attributes()[about.attribute]))
    wrong = [value for value in dict.fromkeys([*near, *far, *rest]) if value != right][:3]
    values = [right, *wrong]
    draft.rng.shuffle(values)
    return dict(zip(LETTERS, values, strict=True))
