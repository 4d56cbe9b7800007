"""A recording as text, the way captions write it: what was said, and sounds in brackets, in order of time.

Pieces of the text are cut between lines, at most so many words long; with speakers each line begins with a name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from store.database import Database
from store.record import Event, Segment
from store.recordings import Recording
from store.rows import events, segments
from store.speakers import voices
from store.streams import active

WORDS = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a segment of the transcript or a sound, and its text as a retriever sees it."""

    row: Segment | Event
    text: str

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


def lines(database: Database, recording: Recording, *, speakers: bool) -> list[Line]:
    """Give the lines of a recording in order of time."""
    with database.reader() as connection:
        streams = active(connection, recording.id)
        names = {voice.label: voice.display for voice in voices(connection, recording.id)}
        said = segments(connection, streams["transcript"]) if "transcript" in streams else []
        heard = events(connection, streams["events"]) if "events" in streams else []
    found = [*(_said(row, names, speakers) for row in said), *(Line(row, f"[{row.label}]") for row in heard)]
    return sorted(found, key=lambda line: (line.row.t0, line.row.t1))


def windows(found: Sequence[Line], most: int = WORDS) -> Iterator[tuple[Line, ...]]:
    """Cut lines into windows of at most `most` words; a line that is longer by itself is a window."""
    kept: list[Line] = []
    words = 0
    for line in found:
        if kept and words + line.words > most:
            yield tuple(kept)
            kept, words = [], 0
        kept.append(line)
        words += line.words
    if kept:
        yield tuple(kept)


def written(window: Sequence[Line]) -> str:
    """Write a window as a retriever and a reader see it."""
    return "\n".join(line.text for line in window)


def _said(row: Segment, names: dict[str, str], speakers: bool) -> Line:
    name = names.get(row.speaker or "", row.speaker)
    return Line(row, f"{name}: {row.text}" if speakers and name else row.text)
