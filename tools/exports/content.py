"""Everything of one recording that an export may write: the active streams' rows, and the names people gave."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.catalog import StreamState, catalog
from store.errors import DataError
from store.record import STREAMS, Emotion, Event, Row, Segment, StreamKind, Turn
from store.recordings import Recording
from store.rows import rows
from store.speakers import Profile, profiles


@dataclass(frozen=True, slots=True)
class Content:
    """One recording read: rows by stream (a stream never computed is absent), voices with their names."""

    recording: Recording
    streams: Mapping[StreamKind, StreamState]
    rows: Mapping[StreamKind, Sequence[Row]]
    profiles: Sequence[Profile]

    def need(self, kind: StreamKind, form: str) -> None:
        """Raise DataError when the stream that a format is made of was never computed."""
        if kind not in self.streams:
            raise DataError(f"{self.recording.public_id} has no {kind} stream, which {form} is made of")

    @property
    def segments(self) -> list[Segment]:
        """The transcript's rows."""
        return [row for row in self.rows.get("transcript", ()) if isinstance(row, Segment)]

    @property
    def turns(self) -> list[Turn]:
        """The speaker stream's rows."""
        return [row for row in self.rows.get("speaker", ()) if isinstance(row, Turn)]

    @property
    def emotions(self) -> list[Emotion]:
        """The emotion stream's rows."""
        return [row for row in self.rows.get("emotion", ()) if isinstance(row, Emotion)]

    @property
    def events(self) -> list[Event]:
        """The events stream's rows."""
        return [row for row in self.rows.get("events", ()) if isinstance(row, Event)]

    def names(self) -> dict[str, str]:
        """Give the name to write for each label; two voices of one name keep their labels, so that they stay two."""
        shown = {profile.label: profile.name or profile.label for profile in self.profiles}
        times = Counter(shown.values())
        return {label: name if times[name] == 1 else label for label, name in shown.items()}


def content(connection: sqlite3.Connection, recording: Recording) -> Content:
    """Read one recording."""
    (entry,) = catalog(connection, [recording]).recordings
    found = {kind: rows(connection, entry.streams[kind].id, kind) for kind in STREAMS if kind in entry.streams}
    return Content(recording, entry.streams, found, profiles(connection, recording.id))
