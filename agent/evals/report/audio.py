"""Records of questions about sound that was made and heard: the tables of the tasks, and the bars of this column."""

from collections.abc import Iterator, Sequence

from agent.evals.report import tasks
from agent.evals.report.found import Check, Found
from agent.evals.tasks.item import Task
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import DECIDED, rs

BARS: dict[Task, float] = {"count": 0.85, "order": 0.80}
RS_10 = 70.0


def heard(records: Sequence[Record]) -> Found:
    """Give what was found of recordings that were made and heard."""
    seeds = sorted({one.seed for one in records})
    settings = f"{len(seeds)} recordings, N = {len(records)} items"
    return Found(tuple(tasks.tables(records)), tuple(_bars(records)), settings)


def _bars(records: Sequence[Record]) -> Iterator[Check]:
    for task, bar in BARS.items():
        found = [one.score for one in records if one.task == task]
        if found:
            yield Check(f"made audio: {task}", sum(found) / len(found), "at least", bar, f"{len(found)} items")
    decided = [one for one in records if one.task in DECIDED]
    if decided:
        yield Check("made audio: RS(10)", rs(decided, 10), "at least", RS_10, f"{len(decided)} items right or wrong")
