"""Records of questions about sound that was made and heard: tables of the tasks, of what was lost, and the bars."""

from collections import Counter
from collections.abc import Iterator, Sequence

from agent.evals.report import tasks
from agent.evals.report.found import Check, Found, Table
from agent.evals.report.stages import table
from agent.evals.statistics.decomposition import Record as Lost
from agent.evals.tasks.item import Task
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import DECIDED, grouped, rs

BARS: dict[Task, float] = {"count": 0.85, "order": 0.80}
RS_10 = 70.0


def heard(records: Sequence[Record]) -> Found:
    """Give what was found of recordings that were made and heard."""
    made = {(one.minutes, one.seed) for one in records}
    settings = f"{len(made)} recordings, N = {len(records)} items"
    return Found((*tasks.tables(records), *_lost(records)), tuple(_bars(records)), settings)


def _lost(records: Sequence[Record]) -> Iterator[Table]:
    """Give where the points of each task went, and which stream was heard wrongly."""
    known = grouped([one for one in records if one.stages is not None], "task")
    if known:
        lost = {task: [Lost(**(one.stages or {})) for one in found] for task, found in known.items()}
        blamed = [Counter(one.blamed for one in found if one.blamed is not None) for found in known.values()]
        told = [", ".join(f"{name} {n}" for name, n in sorted(one.items())) or "nothing" for one in blamed]
        yield table(lost, {"heard wrongly": told})


def _bars(records: Sequence[Record]) -> Iterator[Check]:
    for task, bar in BARS.items():
        found = [one.score for one in records if one.task == task]
        if found:
            yield Check(f"made audio: {task}", sum(found) / len(found), "at least", bar, f"{len(found)} items")
    decided = [one for one in records if one.task in DECIDED]
    if decided:
        yield Check("made audio: RS(10)", rs(decided, 10), "at least", RS_10, f"{len(decided)} items right or wrong")
