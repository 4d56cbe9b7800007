"""emotion: how somebody sounds in a stretch, mostly, and when they are angry.

"Mostly" may mean time or turns; where the two differ, or two emotions are nearly equal, nothing is asked.
"""

from collections.abc import Iterator

from agent.evals.tasks.item import Asked, Draft, Item
from agent.evals.worlds.truth import World
from store.clock import clock
from store.record import Span, total

MARGIN = 1.1
IN = ("How did {who} sound between {a} and {b}?", "What emotion did {who} show from {a} to {b}?")
MOSTLY = ("What was {who}'s most frequent emotion?", "How did {who} sound most of the time?")
WHEN = ("When was {who} angry?", "When did {who} sound angry?")


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items of the three variants in turn."""
    for kind, share in ((_in_stretch, (most + 2) // 3), (_mostly, (most + 1) // 3), (_when, most // 3)):
        made = (item for _ in range(12 * most) if (item := kind(draft)) is not None)
        found: dict[str, Item] = {}
        for item in made:
            found.setdefault(item.question, item)
            if len(found) == share:
                break
        yield from list(found.values())[:share]


def _in_stretch(draft: Draft) -> Item | None:
    a, b = draft.stretch(120, 600)
    who = draft.rng.choice(draft.world.cast)
    label = _dominant(draft, who, (a, b))
    if label is None:
        return None
    text = draft.rng.choice(IN).format(who=who, a=clock(a), b=clock(b))
    plan = (
        ["emotion", {"speaker": who, "start": a / 1000, "end": b / 1000}],
        ["fuse", {"anchor": "emotion", "aggregate": "majority", "group": "label", "answer_schema": "emotion"}],
    )
    return draft.item("label", "in a stretch", text, label, Asked(who, (a, b)), plan=plan)


def _mostly(draft: Draft) -> Item | None:
    who = draft.rng.choice(draft.world.cast)
    label = _dominant(draft, who, None)
    if label is None:
        return None
    plan = (
        ["emotion", {"speaker": who}],
        ["fuse", {"anchor": "emotion", "aggregate": "majority", "group": "label", "answer_schema": "emotion"}],
    )
    return draft.item("label", "mostly", draft.rng.choice(MOSTLY).format(who=who), label, Asked(who), plan=plan)


def _when(draft: Draft) -> Item | None:
    who = draft.rng.choice(draft.world.cast)
    rows = [row for row in draft.world.emotions if (row.speaker, row.label) == (who, "anger")]
    if not rows:
        return None
    text = draft.rng.choice(WHEN).format(who=who)
    plan = (
        ["emotion", {"speaker": who, "labels": ["anger"]}],
        ["fuse", {"anchor": "emotion", "answer_schema": "when"}],
    )
    gold = sorted([row.t0 / 1000, row.t1 / 1000] for row in rows)
    places = tuple(("emotion", row.t0, row.t1) for row in rows)
    asked = Asked(who, labels=("anger",))
    return draft.item("stretches", "when angry", text, gold, asked, evidence=places, plan=plan)


def _dominant(draft: Draft, who: str, span: tuple[int, int] | None) -> str | None:
    """Give the emotion that leads clearly by time and by turns alike; None where none does."""
    times, turns = _weights(draft.world, who, span or (0, draft.world.duration_ms))
    leaders = []
    for weights in (times, turns):
        ranked = sorted(weights.items(), key=lambda pair: -pair[1])
        if not ranked or (len(ranked) > 1 and ranked[0][1] < MARGIN * ranked[1][1]):
            draft.left_out["no emotion leads clearly"] += 1
            return None
        leaders.append(ranked[0][0])
    if leaders[0] != leaders[1]:
        draft.left_out["time and turns differ"] += 1
        return None
    return leaders[0]


def _weights(world: World, who: str, span: tuple[int, int]) -> tuple[dict[str, int], dict[str, int]]:
    spans: dict[str, list[Span]] = {}
    for row in world.emotions:
        if row.speaker == who and row.t0 < span[1] and span[0] < row.t1:
            spans.setdefault(row.label, []).append(Span(max(row.t0, span[0]), min(row.t1, span[1])))
    return {label: total(found) for label, found in spans.items()}, {
        label: len(found) for label, found in spans.items()
    }
