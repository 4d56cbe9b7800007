"""`trace list|show`: which questions were asked, and how an answer came about."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from agent.front.command import Command, counted, database, json_argument
from agent.front.output import emit, emit_json


def arguments(parser: ArgumentParser) -> None:
    """Declare what to do, and with which trace."""
    words = parser.add_subparsers(metavar="list|show", required=True)
    every = words.add_parser("list", help="the latest questions, newest first")
    every.add_argument("--most", type=counted, default=20, metavar="N", help="how many (default 20)")
    every.set_defaults(part=_list)
    one = words.add_parser("show", help="the steps of one question")
    one.add_argument("trace", metavar="ID", help="the id of a trace, or a unique beginning of it")
    one.set_defaults(part=_show)
    for own in (every, one):
        json_argument(own)


def run(options: Namespace) -> int:
    """List traces, or show one."""
    options.part(options)
    return 0


def _list(options: Namespace) -> None:
    from agent.front import traces
    from agent.front.render import table
    from store.trace import latest

    with database(options).reader() as connection:
        found = latest(connection, options.most)
    if options.json:
        emit_json([asdict(trace) for trace in found])
    else:
        table(traces.LIST, traces.listed(found))


def _show(options: Namespace) -> None:
    from agent.front import traces
    from agent.front.render import table
    from store.trace import show

    with database(options).reader() as connection:
        trace = show(connection, options.trace)
    if options.json:
        emit_json(asdict(trace))
        return
    emit(traces.head(trace))
    table(traces.STEPS, traces.steps(trace))


COMMAND = Command("trace", "show which questions were asked, and how an answer came about", arguments, run)
