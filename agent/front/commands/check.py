"""`check FILE ID`: minutes, an article or a summary against the recording, every quote, name, number and time."""

import math
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument, recording_argument
from agent.front.output import drawn, emit, emit_json
from store.errors import Exit, UsageError

if TYPE_CHECKING:
    from agent.check.checking import Report
    from agent.check.document import Document

STDIN = "-"
FORMATS = ("text", "json", "md")
TOLERANCE_S = 5.0


def arguments(parser: ArgumentParser) -> None:
    """Declare the document, the recording, how far a time may be off, and the form of the report."""
    parser.add_argument("file", metavar="FILE", help="plain text, Markdown, or a reply's JSON; - : from stdin")
    recording_argument(parser)
    parser.add_argument(
        "--tolerance",
        metavar="SECONDS",
        type=float,
        default=TOLERANCE_S,
        help="how far a written time may be off (default 5: people stop players late, and word times are rounded)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="text (default), json or md")
    json_argument(parser)


def run(options: Namespace) -> int:
    """Check, print the report, and give 1 when the recording contradicts a claim, else 0."""
    from agent.check.checking import check

    if not (math.isfinite(options.tolerance) and options.tolerance >= 0):
        raise UsageError(f"--tolerance takes seconds, 0 or more, not {options.tolerance}")
    report = check(database(options), options.recording, _document(options.file), options.tolerance)
    _print(report, "json" if options.json else options.format)
    return int(Exit.DATA if report.false else Exit.DONE)


def _document(name: str) -> "Document":
    from agent.check.document import MAX_BYTES, document, read

    if name != STDIN:
        return read(Path(name))
    source = getattr(sys.stdin, "buffer", None)
    raw = source.read(MAX_BYTES + 1) if source is not None else sys.stdin.read(MAX_BYTES + 1).encode("utf-8", "replace")
    return document("stdin", raw)


def _print(report: "Report", form: str) -> None:
    from agent.check import report as forms

    if form == "json":
        emit_json(forms.as_json(report))
    elif form == "md":
        emit(forms.as_markdown(report))
    elif sys.stdout.isatty():
        drawn(forms.as_terminal(report) + "\n")
    else:
        emit(forms.as_text(report))


COMMAND = Command("check", "hold minutes, an article or a summary against a recording", arguments, run)
