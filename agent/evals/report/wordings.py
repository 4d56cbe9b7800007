"""Items in the wordings of other people, as a table: right of all, and items of which every wording is right."""

from collections.abc import Sequence

from agent.evals.report.found import Check, Found, Row, Table, figure
from agent.evals.report.tasks import by_task
from agent.evals.statistics.intervals import wilson
from agent.evals.tasks.record import Record
from agent.evals.tasks.wordings import of_items, whole


def found(name: str, records: Sequence[Record]) -> Found:
    """Give the table of one bank of wordings."""
    sizes = {len(some) for some in of_items(records).values()}
    size = str(sizes.pop()) if len(sizes) == 1 else "k"
    columns = ("task", "items", "wordings", "wordings right [95 %]", f"all {size} right (paraphrase^{size}) [95 %]")
    rows = [_row(task, some) for task, some in by_task(records)]
    table = Table(f"Wordings of the bank '{name}'", columns, (*rows, _row("all", records)))
    items = whole(records)
    checks = (
        Check(f"{name}: wordings right", sum(one.right for one in records) / len(records)),
        Check(f"{name}: paraphrase^{size}", sum(items) / len(items), note=f"{len(items)} items"),
    )
    return Found((table,), checks)


def _row(task: str, records: Sequence[Record]) -> Row:
    items = whole(records)
    right = [one.right for one in records]
    return (task, str(len(items)), str(len(records)), _share(right), _share(items))


def _share(hits: Sequence[bool]) -> str:
    low, high = wilson(sum(hits), len(hits))
    return f"{figure(sum(hits) / len(hits))} [{low:.3f}, {high:.3f}]"
