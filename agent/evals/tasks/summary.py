"""summary: what was said in a span; what was planted there must come up, and nothing that was planted elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.evals.tasks.item import Asked, Draft, Item
from agent.evals.worlds.truth import World
from store.clock import clock

LEAST_POINTS = 2
WORDINGS = ("Summarize what was said between {a} and {b}.", "Summarise {a} to {b}.")


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give spans with two planted points or more; a point is a word that stands for what was stated or mentioned."""
    for _ in range(20 * most):
        a, b = draft.stretch(90, 240)
        planted = list(_planted(draft.world))
        inside = [row for row in planted if a <= row.t0 and row.t1 <= b]
        points = sorted({row.point for row in inside if row.point})
        if len(points) < LEAST_POINTS or any(row.t0 < b and a < row.t1 for row in planted if row not in inside):
            draft.left_out["too few points, or one over the edge"] += 1
            continue
        plan = (
            ["transcript", {"start": a / 1000, "end": b / 1000}],
            ["fuse", {"anchor": "transcript", "answer_schema": "summary"}],
        )
        told = sorted((row for row in inside if row.point), key=lambda row: row.t0)
        yield draft.item(
            "text",
            "span",
            draft.rng.choice(WORDINGS).format(a=clock(a), b=clock(b)),
            points,
            Asked(span=(a, b)),
            reference=" ".join(_words(draft, row.t0, row.speaker) for row in told),
            facts=tuple(points),
            evidence=tuple(("transcript", row.t0, row.t1) for row in told),
            plan=plan,
        )
        if draft.made >= most:
            return


@dataclass(frozen=True, slots=True)
class _Planted:
    """One planted turn, and the word that stands for it; none for what was only asked or denied."""

    t0: int
    t1: int
    speaker: str
    point: str | None


def _planted(world: World) -> Iterator[_Planted]:
    yield from (_Planted(f.t0, f.t1, f.speaker, f.entity) for f in world.facts)
    yield from (_Planted(m.t0, m.t1, m.speaker, m.topic) for m in world.mentions)
    yield from (_Planted(a.t0, a.t1, a.speaker, None) for a in world.asides)


def _words(draft: Draft, t0: int, speaker: str) -> str:
    return next(s.text for s in draft.world.segments if (s.t0, s.speaker) == (t0, speaker))
