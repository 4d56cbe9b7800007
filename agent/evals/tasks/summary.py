"""summary: what was said in a span; what was planted there must come up, and nothing that was planted elsewhere."""

from collections.abc import Iterator

from agent.evals.tasks.item import Asked, Draft, Item
from store.clock import clock

LEAST_POINTS = 2
WORDINGS = ("Summarize what was said between {a} and {b}.", "Summarise {a} to {b}.")


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give spans with two planted points or more; a point is a word that stands for what was stated or mentioned."""
    for _ in range(20 * most):
        a, b = draft.stretch(90, 240)
        inside = [s for s in draft.world.segments if a <= s.t0 and s.t1 <= b]
        cut = [s for s in draft.world.segments if s.t0 < b and a < s.t1 and s not in inside]
        said = {(s.t0, s.t1, s.speaker) for s in inside}
        stated_here = [f for f in draft.world.facts if (f.t0, f.t1, f.speaker) in said]
        mentioned = [m for m in draft.world.mentions if (m.t0, m.t1, m.speaker) in said]
        points = sorted({m.topic for m in mentioned} | {f.entity for f in stated_here})
        edge = {(s.t0, s.t1, s.speaker) for s in cut}
        planted = (*draft.world.facts, *draft.world.mentions, *draft.world.asides)
        if len(points) < LEAST_POINTS or any((p.t0, p.t1, p.speaker) in edge for p in planted):
            draft.left_out["too few points, or one over the edge"] += 1
            continue
        told = sorted([*stated_here, *mentioned], key=lambda row: row.t0)
        yield draft.item(
            "text",
            "span",
            draft.rng.choice(WORDINGS).format(a=clock(a), b=clock(b)),
            points,
            Asked(span=(a, b)),
            reference=" ".join(_words(draft, row.t0, row.speaker) for row in told),
            facts=tuple(points),
            evidence=tuple(("transcript", row.t0, row.t1) for row in told),
        )
        if draft.made >= most:
            return


def _words(draft: Draft, t0: int, speaker: str) -> str:
    return next(s.text for s in draft.world.segments if (s.t0, s.speaker) == (t0, speaker))
