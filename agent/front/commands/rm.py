"""`rm ID`: one recording leaves the library with its rows, traces, conversations and copies, and the chat history."""

from argparse import ArgumentParser, Namespace

from agent.front.command import Command, database, recording_argument
from agent.front.output import agreed, interactive, say
from store.errors import UsageError


def arguments(parser: ArgumentParser) -> None:
    """Declare which recording, and --yes."""
    recording_argument(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(options: Namespace) -> int:
    """Remove one recording after a yes; the audio file itself is never touched."""
    from store import recordings
    from store.removal import remove

    library = database(options)
    with library.reader() as connection:
        recording = recordings.find(connection, options.recording)
    if not options.yes and not _confirmed(f"remove {recording.public_id} ({recording.title}) from the library?"):
        say("nothing removed")
        return 1
    remove(library, recording)
    say(f"removed {recording.public_id}, the conversations that could read it, and what was typed in chats")
    return 0


def _confirmed(question: str) -> bool:
    if not interactive():
        raise UsageError("rm asks before it removes, and nobody can be asked here; give --yes")
    return agreed(question)


COMMAND = Command("rm", "remove one recording from the library", arguments, run)
