"""The words of a recording, written down by a model behind an endpoint once its voices are told apart.

The rest of a recording is heard as always; its words come as a version of the transcript of their own, all at once,
because the last chunk may change who is who. Until then the stream is missing, and a kill costs one call.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from store import asides, checks, lock, recordings, replies, streams
from store.database import Database
from store.errors import DataError
from store.record import Span, Turn
from store.recordings import Recording
from store.replies import Reply
from store.streams import Source
from store.versions import Version, versions
from tools.canonical import to_json
from tools.health.finding import GIVEN
from tools.listening import failures, settle
from tools.listening.failures import Failure
from tools.listening.kept import Kept
from tools.media import decoder
from tools.media.encoder import BYTES_A_SECOND
from tools.transcript.interview.cost import estimate
from tools.transcript.interview.pipeline import Interview, Voiced, interview
from tools.transcript.recognisers.llm import Llm
from tools.voicing import edits
from tools.voicing.suggestions import NAMES


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The replies about one recording to one kind of request."""

    database: Database
    rec_id: int
    request: str

    def known(self, span: Span) -> list[Reply]:
        with self.database.reader() as connection:
            return replies.known(connection, self.rec_id, self.request, span)

    def keep(self, span: Span, reply: Reply) -> None:
        with self.database.writing() as connection:
            replies.keep(connection, self.rec_id, self.request, span, reply)


def write_down(
    database: Database,
    recording: Recording,
    path: Path,
    ear: Llm,
    voiced: Voiced,
    *,
    say: Callable[[str], None] = lambda line: None,
    progress: Callable[[int], None] = lambda done_ms: None,
) -> list[str] | None:
    """Have a recording that is heard written down, unless it is already; give notes, None when nothing changed.

    EndpointError where the endpoint cannot be used; what it answered is kept, and the next call goes on from there.
    """
    source = Source(f"{ear.name} {ear.model}", ear.params)
    with lock.hold(database.folder, recording.sha256[:16]):
        with database.reader() as connection:
            known = Kept(versions(connection, recording.id), recording.duration_ms)
            speaker = known.asked().get("speaker")
            turns = edits.published(connection, speaker.id) if speaker else []
        if known.stands("transcript", source):
            return None
        if kept := known.heard("transcript", source):
            _ask_again(database, recording, kept, speaker, turns)
            return [f"transcript: version {kept.number} ({source.model}) is asked again"]
        say(estimate(recording.duration_ms, BYTES_A_SECOND[ear.format]).told(f"{ear.host} ({ear.model})"))
        shelf = _Shelf(database, recording.id, to_json({"model": source.model, **source.params}))
        stamp = path.stat().st_mtime_ns, path.stat().st_size
        found = interview(
            decoder.decode(path, max_hours=24 * 365), recording.duration_ms, ear, shelf, voiced, turns,
            language=ear.language, progress=progress,
        )  # fmt: skip
        if stamp != (path.stat().st_mtime_ns, path.stat().st_size):
            raise DataError(f"{path.name!r} changed while it was written down; ingest it again")
        say(found.bill.told())
        with database.writing() as connection:
            under = settle.under(source, speaker.number if speaker else None)
            return [*found.notes, *_publish(connection, recording, under, found, shelf)]


def _publish(
    connection: sqlite3.Connection, recording: Recording, source: Source, found: Interview, shelf: _Shelf
) -> list[str]:
    """Make what was written the transcript that is asked, with all that is known of it; give what was not heard."""
    made = streams.new_version(connection, recording.id, "transcript", source)
    streams.publish(connection, made, found.segments)
    asides.keep(connection, made, found.set_aside)
    unheard = [Failure("transcript", span.t0, span.t1, why) for span, why in found.unheard]
    if unheard:
        failures.keep(connection, made, unheard)
        replies.forget(connection, recording.id, shelf.request, [span for span, _ in found.unheard])
    checks.add(connection, made, **{NAMES: found.names, GIVEN: [asdict(finding) for finding in found.findings]})
    language = streams.language(connection, recording.id) or recording.language
    streams.finish(connection, recording.id, language)
    recordings.remember(connection, recording.id, notes=[*recording.manifest.get("notes", ()), *found.notes])
    return settle.examined(connection, recording.id)


def _ask_again(
    database: Database, recording: Recording, kept: Version, speaker: Version | None, turns: list[Turn]
) -> None:
    """Make a kept version the one that is asked, under the turns that are."""
    with database.writing() as connection:
        streams.activate(connection, kept.id)
        if speaker is not None and settle.voices_of(kept.source) != speaker.number:
            settle.settle(connection, recording.id, {"transcript": kept}, turns)
        streams.finish(connection, recording.id, streams.language(connection, recording.id) or recording.language)
        settle.examined(connection, recording.id)
