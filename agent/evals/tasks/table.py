"""Tables of records: task by length and preset, what each task measures besides, and how it fails."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent.evals.tasks.item import EVERY
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import DECIDED, grouped, rs, slope, summary

COLUMNS = (
    "n",
    "score",
    "right",
    "parsed",
    "abstention",
    "false_refusal",
    "rs_10",
    "ece",
    "plan",
    "recall",
    "precision",
)
LAST = ("citations", "proven", "tokens_in", "calls", "seconds")
_PLAIN = {*COLUMNS, *LAST, "accuracy", "rs_0", "rs_n", "tokens_out", "topline"}


def lines(records: Sequence[Record]) -> Iterator[str]:
    """Give the table's lines."""
    for preset, of_preset in grouped(records, "preset").items():
        yield f"\n{preset}"
        yield f"{'task':12}{'min':>6} " + " ".join(f"{name[:9]:>9}" for name in (*COLUMNS, *LAST)) + "  of its own"
        by_task = grouped(of_preset, "task")
        for task in (task for task in EVERY if task in by_task):
            for minutes, rows in sorted(grouped(by_task[task], "minutes").items()):
                yield _line(task, minutes, summary(rows))
        yield from _whole(of_preset)


def _line(task: str, minutes: float, figures: dict[str, Any]) -> str:
    own = {name: value for name, value in figures.items() if name not in _PLAIN}
    if figures["topline"] is not None:
        own = {"topline": figures["topline"]} | own
    cells = " ".join(f"{_cell(figures[name]):>9}" for name in (*COLUMNS, *LAST))
    return f"{task:12}{minutes:6g} {cells}  {' '.join(f'{name} {_cell(value)}' for name, value in own.items())}"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.3f}"


def _whole(records: Sequence[Record]) -> Iterator[str]:
    """Give RS over the tasks that are right or wrong, and how each task falls with length."""
    for minutes, rows in sorted(grouped([r for r in records if r.task in DECIDED], "minutes").items()):
        costs = ", ".join(f"RS({name}) {rs(rows, cost):.1f}" for name, cost in (("0", 0), ("10", 10), ("N", len(rows))))
        yield f"{minutes:g} min, {len(rows)} items that are right or wrong: {costs}"
    falls = {task: slope(rows) for task, rows in grouped(records, "task").items()}
    told = ", ".join(f"{task} {fall:+.1f}" for task, fall in falls.items() if fall is not None)
    if told:
        yield f"points lost from the shortest to the longest: {told}"


def failures(records: Sequence[Record], most: int = 40) -> Iterator[str]:
    """Give what was not right under clean streams, by task and kind: how many, and the first questions with replies."""
    wrong = [r for r in records if r.preset == "clean" and (not r.right or r.proven is False)]
    shown = 0
    for (task, kind), rows in sorted(grouped(wrong, "task", "kind").items()):
        of = sum(r.task == task and r.kind == kind and r.preset == "clean" for r in records)
        yield f"{task}, {kind}: {len(rows)} of {of}"
        for one in rows[:3]:
            if shown < most:
                shown += 1
                said = (
                    f"{one.status} {one.reason or ''} {str(one.value)[:80]!r} | {one.answer[:120]!r} {one.proof or ''}"
                )
                yield f"    {one.id} {one.question} [{str(one.gold)[:80]}] {','.join(one.decoys)} -> {said}"
