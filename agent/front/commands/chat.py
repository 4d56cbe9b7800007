"""`chat`: questions one after the other, with the evidence to play and a way back from a vague one."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.asking import Asker, brain_argument
from agent.front.command import Command

if TYPE_CHECKING:
    from agent.library import Library


def arguments(parser: ArgumentParser) -> None:
    """Declare what is talked about, and who thinks."""
    parser.add_argument("recording", nargs="?", metavar="ID", help="a recording; without it the whole library")
    brain_argument(parser)


def run(options: Namespace) -> int:
    """Talk until /exit, Ctrl-D or the end of the input."""
    from agent.front.chat.lines import lines
    from agent.front.chat.screen import Screen
    from agent.front.chat.talk import Talk

    asker, screen = Asker(options), Screen()
    recording = _recording(asker.library, options.recording)
    screen.note(f"Ask {recording or 'the whole library'}; /help shows the commands, Ctrl-D leaves.")
    return int(Talk(asker.library.database, asker, lines(asker.library.folder), screen, recording).run())


def _recording(library: "Library", key: str | None) -> str | None:
    if key is not None:
        return library.recording(key).public_id
    every = library.recordings()
    return every[0].public_id if len(every) == 1 else None


COMMAND = Command("chat", "talk with a recording: questions, evidence, commands", arguments, run)
