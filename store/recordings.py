"""Recordings in the library: identity is the SHA-256 of the bytes, the public id a slug and eight hex digits of it."""

import json
import os
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from store.errors import NotFound
from store.listing import listed
from store.speakers import same

State = Literal["listening", "ready"]
Roster = Literal["auto", "open", "closed"]


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording: times in milliseconds; `estimated` when the duration comes from rows and not from audio."""

    id: int
    public_id: str
    title: str
    sha256: str
    path: str | None
    origin: str
    duration_ms: int
    estimated: bool
    heard_ms: int
    state: State
    language: str | None
    roster: Roster
    manifest: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewRecording:
    """What is known of a recording before any stream is heard."""

    sha256: str
    title: str
    origin: Literal["ingest", "import"]
    duration_ms: int
    path: str | None = None
    estimated: bool = False
    roster: Roster = "auto"
    manifest: dict[str, Any] = field(default_factory=dict)


def public_id(title: str, sha256: str) -> str:
    """Give the id people see: a slug of the title and eight hex digits of the content's hash."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", folded.lower()).strip("-")[:40].strip("-")
    return f"{slug or 'recording'}-{sha256[:8]}"


def add(connection: sqlite3.Connection, new: NewRecording) -> Recording:
    """Add a recording in state `listening`, or give the one that has the same bytes."""
    known = by_hash(connection, new.sha256)
    if known is not None:
        return known
    connection.execute(
        "INSERT INTO recording(public_id, sha256, title, path, origin, duration_ms, estimated, state, roster, manifest,"
        " created_at) VALUES(?, ?, ?, ?, ?, ?, ?, 'listening', ?, ?, ?)",
        (
            public_id(new.title, new.sha256),
            new.sha256,
            new.title,
            None if new.path is None else _path(new.path),
            new.origin,
            new.duration_ms,
            new.estimated,
            new.roster,
            json.dumps(new.manifest, sort_keys=True),
            datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    added = by_hash(connection, new.sha256)
    assert added is not None
    return added


def by_hash(connection: sqlite3.Connection, sha256: str) -> Recording | None:
    """Give the recording with these bytes, None when there is none."""
    row = connection.execute("SELECT * FROM recording WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _recording(row)


def every(connection: sqlite3.Connection) -> list[Recording]:
    """Give all recordings, oldest first."""
    return [_recording(row) for row in connection.execute("SELECT * FROM recording ORDER BY id")]


def find(connection: sqlite3.Connection, key: str) -> Recording:
    """Give the recording whose public id, title, or unique beginning of either this is; NotFound says what exists.

    Titles are compared as names are, since a file's name may be written in another form than it is typed.
    """
    recordings, wanted = every(connection), same(key)
    ways: tuple[Callable[[Recording], bool], ...] = (
        lambda r: key in (r.public_id, r.title),
        lambda r: bool(wanted) and same(r.title) == wanted,
        lambda r: bool(key) and r.public_id.startswith(key),
        lambda r: bool(wanted) and same(r.title).startswith(wanted),
    )
    near = next((found for way in ways if (found := [r for r in recordings if way(r)])), [])
    if len(near) == 1:
        return near[0]
    if near:
        raise NotFound(f"'{key}' names {len(near)} recordings: {_ids(near)}; give more of the id")
    there = f"the library holds {_ids(recordings)}" if recordings else "the library is empty: ingest or import one"
    raise NotFound(f"no recording '{key}'; {there}")


def forget(connection: sqlite3.Connection, rec_id: int) -> None:
    """Drop a recording that has no rows; `store.removal` removes one that has."""
    connection.execute("DELETE FROM recording WHERE id = ?", (rec_id,))


def remember(connection: sqlite3.Connection, rec_id: int, **notes: Any) -> None:
    """Add notes to a recording's manifest."""
    (text,) = connection.execute("SELECT manifest FROM recording WHERE id = ?", (rec_id,)).fetchone()
    merged = json.dumps(json.loads(text) | notes, sort_keys=True)
    connection.execute("UPDATE recording SET manifest = ? WHERE id = ?", (merged, rec_id))


def _path(path: str) -> str | bytes:
    """Give a path as it can be stored: as bytes when the file's name is no text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def _ids(recordings: Sequence[Recording]) -> str:
    return listed([recording.public_id for recording in recordings], 6)


def _recording(row: sqlite3.Row) -> Recording:
    return Recording(
        id=row["id"],
        public_id=row["public_id"],
        title=row["title"],
        sha256=row["sha256"],
        path=None if row["path"] is None else os.fsdecode(row["path"]),
        origin=row["origin"],
        duration_ms=row["duration_ms"],
        estimated=bool(row["estimated"]),
        heard_ms=row["heard_ms"],
        state=row["state"],
        language=row["language"],
        roster=row["roster"],
        manifest=json.loads(row["manifest"]),
    )
