"""A kept version is asked again: words and emotions follow the turns that are asked, and nothing is heard."""

import sqlite3
from collections.abc import Sequence

from store import streams
from store.clock import clock
from store.database import Database
from store.errors import DataError, NotFound
from store.record import StreamKind, Turn
from store.recordings import Recording
from store.versions import Version, versions
from tools.listening import settle
from tools.listening.kept import Kept
from tools.voicing import edits


def use(database: Database, recording: Recording, kind: StreamKind, number: int) -> str:
    """Make the version of a stream with this number the one that is asked, and say what that changed.

    NotFound when there is none, DataError when it, or the recording, is not heard to its end.
    """
    if recording.state != "ready":
        raise DataError(f"{recording.title} is heard to {clock(recording.heard_ms)} only; ingest goes on with it")
    with database.writing() as connection:
        known = Kept(versions(connection, recording.id), recording.duration_ms)
        there = {version.number: version for version in known.versions if version.kind == kind}
        if number not in there:
            raise NotFound(f"there is no version {number} of {kind}; there are: {', '.join(map(str, there)) or 'none'}")
        version = there[number]
        if version.active:
            return f"{kind}: version {number} ({version.source.model}) is asked already"
        if version in known.unfinished():
            raise DataError(f"version {number} of {kind} is heard to {clock(version.heard_ms)} only")
        ask(connection, recording, version)
    return f"{kind}: version {number} ({version.source.model}) is asked now"


def ask(connection: sqlite3.Connection, recording: Recording, kept: Version) -> None:
    """Make a kept version the one that is asked, in a transaction of the caller's."""
    streams.activate(connection, kept.id)
    speaker = Kept(versions(connection, recording.id), recording.duration_ms).asked().get("speaker")
    if speaker is not None and kept.kind in ("speaker", *settle.VOICED):
        follow(connection, recording, edits.published(connection, speaker.id), speaker.number)
    streams.finish(connection, recording.id, streams.language(connection, recording.id))
    settle.examined(connection, recording.id)


def follow(connection: sqlite3.Connection, recording: Recording, turns: Sequence[Turn], number: int) -> None:
    """Bring words and emotions under the turns of a speaker version: kept ones that lie there, else new ones."""
    known = Kept(versions(connection, recording.id), recording.duration_ms)
    for kind in settle.VOICED:
        asked = known.asked().get(kind)
        if asked is None or settle.voices_of(asked.source) == number:
            continue
        if there := known.like(asked, number):
            streams.activate(connection, there.id)
        else:
            settle.settle(connection, recording.id, {kind: asked}, turns)
