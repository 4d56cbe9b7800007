"""`chat`: questions one after the other, with the evidence to play and a way back from a vague one."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.asking import Asker, brain_argument
from agent.front.command import Command
from agent.front.output import say
from store.errors import NotFound

if TYPE_CHECKING:
    from agent.library import Library


def arguments(parser: ArgumentParser) -> None:
    """Declare what is talked about, and who thinks."""
    parser.add_argument("recording", nargs="?", metavar="ID|FILE", help="a recording, or a file to hear first")
    brain_argument(parser)


def run(options: Namespace) -> int:
    """Talk until /exit, Ctrl-D or the end of the input."""
    from agent.front.chat import loop
    from agent.front.chat.lines import lines
    from agent.front.chat.screen import Screen
    from agent.front.chat.talk import Talk

    asker, screen = Asker(options), Screen()
    recording = _recording(asker.library, options.recording)
    screen.note(f"Ask {recording or 'the whole library'}; /help shows the commands, Ctrl-D leaves.")
    return int(loop.run(Talk(asker.library.database, asker, lines(asker.library.folder), screen, recording)))


def _recording(library: "Library", key: str | None) -> str | None:
    if key is None:
        every = library.recordings()
        return every[0].public_id if len(every) == 1 else None
    try:
        return library.recording(key).public_id
    except NotFound:
        if not Path(key).is_file():
            raise
        return _heard(library, Path(key))


def _heard(library: "Library", path: Path) -> str:
    from agent.front.commands.ingest import hear
    from tools.listener import Choice, load

    done = hear(library.database, path, load(Choice()))
    for note in done.notes:
        say(f"note: {note}")
    return done.recording.public_id


COMMAND = Command("chat", "talk with a recording: questions, evidence, commands", arguments, run)
