"""Which two versions of a stream are compared: those that were named, else the one that is asked and the one before.

A version that is still being heard can be compared with nothing.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from store.clock import clock
from store.errors import DataError, NotFound
from store.record import StreamKind
from store.recordings import Recording
from store.rows import emotions, events, segments, turns
from store.versions import Version, versions
from tools.comparison import labels, words
from tools.comparison import turns as voices


@dataclass(frozen=True, slots=True)
class Compared:
    """Two versions of a stream, and how they differ."""

    before: Version
    after: Version
    found: words.Words | voices.Turns | labels.Labels


def compare(
    connection: sqlite3.Connection, recording: Recording, kind: StreamKind, numbers: Sequence[int] = ()
) -> Compared:
    """Compare two versions of a stream, by default the newest kept one with the one that is asked.

    NotFound when there are no two, or none of a number; DataError for one that is not heard to its end.
    """
    there = [version for version in versions(connection, recording.id) if version.kind == kind]
    before, after = _numbered(there, kind, numbers) if numbers else _newest(there, kind, recording)
    for version in (before, after):
        if not _whole(version, recording):
            raise DataError(f"version {version.number} of {kind} is heard to {clock(version.heard_ms)} only")
    return Compared(before, after, _found(connection, kind, before.id, after.id))


def _newest(there: Sequence[Version], kind: StreamKind, recording: Recording) -> tuple[Version, Version]:
    asked = [version for version in there if version.active]
    kept = [version for version in there if not version.active and _whole(version, recording)]
    if not asked or not kept:
        raise NotFound(
            f"{recording.title} has {'one version' if asked else 'no'} of {kind}: ingest the same file with another "
            "recogniser or other options, or import a file into it, to have two"
        )
    return kept[-1], asked[0]


def _numbered(there: Sequence[Version], kind: StreamKind, numbers: Sequence[int]) -> tuple[Version, ...]:
    known = {version.number: version for version in there}
    if lacking := [str(number) for number in numbers if number not in known]:
        exist = ", ".join(map(str, known)) or "none"
        raise NotFound(f"there is no version {' or '.join(lacking)} of {kind}; there are: {exist}")
    return tuple(known[number] for number in numbers)


def _whole(version: Version, recording: Recording) -> bool:
    return version.active or version.origin is not None or version.heard_ms >= recording.duration_ms


def _found(
    connection: sqlite3.Connection, kind: StreamKind, before: int, after: int
) -> words.Words | voices.Turns | labels.Labels:
    match kind:
        case "transcript":
            return words.compare(segments(connection, before), segments(connection, after))
        case "speaker":
            return voices.compare(turns(connection, before), turns(connection, after))
        case "emotion":
            return labels.compare(emotions(connection, before), emotions(connection, after))
        case _:
            return labels.compare(events(connection, before), events(connection, after))
