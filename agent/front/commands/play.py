"""`play`: hear a moment of a recording."""

from argparse import ArgumentParser, Namespace

from agent.front.command import Command, database, recording_argument
from agent.front.output import say


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording and the moment."""
    recording_argument(parser)
    parser.add_argument("moment", metavar="12:34", help="a time (15 seconds from there) or a stretch, 12:34-12:50")


def run(options: Namespace) -> int:
    """Play it until it ends or Ctrl-C."""
    from agent.front.play import play

    say(play(database(options), options.recording, options.moment))
    return 0


COMMAND = Command("play", "hear a moment of a recording", arguments, run)
