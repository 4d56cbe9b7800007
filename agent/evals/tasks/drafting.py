"""All tasks' items of a world, held against an independent way to the same answers before anybody is asked."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from agent.evals.tasks import constrained, count, diarization, emotion, events, mcqa, order, qa, rederive, summary
from agent.evals.tasks.item import TASKS, Draft, Item, Task
from agent.evals.worlds.truth import World

MAKERS: Mapping[Task, Callable[[Draft, int], Iterator[Item]]] = {
    "qa": qa.items,
    "mcqa": mcqa.items,
    "summary": summary.items,
    "emotion": emotion.items,
    "diarization": diarization.items,
    "events": events.items,
    "count": count.items,
    "order": order.items,
    "constrained": constrained.items,
}


def items(world: World, most: int, tasks: Sequence[Task] = TASKS, left_out: "Counter[str] | None" = None) -> list[Item]:
    """Give at most so many items of each task; ValueError names every gold answer that does not come out again.

    What was left out for a tie or the like is counted in `left_out`, by task and reason.
    """
    made: list[Item] = []
    for task in tasks:
        draft = Draft(world, task)
        made += MAKERS[task](draft, most)
        if left_out is not None:
            left_out.update({f"{task}: {why}": times for why, times in draft.left_out.items()})
    if wrong := rederive.disagreements(made, world):
        raise ValueError(f"gold answers that do not come out again: {'; '.join(wrong)}")
    return made
