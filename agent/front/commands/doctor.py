"""`doctor`: what this machine can do; `doctor endpoint`: what the chosen model can do."""

from argparse import ArgumentParser, Namespace

from agent.front.command import Command, folder
from agent.front.output import agreed, emit, interactive, say


def arguments(parser: ArgumentParser) -> None:
    """Declare what is looked at."""
    parser.add_argument(
        "what", nargs="?", choices=["endpoint"], help="endpoint: probe what the chosen endpoint's model can do"
    )


def run(options: Namespace) -> int:
    """Say each check as it is done."""
    library = folder(options).resolve()
    if options.what == "endpoint":
        from agent.front.examining import report as examined

        return int(examined(library, emit, confirm=agreed if interactive() else None, wait=say))
    from agent.front.doctor import report

    return int(report(library, emit))


COMMAND = Command("doctor", "say what this machine can do, and what is missing", arguments, run)
