"""A file into the library: heard for the first time, gone on with after an interruption, or heard again in part.

One process hears a recording at a time; what a file is, is its bytes, also while it is heard.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from store import lock, recordings
from store.database import Database
from store.errors import DataError
from store.recordings import NewRecording, Recording
from tools.listening.hearing import Hearing
from tools.listening.listener import Listener, Step
from tools.listening.relisten import Relistening
from tools.media import audio, decoder
from tools.sanitize import one_line

Progress = Callable[[Step, int], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What an ingest did: whether anything changed, a line for each thing to know, whether it had been heard before."""

    recording: Recording
    fresh: bool
    notes: tuple[str, ...] = ()
    again: bool = False


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
    file = decoder.probe(path)
    declared = file.declared_ms or 0
    before = _stamp(path)
    sha256 = audio.content_id([path])
    called = one_line(title or path.stem) or "recording"
    with lock.hold(database.folder, sha256[:16]):
        with database.writing() as connection:
            new = NewRecording(sha256, called, "ingest", max(declared, 1), path=str(path.resolve()))
            recording = recordings.add(connection, new)
        listener, watch = listener.on(file), _watch(progress, declared)
        if recording.state == "ready":
            return _again(database, recording, listener, path, before, watch)
        hearing = Hearing(database, recording, listener, watch)
        try:
            blocks = decoder.decode(path, hearing.begins_ms, warn=hearing.notes.append, max_hours=max_hours)
            hearing.hear(_unchanged(blocks, path, before))
        except DataError:
            hearing.give_up()
            raise
        return Result(hearing.finish(), True, tuple(hearing.notes))


def _again(
    database: Database,
    recording: Recording,
    listener: Listener,
    path: Path,
    stamp: tuple[int, ...],
    watch: Callable[[Step], None],
) -> Result:
    """Hear again what other options change."""

    def decode(start_ms: int, end_ms: int) -> Iterator[audio.Samples]:
        return _unchanged(decoder.decode(path, start_ms, end_ms, max_hours=24 * 365), path, stamp)

    again = Relistening(database, recording, listener, decode, watch)
    if not again.run():
        return Result(recording, False, (_already(recording),), again=True)
    with database.reader() as connection:
        return Result(recordings.find(connection, recording.public_id), True, tuple(again.notes), again=True)


def _watch(progress: Progress, declared: int) -> Callable[[Step], None]:
    return lambda step: progress(step, max(declared, step.done_ms))


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
    return f"{recording.title}: heard already with these options; nothing to do"
