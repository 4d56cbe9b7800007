"""order: three to six sounds by their first occurrence."""

from collections.abc import Iterator

from agent.evals.tasks.item import Asked, Draft, Item
from agent.evals.worlds.truth import World

WORDINGS = (
    "What is the order of first occurrence for: {numbered}",
    "Put these sounds in the order in which they were first heard: {listed}.",
    "In which order were these sounds first heard: {numbered}",
)
NEAR_MS = 500


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give items; sounds that begin nearly together are never asked for together."""
    firsts = onsets(draft.world)
    for _ in range(20 * most):
        labels = draft.rng.sample(sorted(firsts), min(len(firsts), draft.rng.randint(3, 6)))
        right = sorted(labels, key=lambda label: firsts[label])
        if any(firsts[b] - firsts[a] < NEAR_MS for a, b in zip(right, right[1:], strict=False)):
            draft.left_out["two sounds begin together"] += 1
            continue
        numbered = " ".join(f"({n}) {label}" for n, label in enumerate(labels, 1))
        listed = ", ".join(label.lower() for label in labels)
        text = draft.rng.choice(WORDINGS).format(numbered=numbered, listed=listed)
        plan = (
            ["events", {"labels": labels}],
            [
                "fuse",
                {
                    "anchor": "events",
                    "aggregate": "first_occurrence",
                    "group": "label",
                    "order": "value",
                    "answer_schema": "order",
                },
            ],
        )
        kind = f"{len(labels)} sounds"
        yield draft.item("labels", kind, text, right, Asked(labels=tuple(labels)), plan=plan)
        if draft.made >= most:
            return


def onsets(world: World) -> dict[str, int]:
    """Give when each sound is first heard."""
    found: dict[str, int] = {}
    for event in world.events:
        found[event.label] = min(event.t0, found.get(event.label, event.t0))
    return found
