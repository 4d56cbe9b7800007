"""`speakers ID`: the voices with names, aliases and talk time; `--rename A=B`, `--alias A=B`, `--undo` change names."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument, recording_argument
from agent.front.output import emit_json, say
from agent.front.summary import VOICES, voice_json, voice_row
from store.errors import UsageError

if TYPE_CHECKING:
    from store.database import Database
    from store.recordings import Recording


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording and the changes."""
    recording_argument(parser)
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--rename", metavar="A=B", help="give the voice A (name or label) the name B")
    change.add_argument("--alias", metavar="A=B", help="let the voice A also be asked for as B")
    change.add_argument("--undo", action="store_true", help="take back the latest change of a name")
    json_argument(parser)


def run(options: Namespace) -> int:
    """Change names if asked to, then list the voices."""
    from store import recordings
    from store.catalog import catalog

    library = database(options)
    with library.reader() as connection:
        recording = recordings.find(connection, options.recording)
    changed = _change(library, recording, options)
    if changed:
        say(changed)
    with library.reader() as connection:
        (entry,) = catalog(connection, [recording]).recordings
    if options.json:
        emit_json([voice_json(voice) for voice in entry.voices])
    else:
        from agent.front.render import table

        table(VOICES, map(voice_row, entry.voices))
    return 0


def _change(library: "Database", recording: "Recording", options: Namespace) -> str | None:
    from store import speakers

    if options.undo:
        with library.writing() as connection:
            edit = speakers.undo(connection, recording.id)
        return f"undone: {edit.after.display} is {edit.before.display} again"
    for given, action, said in (
        (options.rename, speakers.rename, "is now called"),
        (options.alias, speakers.add_alias, "may also be asked for as"),
    ):
        if given is not None:
            old, new = _pair(given)
            with library.writing() as connection:
                voice = action(connection, recording.id, old, new)
            return f"{voice.label} {said} {new.strip()}; --undo takes it back"
    return None


def _pair(given: str) -> tuple[str, str]:
    old, equals, new = given.partition("=")
    if not equals or not old.strip() or not new.strip():
        raise UsageError(f"'{given}' is not A=B: the voice as it is called now, and its new name")
    return old, new


COMMAND = Command("speakers", "list the voices of a recording, or name them", arguments, run)
