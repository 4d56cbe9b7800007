"""`chat`: questions one after the other, with the evidence to play and a way back from a vague one.

A file that was not heard yet is heard in the background, and answered from what was heard so far.
"""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.asking import Asker, brain_argument, second_listen_argument
from agent.front.command import Command
from store.errors import NotFound

if TYPE_CHECKING:
    from agent.library import Library
    from store.threads import Thread


def arguments(parser: ArgumentParser) -> None:
    """Declare what is talked about, and who thinks."""
    parser.add_argument("recording", nargs="?", metavar="ID|FILE", help="a recording, or a file to hear meanwhile")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("-c", "--continue", dest="last", action="store_true", help="go on with the last conversation")
    kept.add_argument("-r", "--resume", metavar="CHAT", help="go on with this one; /threads lists them")
    brain_argument(parser)
    second_listen_argument(parser)


def run(options: Namespace) -> int:
    """Talk until /exit, Ctrl-D or the end of the input."""
    from agent.front.chat import loop
    from agent.front.chat.background import Background
    from agent.front.chat.lines import lines
    from agent.front.chat.screen import Screen
    from agent.front.chat.talk import Talk
    from agent.threads.conversation import conversation

    asker, screen = Asker(options), Screen()
    folder = asker.library.folder
    thread = _thread(folder, options)
    key = options.recording or (thread.recording if thread else None)
    file = _file(asker.library, key)
    background = Background(asker.library.database, file) if file else None
    try:
        recording = background.begin(screen.note) if background else _recording(asker.library, key, thread)
        screen.note(f"Ask {recording or 'the whole library'}; /help shows the commands, Ctrl-D leaves.")
        dialogue = conversation(folder, thread.id if thread else None, recording)
        talk = Talk(asker.library.database, asker, lines(folder), screen, recording, dialogue)
        talk.background = background
        if thread:
            talk.go_on()
        return int(loop.run(talk))
    finally:
        if background:
            background.leave(screen.note)


def _thread(folder: Path, options: Namespace) -> "Thread | None":
    """Give the conversation that is gone on with; NotFound when there is none."""
    from store.threads import Threads

    threads = Threads(folder)
    if options.resume:
        return threads.find(options.resume)
    if not options.last:
        return None
    last = next(iter(threads.every()), None)
    if last is None:
        raise NotFound("no conversation was held yet; chat without -c begins one")
    return last


def _file(library: "Library", key: str | None) -> Path | None:
    """Give the file that is meant, where it is no recording's id or title; NotFound when it is neither."""
    if key is None:
        return None
    try:
        library.recording(key)
    except NotFound as error:
        if os.path.isfile(key):  # noqa: PTH113 - a name too long for a file is none, where Path.is_file raises
            return Path(key)
        raise NotFound(f"{error}; nor is it a file to hear") from None
    return None


def _recording(library: "Library", key: str | None, thread: "Thread | None") -> str | None:
    if key is None:
        every = [] if thread else library.recordings()
        return every[0].public_id if len(every) == 1 else None
    return library.recording(key).public_id


COMMAND = Command("chat", "talk with a recording: questions, evidence, commands", arguments, run)
