"""The nine tasks' records as tables: what came of each task by length and preset, and what the replies stood on."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent.evals.report.found import Row, Table, figure
from agent.evals.statistics.intervals import FEWEST, Interval, bootstrap, drawable
from agent.evals.tasks.item import TASKS
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import DECIDED, grouped, slope, summary

PLAIN = (
    "parsed", "abstention", "false_refusal", "rs_0", "rs_10", "rs_n",
)  # fmt: skip
GROUNDS = ("plan", "recall", "precision", "citations", "proven", "topline", "ece", "aurc", "calls")
_OWN_LESS = {*PLAIN, *GROUNDS, "n", "score", "right", "accuracy", "tokens_in", "tokens_out", "seconds"}
HEADS = ("score [95 %]", "right", "parsed", "abstention", "false refusal", "RS(0)", "RS(10)", "RS(N)")
GROUND_HEADS = (
    "plan accuracy", "evidence recall", "evidence precision", "citation precision", "proofs valid", "topline", "ECE",
    "AURC", "calls", "points lost with length", "of its own",
)  # fmt: skip
# A bootstrap over fewer worlds says more of the worlds than of chance, so items are drawn instead.
NOTE = (
    "Score is the task's own metric from 0 to 1 (answers without the form score 0); right is a score of 0.9 or more. "
    f"Intervals are of a bootstrap over worlds, over items where there are fewer than {FEWEST}."
)


def tables(records: Sequence[Record]) -> Iterator[Table]:
    """Give two tables a preset: results by task and length, and grounds by task over all lengths."""
    for preset, found in grouped(records, "preset").items():
        yield Table(f"Streams: {preset}", ("task", "min", "n", *HEADS), tuple(_results(found)), NOTE)
        columns = ("task", "n", *GROUND_HEADS)
        yield Table(f"Streams: {preset}, what replies stood on", columns, tuple(_grounds(found)))


def sure(records: Sequence[Record]) -> Interval:
    """Give the mean score with its interval."""
    return bootstrap([one.score for one in records], worlds(records))


def worlds(records: Sequence[Record]) -> Sequence[int] | None:
    """Give the world of each record, to draw whole worlds; None where they are too few to be drawn from."""
    return drawable([one.seed for one in records])


def by_task(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Give the records of each task, in the tasks' order."""
    found = grouped(records, "task")
    return ((task, found[task]) for task in TASKS if task in found)


def _results(records: Sequence[Record]) -> Iterator[Row]:
    for task, of_task in by_task(records):
        for minutes, found in sorted(grouped(of_task, "minutes").items()):
            yield _result(task, minutes, found, summary(found))
    for minutes, found in sorted(grouped([r for r in records if r.task in DECIDED], "minutes").items()):
        yield _result("all that are right or wrong", minutes, found, summary(found))


def _result(task: str, minutes: float, found: Sequence[Record], figures: dict[str, Any]) -> Row:
    plain = (figure(figures[name]) for name in ("right", *PLAIN))
    return (task, f"{minutes:g}", str(len(found)), str(sure(found)), *plain)


def _grounds(records: Sequence[Record]) -> Iterator[Row]:
    for task, found in by_task(records):
        figures = summary(found)
        own = ", ".join(f"{name} {figure(value)}" for name, value in figures.items() if name not in _OWN_LESS)
        lost = slope(found)
        yield (
            task, str(len(found)), *(figure(figures[name]) for name in GROUNDS),
            "-" if lost is None else f"{lost:+.1f}", own,
        )  # fmt: skip
