"""`eval diff A B`: what became of each case from one report to another, of a suite or of a measured model."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from agent.front.output import emit
from store.errors import Exit


def arguments(parser: ArgumentParser) -> None:
    """Declare the two reports."""
    parser.add_argument("before", metavar="A", help="a report.json, or a folder that holds one")
    parser.add_argument("after", metavar="B", help="another one")


def run(options: Namespace) -> int:
    """Print what differs; 1 when a case newly fails."""
    from agent.evals.suites.difference import Difference
    from agent.evals.suites.report import known

    found = Difference.of(known(Path(options.before)), known(Path(options.after)))
    emit("\n".join(found.lines))
    return int(Exit.DATA if found.newly_failing else Exit.DONE)
