"""Markdown, for a pull request: the verdict, the figures, and what failed."""

import re

from agent.evals.suites.report import Report
from tools.sanitize import one_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&!])")
_LONGEST = 300


def markdown(report: Report) -> str:
    """Give the report as Markdown."""
    lines = [f"# {escaped(report.suite)}", "", f"**{escaped(report.verdict.line)}**", ""]
    lines += [f"Asked of {escaped(report.agent)}, seed {report.seed}.", "", "| figure | |", "|---|---:|"]
    lines += [f"| {escaped(name)} | {_figure(value)} |" for name, value in report.figures.items()]
    lines += ["", "| case | outcome | question | why |", "|---|---|---|---|"]
    for one in report.results:
        outcome = one.outcome if one.outcome == "passed" else f"**{one.outcome}**"
        cells = [escaped(one.case.id), outcome, escaped(one.case.question), escaped("; ".join(one.reasons))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Give text that Markdown shows as it is, on one line."""
    line = one_line(text)
    return _SPECIAL.sub(r"\\\1", line if len(line) <= _LONGEST else f"{line[:_LONGEST]}...")


def _figure(value: float | int | None) -> str:
    return "" if value is None else f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
