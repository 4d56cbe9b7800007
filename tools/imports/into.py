"""A corrected file of a recording that is there: what it says becomes a new version, and the old one stays.

A file that says what an earlier version says makes that version the one that is asked again, so that a correction can
be taken back with the file it corrected; one that says what is asked already changes nothing. Words that run on another
clock than the recording's turns are moved onto them first.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from store import recordings, rows, speakers, streams
from store.database import Database
from store.errors import DataError
from store.record import STREAMS, Emotion, Row, Segment, StreamKind, Turn
from store.recordings import Recording
from store.speakers import Profile
from store.streams import Source
from store.versions import Version, versions
from tools.health.examine import examine
from tools.imports import called, emotions, follow
from tools.imports.clocks import on_one_clock
from tools.imports.files import Role
from tools.imports.kept import kept, same
from tools.imports.material import FileReport, Material, gather, read


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one stream: the version that is asked now and the one that was, None when there was none."""

    kind: StreamKind
    version: int
    before: int | None
    fresh: bool = False

    def line(self) -> str:
        """Say it in one line."""
        if self.version == self.before:
            return f"{self.kind}: nothing differs from version {self.version}; nothing to do"
        was = f"; version {self.before} is kept" if self.before else ""
        return f"{self.kind}: {'new version' if self.fresh else 'back to version'} {self.version}{was}"


@dataclass(frozen=True, slots=True)
class Corrected:
    """A recording after a correction: what came of the files and of the streams."""

    recording: Recording
    files: tuple[FileReport, ...]
    changes: tuple[Change, ...]
    caveats: tuple[str, ...]


def import_into(database: Database, key: str, files: Sequence[tuple[Role, Path]]) -> Corrected:
    """Take files as new versions of a recording's streams; NotFound without it, DataError when nothing fits it."""
    found = read(files)
    with database.writing() as connection:
        recording = recordings.find(connection, key)
        if recording.state != "ready":
            raise DataError(f"{recording.public_id} is not heard to its end; ingest it again, then correct it")
        material = gather(found, recording.duration_ms, "the recording")
        for report in material.reports:
            if report.set_aside and not report.imported:
                raise DataError(f"nothing fits {recording.public_id}: {report.line()}")
        changes = _apply(connection, recording, material)
        caveats = (*material.caveats, *called.name(connection, recording.id, material.profiles))
        if any(change.version != change.before for change in changes):
            told = [*recording.manifest.get("corrections", ()), *(report.entry() for report in material.reports)]
            recordings.remember(connection, recording.id, corrections=told)
            streams.finish(connection, recording.id, streams.language(connection, recording.id) or recording.language)
            examine(connection, recording)
    return Corrected(recording, tuple(material.reports), changes, caveats)


def _apply(connection: sqlite3.Connection, recording: Recording, material: Material) -> tuple[Change, ...]:
    """Publish what the files say, and what follows from it in the other streams."""
    library = _Library(connection, recording.id)
    before = {kind: library.rows(version) for kind, version in library.asked.items()}
    if material.segments and "speaker" not in material.rows and not library.from_text:
        _set_to_clock(material, before["speaker"])
    given = _given(material, speakers.profiles(connection, recording.id))
    after = {kind: kept(entries, before.get(kind, ())) for kind, entries in given.items()}
    changed = {kind: after[kind] for kind in after if kind not in before or not same(after[kind], before[kind])}
    changes = {kind: library.unchanged(kind) for kind in after if kind not in changed}
    for kind in changed:
        changes[kind] = library.settle(kind, given[kind], material.sources[kind])
    for kind, entries in follow.following(before, changed, library.from_text).items():
        changes[kind] = library.settle(kind, entries, library.source(kind, material))
    if "transcript" in changed and changes["transcript"].fresh:
        material.caveats += _wordless(before.get("transcript", ()), changed["transcript"])
    return tuple(changes[kind] for kind in STREAMS if kind in changes)


def _set_to_clock(material: Material, turns: Sequence[Row]) -> None:
    """Bring the words of a file onto the recording's own turns."""
    said, lines = on_one_clock(material.segments, [row for row in turns if isinstance(row, Turn)])
    material.rows["transcript"] = list(said)
    material.caveats += lines


def _given(material: Material, profiles: Sequence[Profile]) -> dict[StreamKind, list[Row]]:
    given = {
        kind: called.labelled(entries, profiles, before_colon=material.sources[kind].model == "srt")
        for kind, entries in material.rows.items()
    }
    if "emotion" in given:
        felt, unknown = emotions.known(row for row in given["emotion"] if isinstance(row, Emotion))
        given["emotion"] = list(felt)
        material.caveats += emotions.note(unknown)
    return given


def _wordless(before: Sequence[Row], after: Sequence[Row]) -> list[str]:
    """Tell how many cues have no times of single words any more."""
    lost = [row for row in after if isinstance(row, Segment) and not row.words]
    had = any(isinstance(row, Segment) and row.words for row in before)
    return [f"{len(lost)} cues have no times of single words"] if had and lost else []


class _Library:
    """The versions of a recording's streams inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, rec_id: int) -> None:
        self._connection, self._rec_id = connection, rec_id
        self._known = versions(connection, rec_id)
        self.asked = {version.kind: version for version in self._known if version.active}

    @property
    def from_text(self) -> bool:
        """Whether the turns are the voices of the transcript, or there are none."""
        return "speaker" not in self.asked or "from" in self.asked["speaker"].source.params

    def rows(self, version: Version) -> list[Row]:
        """Give the rows of a version."""
        return rows.rows(self._connection, version.id, version.kind)

    def unchanged(self, kind: StreamKind) -> Change:
        """Say that the version that is asked stays."""
        return Change(kind, self.asked[kind].number, self.asked[kind].number)

    def settle(self, kind: StreamKind, entries: Sequence[Row], source: Source) -> Change:
        """Ask the version that says this already, else publish one that does."""
        before = self.asked[kind].number if kind in self.asked else None
        for version in reversed(self._known):
            if version.kind == kind and not version.active:
                old = self.rows(version)
                if same(kept(entries, old), old):
                    streams.activate(self._connection, version.id)
                    return Change(kind, version.number, before)
        old = self.rows(self.asked[kind]) if kind in self.asked else []
        stream_id = streams.new_version(self._connection, self._rec_id, kind, source)
        streams.publish(self._connection, stream_id, kept(entries, old))
        number = max((version.number for version in self._known if version.kind == kind), default=0) + 1
        return Change(kind, number, before, fresh=True)

    def source(self, kind: StreamKind, material: Material) -> Source:
        """Give the source of a version that follows a correction of another stream."""
        name = ", ".join(report.name for report in material.reports)
        if kind in self.asked:
            old = self.asked[kind].source
            return replace(old, params={**old.params, "follows": name})
        source = next(iter(material.sources.values()))
        return replace(source, params={**source.params, "from": "voices of the text"})
