"""One recording out of several files, in one transaction: what the files say together, checked, counted and told."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from store import recordings, speakers, streams
from store.clock import clock
from store.database import Database
from store.errors import DataError, UsageError
from store.listing import listed
from store.record import STREAMS, Emotion, Row, Segment, StreamKind, Turn
from store.recordings import NewRecording, Recording, Roster
from store.speakers import Profile
from store.streams import Source
from tools.imports import emotions, naming
from tools.imports.files import Role, read_file
from tools.imports.fit import Fitted, fit
from tools.imports.parsed import Parsed
from tools.sanitize import one_line

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Given:
    """The files of one recording by what they are, its title, and whether all its voices are named."""

    files: tuple[tuple[Role, Path], ...]
    audio: Path | None = None
    title: str | None = None
    roster: Roster = "auto"


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file: rows taken, places clamped and set aside, in the file's own unit (line, segment, row)."""

    name: str
    format: str
    role: Role
    imported: int
    clamped: tuple[int, ...]
    set_aside: tuple[int, ...]
    unit: str
    sha256: str

    def line(self) -> str:
        """Say it in one line: `imported 812 cues, set aside 3: lines 14, 90, 91`."""
        said = f"{self.name}: imported {self.imported} {'cues' if self.role == 'transcript' else 'rows'}"
        for verb, places in (("clamped", self.clamped), ("set aside", self.set_aside)):
            if places:
                said += f", {verb} {len(places)}: {self.unit}{'s' * (len(places) > 1)} {listed(places, SHOWN)}"
        return said


@dataclass(frozen=True, slots=True)
class Imported:
    """A recording in the library; `fresh` is False when these very files were imported before."""

    recording: Recording
    fresh: bool
    files: tuple[FileReport, ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(slots=True)
class _Material:
    """What is gathered from the files before anything is stored."""

    rows: dict[StreamKind, list[Row]] = field(default_factory=dict)
    sources: dict[StreamKind, Source] = field(default_factory=dict)
    profiles: list[Profile] = field(default_factory=list)
    language: str | None = None
    reports: list[FileReport] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)


def import_recording(database: Database, given: Given) -> Imported:
    """Make one recording of the given files, or say that it is there; DataError names the file and the fault."""
    from tools import audio

    if not given.files:
        raise UsageError("nothing to import: give a transcript, speakers, events or emotions (audio alone: ingest)")
    paths = [path for _, path in given.files] + ([given.audio] if given.audio else [])
    parsed = _read(given.files)
    sha256 = audio.content_id(paths)
    with database.reader() as connection:
        known = recordings.by_hash(connection, sha256)
    if known is not None:
        return Imported(known, False, caveats=(f"already in the library as {known.public_id}: nothing to do",))
    material = _Material()
    heard = None if given.audio is None else _decoded_ms(given.audio, material.caveats)
    duration = _duration(material, parsed, heard)
    _attribute(material)
    read = [file for _, _, file, _ in parsed]
    titles = [given.title, *(file.title for file in read), paths[0].stem]
    title = next((line for title in titles if (line := one_line(title or ""))), "recording")
    rosters: list[Roster] = [given.roster, *(file.roster for file in read)]
    roster: Roster = next((roster for roster in rosters if roster != "auto"), "auto")
    path = str(given.audio.resolve()) if given.audio else None
    new = NewRecording(sha256, title, "import", duration, path, heard is None, roster, _manifest(material))
    return Imported(_store(database, new, material), True, tuple(material.reports), tuple(material.caveats))


def _read(files: Sequence[tuple[Role, Path]]) -> list[tuple[Role, str, Parsed, str]]:
    """Read all files; a stream that has a file of its own is not taken from an export that holds all streams."""
    roles = [role for role, _ in files]
    found = []
    for role, path in files:
        if roles.count(role) > 1:
            raise UsageError(f"{path.name!r} brings the {role} stream a second time; give each stream once")
        parsed, digest = read_file(path, role)
        found.append((role, path.name, parsed.only(*(k for k in STREAMS if k == role or k not in roles)), digest))
    return found


def _decoded_ms(path: Path, caveats: list[str]) -> int:
    from tools import audio

    samples = sum(len(block) for block in audio.decode(path, warn=caveats.append))
    if not samples:
        raise DataError(f"{path.name!r}: no audio in it")
    return -(-samples * 1000 // audio.RATE)


def _duration(material: _Material, parsed: Sequence[tuple[Role, str, Parsed, str]], heard: int | None) -> int:
    """Fit all rows to the audio's duration, or without audio give the latest end."""
    for role, name, file, digest in parsed:
        fitted = fit(file.rows, heard)
        _gather(material, role, name, file, digest, fitted)
        if fitted.beyond_ms and heard is not None:
            material.caveats.append(
                f"{name} reaches {clock(heard + fitted.beyond_ms)}, the audio {clock(heard)}: its times drift, "
                "or it belongs to another recording"
            )
    if heard is not None:
        return heard
    declared = [file.duration_ms for _, _, file, _ in parsed if file.duration_ms]
    latest = [row.t1 for rows in material.rows.values() for row in rows]
    if not latest and not declared:
        raise DataError(f"nothing to import: {'; '.join(report.line() for report in material.reports)}")
    return max([*latest, *declared])


def _gather(material: _Material, role: Role, name: str, file: Parsed, digest: str, fitted: Fitted) -> None:
    name = one_line(name)
    aside = tuple(sorted({*file.lost, *fitted.aside}))
    report = FileReport(name, file.format, role, len(fitted.rows), fitted.clamped, aside, file.unit, digest)
    material.reports.append(report)
    material.caveats += [f"{name}: {note}" for note in file.notes]
    material.language = material.language or file.language
    material.profiles += file.voices
    for kind in STREAMS:
        rows = [placed.row for placed in Parsed(file.format, fitted.rows).of(kind)]
        if rows or role == kind or kind in file.sources:
            material.rows[kind] = rows
            material.sources[kind] = _source(file, kind, name, digest)


def _source(file: Parsed, kind: StreamKind, name: str, digest: str) -> Source:
    """Describe where rows come from; our own export carries the model that made them and the labels it can emit."""
    origin = file.sources.get(kind, {})
    params = {"file": name, "sha256": digest} | ({"model": str(origin["model"])} if origin.get("model") else {})
    labels = origin.get("labels")
    health, note = origin.get("health"), origin.get("note")
    return Source(
        file.format,
        params,
        [one_line(str(label)) for label in labels] if isinstance(labels, list) else None,
        None if health is None else min(1.0, max(0.0, float(health))),
        one_line(note) if isinstance(note, str) else None,
    )


def _attribute(material: _Material) -> None:
    """Settle who speaks: the turns' file where there is one, else the voices of the text are the turns."""
    said = [row for row in material.rows.get("transcript", ()) if isinstance(row, Segment)]
    turns = [row for row in material.rows.get("speaker", ()) if isinstance(row, Turn)]
    if "speaker" in material.rows and said and _from_other_file(material):
        named = naming.name_turns(said, turns)
        material.rows["transcript"] = list(named.segments)
        turns = [*turns, *named.turns]
        material.rows["speaker"] = sorted(turns, key=lambda turn: (turn.t0, turn.t1))
        material.profiles += [Profile(label, name) for label, name in named.names.items()]
        material.caveats += named.caveats
    elif "speaker" not in material.rows:
        turns = [Turn(row.t0, row.t1, row.speaker, row.score) for row in said if row.speaker is not None]
        if turns:
            source = material.sources["transcript"]
            material.rows["speaker"] = list(turns)
            material.sources["speaker"] = replace(source, params={**source.params, "from": "voices of the text"})
    if "emotion" in material.rows:
        felt, unknown = emotions.known(row for row in material.rows["emotion"] if isinstance(row, Emotion))
        material.rows["emotion"] = list(naming.speak(felt, turns))
        if unknown:
            material.caveats.append(f"no emotion that Overheard knows, taken as other: {', '.join(unknown)}")


def _from_other_file(material: _Material) -> bool:
    said, heard = (material.sources[kind].params["sha256"] for kind in ("transcript", "speaker"))
    return bool(said != heard)


def _manifest(material: _Material) -> dict[str, Any]:
    files = [
        {"name": r.name, "role": r.role, "format": r.format, "sha256": r.sha256, "imported": r.imported,
         "clamped": list(r.clamped[:1000]), "set_aside": list(r.set_aside[:1000]), "set_aside_count": len(r.set_aside)}
        for r in material.reports
    ]  # fmt: skip
    return {"files": files, "notes": list(material.caveats)}


def _store(database: Database, new: NewRecording, material: _Material) -> Recording:
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        for kind in STREAMS:
            if kind in material.rows:
                stream = streams.new_version(connection, recording.id, kind, material.sources[kind])
                streams.publish(connection, stream, material.rows[kind])
        speakers.introduce(connection, recording.id, material.profiles)
        streams.finish(connection, recording.id, material.language)
        stored = recordings.by_hash(connection, new.sha256)
    assert stored is not None
    return stored
