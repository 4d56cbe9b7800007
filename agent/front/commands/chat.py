"""`chat`: questions one after the other, with the evidence to play and a way back from a vague one."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.command import Command, folder
from agent.front.output import interactive, say

if TYPE_CHECKING:
    from agent.library import Library


def arguments(parser: ArgumentParser) -> None:
    """Declare what is talked about, and who thinks."""
    parser.add_argument("recording", nargs="?", metavar="ID", help="a recording; without it the whole library")
    parser.add_argument("--brain", metavar="NAME", help="rules or openai; else what the environment chooses")


def run(options: Namespace) -> int:
    """Talk until /exit, Ctrl-D or the end of the input."""
    from agent.ask import ask
    from agent.brains.choose import choose
    from agent.front.chat.lines import lines
    from agent.front.chat.screen import Screen
    from agent.front.chat.talk import Talk
    from agent.library import Library

    library = Library(folder(options).resolve())
    recording = _recording(library, options.recording)
    choice = choose(library.folder, options.brain, confirm=_confirm if interactive() else None, say=say)
    if choice.notice:
        say(choice.notice)
    brain, screen = choice.brain(), Screen()
    talk = Talk(
        library.database,
        lambda text, key, watch: ask(library, text, recording=key, brain=brain, on_event=watch),
        lines(library.folder),
        screen,
        recording,
    )
    screen.note(f"Ask {recording or 'the whole library'}; /help shows the commands, Ctrl-D leaves.")
    return int(talk.run())


def _recording(library: "Library", key: str | None) -> str | None:
    if key is not None:
        return library.recording(key).public_id
    every = library.recordings()
    return every[0].public_id if len(every) == 1 else None


def _confirm(question: str) -> bool:
    say(f"{question} [y/N]")
    return input().strip().lower() in ("y", "yes")


COMMAND = Command("chat", "talk with a recording: questions, evidence, commands", arguments, run)
