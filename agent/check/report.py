"""A report for people (plain, or with colours on a terminal), as JSON, and as Markdown; text of others is only text.

A difference is shown as `[-written-] {+said+}`, which reads without colours too.
"""

import io
import re
import shutil
from collections.abc import Iterator
from typing import Any

from agent.check.checking import Report
from agent.check.verdict import Change, Checked
from agent.front.render import citation_text
from store.clock import clock
from tools.sanitize import one_line

SCHEMA_VERSION = 1
_STYLES = {"verbatim": "green", "not checkable": "yellow"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~])")
_LONGEST = 240
Piece = tuple[str, str]


def as_json(report: Report) -> dict[str, Any]:
    """Give a report as JSON: times in seconds, citations as in a reply."""
    return {
        "document": report.document,
        "recording": report.recording.public_id,
        "title": report.recording.title,
        "claims": [_claim(checked) for checked in report.claims],
        "counts": dict(report.counts),
        "false": report.false,
        "notes": list(report.notes),
        "tolerance": report.tolerance,
        "schema_version": SCHEMA_VERSION,
    }


def as_text(report: Report) -> str:
    """Give a report as plain text."""
    return "\n".join("".join(text for text, _ in line) for line in _lines(report))


def as_terminal(report: Report) -> str:
    """Give a report with the terminal's colours."""
    from rich.console import Console
    from rich.text import Text

    canvas = io.StringIO()
    width = shutil.get_terminal_size().columns
    console = Console(file=canvas, width=width, force_terminal=True, markup=False, emoji=False, highlight=False)
    for line in _lines(report):
        console.print(Text.assemble(*line))
    return canvas.getvalue().rstrip("\n")


def as_markdown(report: Report) -> str:
    """Give a report as Markdown: a heading, the counts, and a table of all claims."""
    name, title = _escaped(report.document), _escaped(report.recording.title)
    lines = [f"# {name} against {title}", "", f"Recording `{report.recording.public_id}`. {_summary(report)}", ""]
    lines += [f"> {_escaped(note)}" for note in report.notes] + ([""] if report.notes else [])
    if report.claims:
        lines += ["| line | verdict | claim | why | transcript |", "|---:|---|---|---|---|"]
    for checked in report.claims:
        verdict = f"**{checked.verdict}**" if checked.false else checked.verdict
        cited = "<br>".join(_escaped(citation_text(citation)) for citation in checked.citations)
        why = " ".join([_escaped(checked.reason), *(_marked(change) for change in checked.diff)]).strip()
        lines.append(f"| {checked.claim.line} | {verdict} | {_escaped(_said(checked))} | {why} | {cited} |")
    return "\n".join(lines)


def _claim(checked: Checked) -> dict[str, Any]:
    claim = checked.claim
    return {
        "line": claim.line,
        "kind": claim.kind,
        "text": one_line(claim.text),
        "sentence": claim.sentence,
        "speakers": list(claim.names),
        "time": None if claim.moment is None else [claim.moment.t0 / 1000, claim.moment.t1 / 1000],
        "verdict": checked.verdict,
        "false": checked.false,
        "reason": checked.reason,
        "diff": [{"kind": change.kind, "text": change.text} for change in checked.diff],
        "citations": [citation.model_dump(mode="json") for citation in checked.citations],
    }


def _lines(report: Report) -> Iterator[list[Piece]]:
    title = one_line(report.recording.title)
    yield [(f"{one_line(report.document)} against {title} ({report.recording.public_id})", "bold")]
    yield [(_summary(report), "")]
    for note in report.notes:
        yield [(f"note: {one_line(note)}", "yellow")]
    for checked in report.claims:
        yield []
        style = _STYLES.get(checked.verdict, "bold red")
        yield [(f"line {checked.claim.line}  ", "dim"), (checked.verdict, style), (f": {_said(checked)}", "")]
        if checked.reason:
            yield [(f"    {one_line(checked.reason)}", "")]
        if checked.diff:
            yield [("    ", ""), *_difference(checked.diff)]
        for citation in checked.citations:
            yield [(f"    {citation_text(citation)}", "dim")]
    cited = next((c for checked in report.claims if checked.false for c in checked.citations), None)
    if cited is not None:
        yield []
        yield [(f"hear one: overheard play {cited.recording} {clock(round(cited.start * 1000))}", "dim")]


def _said(checked: Checked) -> str:
    """Give a claim as one line: quoted words in quotation marks, and who and when the document says."""
    claim = checked.claim
    text = one_line(claim.text)
    text = text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
    when = "" if claim.moment is None else f" at {clock(claim.moment.t0)}"
    who = " and ".join(map(one_line, claim.names))
    if claim.kind == "quote":
        return f'"{text}"' + (f" ({who}{when})" if who else f" ({when.strip()})" if when else "")
    if claim.kind == "number":
        return f"{text} in: {one_line(claim.sentence)}"
    return f"{text}: {one_line(claim.sentence)}" if claim.kind == "time" else f"{who} in: {one_line(claim.sentence)}"


def _summary(report: Report) -> str:
    if not report.claims:
        return "no quote, attribution, number or time was found in it: nothing to check."
    counts = ", ".join(f"{count} {verdict}" for verdict, count in report.counts.items())
    total = len(report.claims)
    return f"{total:,} claim{'s' if total > 1 else ''}: {counts}."


def _difference(diff: tuple[Change, ...]) -> Iterator[Piece]:
    for place, change in enumerate(diff):
        blank = " " if place else ""
        text = one_line(change.text)
        shape, style = {"same": ("{}", ""), "written": ("[-{}-]", "red"), "said": ("{{+{}+}}", "green")}[change.kind]
        yield blank, ""
        yield shape.format(text), style


def _marked(change: Change) -> str:
    text = _escaped(change.text)
    return {"same": text, "written": f"~~{text}~~", "said": f"**{text}**"}[change.kind]


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text))
