"""`eval run|diff|model`: a suite of your own cases, two reports held against each other, a model measured."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping

from agent.front.command import Command
from agent.front.commands import eval_diff, eval_model, eval_run

_ACTIONS: Mapping[str, Callable[[Namespace], int]] = {
    "run": eval_run.run,
    "diff": eval_diff.run,
    "model": eval_model.run,
}


def arguments(parser: ArgumentParser) -> None:
    """Declare the three actions."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    eval_run.arguments(actions.add_parser("run", help="ask every case of a suite, and say which replies are wrong"))
    eval_diff.arguments(
        actions.add_parser("diff", help="say which cases newly fail or pass from one report to another")
    )
    eval_model.arguments(actions.add_parser("model", help="ask a model a set of questions about made recordings"))


def run(options: Namespace) -> int:
    """Do what is asked, and give its exit code."""
    return _ACTIONS[options.action](options)


COMMAND = Command("eval", "run suites of cases, compare reports, measure a model", arguments, run)
