"""`speakers ID`: the voices with names, aliases and talk time, who they may be, and what people change about them."""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument, recording_argument
from agent.front.output import emit, emit_json, say
from agent.front.summary import VOICES, suggestion_json, suggestion_line, voice_json, voice_row
from store.errors import UsageError

if TYPE_CHECKING:
    import sqlite3

    from store.database import Database
    from store.record import Span
    from store.recordings import Recording

_SPLIT = re.compile(r"(?P<voice>.+)@(?P<spans>[\d:.,\s–-]+)(?:=(?P<name>.*))?", re.DOTALL)


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording and the changes."""
    recording_argument(parser)
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--rename", metavar="A=B", help="give the voice A (name or label) the name B")
    change.add_argument("--alias", metavar="A=B", help="let the voice A also be asked for as B")
    change.add_argument("--merge", metavar="A+B", help="the voices A and B are one person: B becomes part of A")
    change.add_argument(
        "--split", metavar="A@12:34-20:00=B", help="what A says within these times (or several, with commas) is B's"
    )
    change.add_argument("--undo", action="store_true", help="take back the latest of these changes")
    change.add_argument("--edits", action="store_true", help="list the changes that stand")
    json_argument(parser)


def run(options: Namespace) -> int:
    """Change voices if asked to, then list them."""
    from store import recordings

    library = database(options)
    with library.reader() as connection:
        recording = recordings.find(connection, options.recording)
    if options.edits:
        return _edits(library, recording, as_json=options.json)
    changed = _change(library, recording, options)
    if changed:
        say(changed)
    return _voices(library, recording, as_json=options.json)


def pair(given: str, between: str, form: str) -> tuple[str, str]:
    """Read two voices or names; UsageError when the text is no such pair."""
    first, found, second = (part.strip() for part in given.partition(between))
    if not (found and first and second):
        raise UsageError(f"'{given}' is not {form}")
    return first, second


def split_of(given: str) -> tuple[str, list["Span"], str | None]:
    """Read `A@12:34-20:00,31:00-32:10=B`; UsageError when it is none, the name may be left out."""
    from agent.front.play import moment

    found = _SPLIT.fullmatch(given)
    if found is None:
        raise UsageError(f"'{given}' is not A@12:34-20:00=B: the voice, its times, and who it is then")
    spans = [part.strip() for part in found["spans"].split(",")]
    open_ended = next((part for part in spans if not re.search(r"\d\s*[-–]\s*\d", part)), None)
    if open_ended is not None:
        raise UsageError(f"'{open_ended}' in '{given}' has no end; write 12:34-20:00")
    return found["voice"].strip(), [moment(part) for part in spans], (found["name"] or "").strip() or None


def _change(library: "Database", recording: "Recording", options: Namespace) -> str | None:
    """Make the change that was asked for, and say it; None where none was."""
    from store import edits
    from tools.voicing.edits import told

    change = _chosen(options)
    if change is None:
        return None
    with library.writing() as connection:
        if options.undo:
            return f"undone: {told(edits.undo(connection, recording.id))}"
        before = len(edits.edits(connection, recording.id))
        change(connection, recording.id)
        made = edits.edits(connection, recording.id)[before:]
    return "; ".join([*map(told, made), "--undo takes it back"]) if made else "nothing changes"


def _chosen(options: Namespace) -> "Callable[[sqlite3.Connection, int], object] | None":
    """Give what makes the change; UsageError when it was not understood."""
    from store import edits

    if options.rename is not None:
        old, new = pair(options.rename, "=", "A=B: the voice as it is called now, and its new name")
        return lambda connection, rec_id: edits.rename(connection, rec_id, old, new)
    if options.alias is not None:
        voice, alias = pair(options.alias, "=", "A=B: the voice as it is called now, and another name for it")
        return lambda connection, rec_id: edits.add_alias(connection, rec_id, voice, alias)
    if options.merge is not None:
        first, second = pair(options.merge, "+", "A+B: the voice that stays, and the one that is part of it")
        return lambda connection, rec_id: edits.merge(connection, rec_id, first, second)
    if options.split is not None:
        one, spans, name = split_of(options.split)
        return lambda connection, rec_id: edits.split(connection, rec_id, one, spans, name)
    return edits.undo if options.undo else None


def _edits(library: "Database", recording: "Recording", *, as_json: bool) -> int:
    from tools.voicing.edits import standing

    with library.reader() as connection:
        found = standing(connection, recording.id)
    if as_json:
        emit_json([{"action": s.edit.action, "what": s.line(), "at": s.edit.at, "applied": s.applied} for s in found])
    else:
        for one in found:
            emit(f"{one.edit.at}  {one.line()}")
    return 0


def _voices(library: "Database", recording: "Recording", *, as_json: bool) -> int:
    from store.catalog import catalog
    from tools.voicing.suggestions import suggestions

    with library.reader() as connection:
        (entry,) = catalog(connection, [recording]).recordings
        found = suggestions(connection, entry)
    if as_json:
        by_voice = {
            voice.label: [suggestion_json(s) for s in found if s.label == voice.label] for voice in entry.voices
        }
        emit_json([voice_json(voice) | {"suggestions": by_voice[voice.label]} for voice in entry.voices])
    else:
        from agent.front.render import table

        table(VOICES, map(voice_row, entry.voices))
        for one in found:
            emit(suggestion_line(one))
    return 0


COMMAND = Command("speakers", "list the voices of a recording, name, merge or split them", arguments, run)
