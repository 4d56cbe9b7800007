"""Where points are lost, as a table: a column an answerer or a task, a row a stage."""

from collections.abc import Mapping, Sequence

from agent.evals.report.found import Table
from agent.evals.statistics.decomposition import Record, decompose


def table(records: Mapping[str, Sequence[Record]], more: Mapping[str, Sequence[str]] | None = None) -> Table:
    """Give the shares of each column's items; `more` are rows below, a cell for each column."""
    shares = {name: decompose(found).shares for name, found in records.items()}
    first = next(iter(shares.values()))
    rows = [(stage, *(found[stage] for found in shares.values())) for stage in first]
    rows += [(name, *cells) for name, cells in (more or {}).items()]
    heads = (f"{name}, n = {len(found)}" for name, found in records.items())
    return Table("Share of items [95 %]", ("stage", *heads), tuple(rows))
