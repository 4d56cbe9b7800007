"""One recording out of several files, in one transaction: what the files say together, checked, counted and told."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from store import recordings, speakers, streams
from store.database import Database
from store.errors import DataError, UsageError
from store.record import STREAMS, Emotion
from store.recordings import NewRecording, Recording, Roster
from store.speakers import Profile
from tools.health.examine import examine
from tools.imports import emotions, naming
from tools.imports.clocks import on_one_clock
from tools.imports.files import Role
from tools.imports.material import FileReport, Material, Read, gather, read
from tools.sanitize import one_line


@dataclass(frozen=True, slots=True)
class Given:
    """The files of one recording by what they are, its title, and whether all its voices are named."""

    files: tuple[tuple[Role, Path], ...]
    audio: Path | None = None
    title: str | None = None
    roster: Roster = "auto"


@dataclass(frozen=True, slots=True)
class Imported:
    """A recording in the library; `fresh` is False when these very files were imported before."""

    recording: Recording
    fresh: bool
    files: tuple[FileReport, ...] = ()
    caveats: tuple[str, ...] = ()


def import_recording(database: Database, given: Given) -> Imported:
    """Make one recording of the given files, or say that it is there; DataError names the file and the fault."""
    from tools.media import audio

    if not given.files:
        raise UsageError("nothing to import: give a transcript, speakers, events or emotions (audio alone: ingest)")
    paths = [path for _, path in given.files] + ([given.audio] if given.audio else [])
    files = read(given.files)
    sha256 = audio.content_id(paths)
    with database.reader() as connection:
        known = recordings.by_hash(connection, sha256)
    if known is not None:
        return Imported(known, False, caveats=(f"already in the library as {known.public_id}: nothing to do",))
    warnings: list[str] = []
    heard = None if given.audio is None else _decoded_ms(given.audio, warnings)
    material = gather(files, heard, "the audio")
    material.caveats[:0] = warnings
    duration = _latest(material, files) if heard is None else heard
    _attribute(material)
    titles = [given.title, *(file.parsed.title for file in files), paths[0].stem]
    title = next((line for title in titles if (line := one_line(title or ""))), "recording")
    rosters: list[Roster] = [given.roster, *(file.parsed.roster for file in files)]
    roster: Roster = next((roster for roster in rosters if roster != "auto"), "auto")
    path = str(given.audio.resolve()) if given.audio else None
    new = NewRecording(sha256, title, "import", duration, path, heard is None, roster, _manifest(material))
    return Imported(_store(database, new, material), True, tuple(material.reports), tuple(material.caveats))


def _decoded_ms(path: Path, caveats: list[str]) -> int:
    from tools.media import audio, decoder

    samples = sum(len(block) for block in decoder.decode(path, warn=caveats.append))
    if not samples:
        raise DataError(f"{path.name!r}: no audio in it")
    return -(-samples * 1000 // audio.RATE)


def _latest(material: Material, files: list[Read]) -> int:
    """Give the duration that the files say or their rows reach; DataError when they hold neither."""
    declared = [file.parsed.duration_ms for file in files if file.parsed.duration_ms]
    latest = [row.t1 for rows in material.rows.values() for row in rows]
    if not latest and not declared:
        raise DataError(f"nothing to import: {'; '.join(report.line() for report in material.reports)}")
    return max([*latest, *declared])


def _attribute(material: Material) -> None:
    """Settle who speaks: the turns' file where there is one, else the voices of the text are the turns."""
    said, turns = material.segments, material.turns
    if "speaker" in material.rows and said and _from_other_file(material):
        said, lines = on_one_clock(said, turns)
        material.caveats += lines
        named = naming.name_turns(said, turns)
        material.rows["transcript"] = list(named.segments)
        turns = [*turns, *named.turns]
        material.rows["speaker"] = sorted(turns, key=lambda turn: (turn.t0, turn.t1))
        material.profiles += [Profile(label, name) for label, name in named.names.items()]
        material.caveats += named.caveats
    elif "speaker" not in material.rows:
        turns = naming.voices(said)
        if turns:
            source = material.sources["transcript"]
            material.rows["speaker"] = list(turns)
            material.sources["speaker"] = replace(source, params={**source.params, "from": "voices of the text"})
    if "emotion" in material.rows:
        felt, unknown = emotions.known(row for row in material.rows["emotion"] if isinstance(row, Emotion))
        material.rows["emotion"] = list(naming.speak(felt, turns))
        material.caveats += emotions.note(unknown)


def _from_other_file(material: Material) -> bool:
    said, heard = (material.sources[kind].params["sha256"] for kind in ("transcript", "speaker"))
    return bool(said != heard)


def _manifest(material: Material) -> dict[str, Any]:
    return {"files": [report.entry() for report in material.reports], "notes": list(material.caveats)}


def _store(database: Database, new: NewRecording, material: Material) -> Recording:
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        for kind in STREAMS:
            if kind in material.rows:
                stream = streams.new_version(connection, recording.id, kind, material.sources[kind])
                streams.publish(connection, stream, material.rows[kind])
        speakers.introduce(connection, recording.id, material.profiles)
        streams.finish(connection, recording.id, material.language)
        examine(connection, recording)
        stored = recordings.by_hash(connection, new.sha256)
    assert stored is not None
    return stored
