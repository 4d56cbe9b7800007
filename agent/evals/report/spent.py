"""What a model would read and write for a question, as a table by task and length."""

from collections.abc import Iterator, Sequence
from statistics import median

from agent.evals.report.found import Row, Table, figure
from agent.evals.report.tasks import by_task
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import grouped

COLUMNS = ("task", "min", "n", "tokens in (median)", "tokens out (median)", "calls of a model (median)")


def table(records: Sequence[Record]) -> Table:
    """Give the table; tokens are estimated from the requests themselves, answered by the rules."""
    return Table("Tokens a question", COLUMNS, tuple(_rows(records)))


def _rows(records: Sequence[Record]) -> Iterator[Row]:
    for task, of_task in by_task(records):
        for minutes, found in sorted(grouped(of_task, "minutes").items()):
            spent = (median(one.tokens_in for one in found), median(one.tokens_out for one in found))
            calls = median(one.model_calls for one in found)
            yield (task, f"{minutes:g}", str(len(found)), *(f"{value:,.0f}" for value in spent), figure(calls))
