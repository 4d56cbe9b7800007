"""What files say together, before anything is stored: their rows brought inside the recording, counted and told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from store.clock import clock
from store.errors import UsageError
from store.listing import listed
from store.record import STREAMS, Row, Segment, StreamKind, Turn
from store.speakers import Profile
from store.streams import Source
from tools.imports.files import Role, read_file
from tools.imports.fit import Fitted, fit
from tools.imports.parsed import Parsed
from tools.sanitize import one_line

SHOWN = 20
_LISTED = 1000


@dataclass(frozen=True, slots=True)
class Read:
    """One file read: what it was given for, its name, what it holds, its SHA-256."""

    role: Role
    name: str
    parsed: Parsed
    sha256: str


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
        rows = f"{'cue' if self.role == 'transcript' else 'row'}{'' if self.imported == 1 else 's'}"
        said = f"{self.name}: imported {self.imported} {rows}"
        for verb, places in (("clamped", self.clamped), ("set aside", self.set_aside)):
            if places:
                said += f", {verb} {len(places)}: {self.unit}{'s' * (len(places) > 1)} {listed(places, SHOWN)}"
        return said

    def entry(self) -> dict[str, Any]:
        """Give it as a recording's manifest keeps it."""
        return {
            "name": self.name,
            "role": self.role,
            "format": self.format,
            "sha256": self.sha256,
            "imported": self.imported,
            "clamped": list(self.clamped[:_LISTED]),
            "set_aside": list(self.set_aside[:_LISTED]),
            "set_aside_count": len(self.set_aside),
        }


@dataclass(slots=True)
class Material:
    """Rows and their sources by stream, what is known of voices, and what a person is to be told."""

    rows: dict[StreamKind, list[Row]] = field(default_factory=dict)
    sources: dict[StreamKind, Source] = field(default_factory=dict)
    profiles: list[Profile] = field(default_factory=list)
    language: str | None = None
    reports: list[FileReport] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)

    @property
    def segments(self) -> list[Segment]:
        """The transcript's rows."""
        return [row for row in self.rows.get("transcript", ()) if isinstance(row, Segment)]

    @property
    def turns(self) -> list[Turn]:
        """The speaker stream's rows."""
        return [row for row in self.rows.get("speaker", ()) if isinstance(row, Turn)]


def read(files: Sequence[tuple[Role, Path]]) -> list[Read]:
    """Read all files; a stream that has a file of its own is not taken from an export that holds all streams."""
    roles = [role for role, _ in files]
    found = []
    for role, path in files:
        if roles.count(role) > 1:
            raise UsageError(f"{path.name!r} brings the {role} stream a second time; give each stream once")
        parsed, digest = read_file(path, role)
        kinds = (kind for kind in STREAMS if kind == role or kind not in roles)
        found.append(Read(role, path.name, parsed.only(*kinds), digest))
    return found


def gather(files: Sequence[Read], duration_ms: int | None, measured: str) -> Material:
    """Bring the rows of files inside a duration, named as `measured`; without one only the start binds."""
    material = Material()
    for file in files:
        fitted = fit(file.parsed.rows, duration_ms)
        _take(material, file, fitted)
        if fitted.beyond_ms and duration_ms is not None:
            material.caveats.append(
                f"{file.name} reaches {clock(duration_ms + fitted.beyond_ms)}, {measured} {clock(duration_ms)}: "
                "its times drift, or it belongs to another recording"
            )
    return material


def _take(material: Material, file: Read, fitted: Fitted) -> None:
    name, parsed = one_line(file.name), file.parsed
    aside = tuple(sorted({*parsed.lost, *fitted.aside}))
    report = FileReport(
        name, parsed.format, file.role, len(fitted.rows), fitted.clamped, aside, parsed.unit, file.sha256
    )
    material.reports.append(report)
    material.caveats += [f"{name}: {note}" for note in parsed.notes]
    material.language = material.language or parsed.language
    material.profiles += parsed.voices
    for kind in STREAMS:
        rows = [placed.row for placed in Parsed(parsed.format, fitted.rows).of(kind)]
        if rows or file.role == kind or kind in parsed.sources:
            material.rows[kind] = rows
            material.sources[kind] = _source(parsed, kind, name, file.sha256)


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
