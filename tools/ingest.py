"""Listen once: audio in, four streams out, published stretch by stretch behind a watermark.

A stretch is published in ONE transaction with all its streams and the watermark, so questions can be asked while the
rest is heard and a kill costs at most one stretch. Voices are provisional until the end, when all are clustered.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from store import asides, ledger, lock, recordings, rows, streams
from store.database import Database
from store.errors import DataError, StoreError
from store.ledger import Chunk
from store.record import Row, StreamKind
from store.recordings import NewRecording, Recording
from tools import audio
from tools.listener import Heard, Listener, Step
from tools.sanitize import one_line
from tools.seams import joined_events, respoken_emotions, respoken_words
from tools.stretches import Stretch, stretches
from tools.voices import clip, keep_labels

Progress = Callable[[Step, int], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What an ingest did: whether anything was heard now, and one line for each thing to know."""

    recording: Recording
    fresh: bool
    notes: tuple[str, ...] = ()


def ingest(
    database: Database,
    path: Path,
    listener: Listener,
    *,
    title: str | None = None,
    max_hours: float = audio.MAX_HOURS,
    progress: Progress = lambda step, total_ms: None,
) -> Result:
    """Hear a recording into the library, going on where an interrupted ingest stopped; DataError without audio.

    `progress` is called with each step and the recording's length in milliseconds, as far as it is known.
    """
    declared = audio.probe(path).declared_ms or 0
    before = _stamp(path)
    sha256 = audio.content_id([path])
    called = one_line(title or path.stem) or "recording"
    with lock.hold(database.folder, sha256[:16]):
        with database.writing() as connection:
            new = NewRecording(sha256, called, "ingest", max(declared, 1), path=str(path.resolve()))
            recording = recordings.add(connection, new)
        if recording.state == "ready":
            return Result(recording, False, (_already(recording),))
        run = _Run(database, recording, listener, lambda step: progress(step, max(declared, step.done_ms)))
        try:
            blocks = audio.decode(path, recording.heard_ms, warn=run.notes.append, max_hours=max_hours)
            run.hear(_unchanged(blocks, path, before))
        except DataError:
            run.give_up()
            raise
        return Result(run.finish(), True, tuple(run.notes))


def _unchanged(blocks: Iterator[audio.Samples], path: Path, before: tuple[int, ...]) -> Iterator[audio.Samples]:
    """Give blocks while the file is the one whose bytes were hashed; DataError when it changes, also at its end."""
    for block in blocks:
        _check(path, before)
        yield block
    _check(path, before)


def _check(path: Path, before: tuple[int, ...]) -> None:
    if _stamp(path) != before:
        raise DataError(f"{path.name!r} changed while it was heard; ingest it again when nothing writes to it")


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _already(recording: Recording) -> str:
    return (
        f"{recording.title}: these bytes are heard already; to hear them with other options, remove the recording "
        f"first: overheard rm {recording.public_id}"
    )


class _Run:
    """One recording being heard: what was published so far, and how the next stretch joins it."""

    def __init__(
        self, database: Database, recording: Recording, listener: Listener, progress: Callable[[Step], None]
    ) -> None:
        self._database, self._recording, self._listener, self._progress = database, recording, listener, progress
        self.notes = list(listener.notes)
        self._aside: Counter[str] = Counter(recording.manifest.get("set_aside", {}))
        with database.reader() as connection:
            chunks = ledger.chunks(connection, recording.id)
            self._streams = streams.active(connection, recording.id)
            self._turns = rows.turns(connection, self._streams["speaker"]) if chunks else []
        self._voices = [listener.voices(chunk.voices) for chunk in chunks]
        self._heard_ms = recording.heard_ms

    def hear(self, blocks: Iterator[audio.Samples]) -> None:
        """Hear the stretches that are left, each published when all its streams are."""
        for stretch in stretches(blocks, self._recording.heard_ms, len(self._voices)):
            self._publish(stretch, self._listener.hear(stretch, self._voices, self._turns, self._progress))

    def give_up(self) -> None:
        """Leave no recording of which nothing could be heard; what was published stays, and can be asked."""
        if not self._voices:
            with suppress(StoreError), self._database.writing() as connection:
                recordings.forget(connection, self._recording.id)

    def finish(self) -> Recording:
        """Cluster all voices at once, seam what the stretches cut, and mark the recording as heard."""
        if self._aside:
            kinds = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in sorted(self._aside.items()))
            self.notes.append(f"{self._recording.title}: phrases set aside as no evidence: {kinds}")
        rec_id = self._recording.id
        with self._database.writing() as connection:
            if len(self._voices) > 1:
                self._settle(connection)
            for stream_id in self._streams.values():
                streams.grade(connection, stream_id)
            ledger.close(connection, rec_id, self._heard_ms)
            streams.finish(connection, rec_id, streams.language(connection, rec_id))
            recordings.remember(connection, rec_id, notes=self.notes, set_aside=dict(self._aside))
            return recordings.find(connection, self._recording.public_id)

    def _publish(self, stretch: Stretch, heard: Heard) -> None:
        rec_id = self._recording.id
        self._aside.update(phrase.reason for phrase in heard.set_aside)
        with self._database.writing() as connection:
            if not self._streams:
                for kind, source in self._listener.sources().items():
                    self._streams[kind] = streams.new_version(connection, rec_id, kind, source)
            for kind, found in heard.rows().items():
                streams.publish(connection, self._streams[kind], found)
            asides.keep(connection, self._streams["transcript"], heard.set_aside)
            ledger.add_chunk(connection, rec_id, Chunk(stretch.t0, stretch.t1, heard.voices.to_bytes()))
            recordings.remember(connection, rec_id, set_aside=dict(self._aside))
        self._voices.append(heard.voices)
        self._turns += heard.turns
        self._heard_ms = stretch.t1

    def _settle(self, connection: sqlite3.Connection) -> None:
        """Replace the provisional versions by final ones: all voices clustered at once, seams joined."""
        turns = keep_labels(clip(self._listener.turns(self._voices), 0, self._heard_ms), self._turns)
        said = rows.segments(connection, self._streams["transcript"])
        final: dict[StreamKind, Sequence[Row]] = {"speaker": turns, "transcript": respoken_words(said, turns)}
        if "emotion" in self._streams:
            final["emotion"] = respoken_emotions(rows.emotions(connection, self._streams["emotion"]), turns)
        if "events" in self._streams:
            final["events"] = joined_events(rows.events(connection, self._streams["events"]))
        sources = self._listener.sources()
        provisional = dict(self._streams)
        for kind, found in final.items():
            self._streams[kind] = streams.new_version(connection, self._recording.id, kind, sources[kind])
            streams.publish(connection, self._streams[kind], found)
        asides.move(connection, provisional["transcript"], self._streams["transcript"])
        streams.drop(connection, list(provisional.values()))
