"""Tables as Markdown, with nothing in a cell that would end it."""

from collections.abc import Iterator, Sequence

from agent.evals.report.found import SIGNS, Check, Row, Table, figure
from tools.sanitize import one_line

BAR_COLUMNS = ("bar", "value", "asked", "verdict", "how")
FIGURE_COLUMNS = ("figure", "value", "better is", "how")


def table(found: Table, level: int = 4) -> Iterator[str]:
    """Give a table's lines, under its title."""
    yield f"{'#' * level} {found.title}"
    yield ""
    if found.note:
        yield found.note
        yield ""
    yield from grid(found.columns, found.rows)
    yield ""


def grid(columns: Row, rows: Sequence[Row]) -> Iterator[str]:
    """Give the lines of a table."""
    yield _line(columns)
    yield _line(["---"] * len(columns))
    yield from (_line(row) for row in rows)


def bars(checks: Sequence[Check]) -> Iterator[str]:
    """Give the bars that the specification asks for, with their verdicts."""
    asked = [one for one in checks if one.bar is not None]
    rows = [(c.name, figure(c.value), f"{SIGNS[c.side]} {c.bar:g}", c.verdict, c.note) for c in asked]
    yield from grid(BAR_COLUMNS, rows)


def figures(checks: Sequence[Check]) -> Iterator[str]:
    """Give the figures without a bar that have a floor."""
    plain = [one for one in checks if one.bar is None]
    way = {"at least": "more", "above": "more", "at most": "less"}
    yield from grid(FIGURE_COLUMNS, [(c.name, figure(c.value), way[c.side], c.note) for c in plain])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"
