"""events: when a sound is heard, in all or in a span, by its label or as people call it; and two sounds at once."""

from collections.abc import Iterator, Sequence

from agent.evals.tasks.item import Asked, Draft, Item
from agent.evals.worlds import cast
from store.clock import clock
from store.record import Event

ONE = ("When was the {e} heard?", "When did the {e} occur?")
IN = ("When was the {e} heard between {a} and {b}?",)
TWO = ("When were the {e} and the {f} heard?",)


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items of each variant in turn; a sound that nobody hears in a span is left out."""
    labels = sorted({event.label for event in draft.world.events})
    for number in range(most):
        label, other = draft.rng.sample(labels, 2)
        match number % 5:
            case 0 | 3:
                yield _item(draft, "label", ONE, [label], None)
            case 1:
                a, b = draft.stretch(120, 900)
                span = (a, b) if _rows(draft, [label], (a, b)) else None
                yield _item(draft, "label", IN if span else ONE, [label], span)
            case 2:
                yield _item(draft, "other name", ONE, [label], None)
            case _:
                yield _item(draft, "two labels", TWO, sorted([label, other]), None)


def _rows(draft: Draft, labels: Sequence[str], span: tuple[int, int] | None) -> list[Event]:
    a, b = span or (0, draft.world.duration_ms)
    return [e for e in draft.world.events if e.label in labels and e.t0 < b and a < e.t1]


def _item(draft: Draft, kind: str, wordings: Sequence[str], labels: list[str], span: tuple[int, int] | None) -> Item:
    called = [label.lower() for label in labels]
    if kind == "other name":
        called = [draft.rng.choice(cast.decoys()["synonyms"].get(label, [label.lower()])) for label in labels]
    a, b = span or (0, 0)
    text = draft.rng.choice(wordings).format(e=called[0], f=called[-1], a=clock(a), b=clock(b))
    rows = _rows(draft, labels, span)
    limits = {} if span is None else {"start": a / 1000, "end": b / 1000}
    plan = (["events", {"labels": labels} | limits], ["fuse", {"anchor": "events", "answer_schema": "when"}])
    return draft.item(
        "stretches",
        kind if span is None else "in a span",
        text,
        sorted([e.t0 / 1000, e.t1 / 1000] for e in rows),
        Asked(span=span, labels=tuple(labels)),
        evidence=tuple(("events", e.t0, e.t1) for e in rows),
        plan=plan,
    )
