"""What a baseline brought, as a library of its own that holds nothing else, so that the store's own SQL reads it.

Lines keep their times and, where the baseline can see them, their speakers; a stream that it cannot see is not there.
"""

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from agent.evals.baselines.lines import Line
from store import recordings, speakers, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import Event, Row, Segment, StreamKind, Turn
from store.recordings import NewRecording
from store.speakers import Profile
from store.streams import Source
from tools.call import Session

_WHOLE = "0" * 64
# A reader of the same beginning asks it every question; what is retrieved is another part each time.
_KEPT = 8


@contextmanager
def part(found: Sequence[Line], whole: Catalog, *, speakers: bool) -> Iterator[Session]:
    """Give a session on a recording that holds only these lines of the one that the catalog is of."""
    own = whole.recordings[0].recording
    made = _made(_Wanted(own.public_id, tuple(found), speakers, whole))
    with Session(made.database, made.scope) as session:
        yield session


@dataclass(frozen=True)
class _Wanted:
    """What a part is of: equal lines of one recording make one part."""

    recording: str
    lines: tuple[Line, ...]
    speakers: bool
    whole: Catalog = field(compare=False)


class _Part:
    """A library in a folder that goes with it."""

    def __init__(self, wanted: _Wanted) -> None:
        folder = tempfile.mkdtemp(prefix="overheard-part-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.database = Database.open(Path(folder))
        rows = _rows(wanted.lines, wanted.whole, speakers=wanted.speakers)
        self.scope = _published(self.database, rows, wanted.whole)


@lru_cache(maxsize=_KEPT)
def _made(wanted: _Wanted) -> _Part:
    return _Part(wanted)


def _rows(found: Sequence[Line], whole: Catalog, *, speakers: bool) -> dict[StreamKind, list[Row]]:
    said = [line.row for line in found if isinstance(line.row, Segment)]
    rows: dict[StreamKind, list[Row]] = {}
    if whole.of("transcript"):
        rows["transcript"] = [replace(row, words=()) if speakers else _nobodys(row) for row in said]
    if whole.of("events"):
        rows["events"] = [line.row for line in found if isinstance(line.row, Event)]
    if speakers:
        rows["speaker"] = [Turn(row.t0, row.t1, row.speaker, row.score) for row in said if row.speaker is not None]
    return rows


def _nobodys(row: Segment) -> Segment:
    return replace(row, speaker=None, words=())


def _published(database: Database, rows: Mapping[StreamKind, list[Row]], whole: Catalog) -> Catalog:
    entry = whole.recordings[0]
    own = entry.recording
    profiles = [Profile(v.label, v.name, v.aliases, v.doubt) for v in entry.voices]
    with database.writing() as connection:
        new = NewRecording(_WHOLE, own.title, "import", own.duration_ms, estimated=True)
        recording = recordings.add(connection, new)
        for kind, found in rows.items():
            labels = entry.streams[kind].labels if kind in entry.streams else None
            version = streams.new_version(connection, recording.id, kind, Source("part", {}, labels))
            streams.publish(connection, version, found)
        speakers.introduce(connection, recording.id, profiles)
        streams.finish(connection, recording.id, own.language)
    with database.reader() as connection:
        return catalog(connection, [recordings.find(connection, recording.public_id)])
