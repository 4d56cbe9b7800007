"""`doctor`: what this machine can do."""

from argparse import ArgumentParser, Namespace

from agent.front.command import Command, folder
from agent.front.output import emit


def arguments(parser: ArgumentParser) -> None:
    """Declare nothing: the doctor looks at everything."""


def run(options: Namespace) -> int:
    """Say each check as it is done."""
    from agent.front.doctor import report

    return int(report(folder(options).resolve(), emit))


COMMAND = Command("doctor", "say what this machine can do, and what is missing", arguments, run)
