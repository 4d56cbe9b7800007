"""What is known of voices: what a file said once, and the names people give since.

Every change by a person is an edit in a log and can be undone; none merges two voices.
"""

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from store.errors import DataError, NotFound
from store.record import is_generic

LONGEST = 120


@dataclass(frozen=True, slots=True)
class Profile:
    """A voice's label, its name, other names for it, and why it may be none."""

    label: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A voice as people know it: its label never changes."""

    id: int
    label: str
    name: str | None
    aliases: tuple[str, ...]

    @property
    def display(self) -> str:
        """The name people see."""
        return self.name or self.label


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a voice's names, the latest of which can be undone."""

    id: int
    action: str
    before: Named
    after: Named
    undone: bool
    at: str


def introduce(connection: sqlite3.Connection, rec_id: int, profiles: Iterable[Profile]) -> None:
    """Give names, aliases and doubts to voices that rows already mention; others are not made."""
    connection.executemany(
        "UPDATE speaker SET name = ?, aliases = ?, doubt = ? WHERE rec_id = ? AND label = ?",
        ((p.name, json.dumps(list(p.aliases)), p.doubt, rec_id, p.label) for p in profiles),
    )


def profiles(connection: sqlite3.Connection, rec_id: int) -> list[Profile]:
    """Give what is known of each voice of a recording, in the order they were first heard of."""
    rows = connection.execute("SELECT * FROM speaker WHERE rec_id = ? ORDER BY id", (rec_id,))
    return [Profile(row["label"], row["name"], tuple(json.loads(row["aliases"])), row["doubt"]) for row in rows]


def voices(connection: sqlite3.Connection, rec_id: int) -> list[Named]:
    """Give a recording's voices in the order they were first heard of."""
    rows = connection.execute("SELECT * FROM speaker WHERE rec_id = ? ORDER BY id", (rec_id,))
    return [Named(row["id"], row["label"], row["name"], tuple(json.loads(row["aliases"]))) for row in rows]


def rename(connection: sqlite3.Connection, rec_id: int, old: str, new: str) -> Named:
    """Give a voice a name; NotFound names the voices, DataError says why two voices would share a name."""
    voice = _find(connection, rec_id, old)
    name = _proper(new)
    _check_free(connection, rec_id, voice, name)
    return _change(connection, rec_id, "rename", voice, name, voice.aliases)


def add_alias(connection: sqlite3.Connection, rec_id: int, voice: str, alias: str) -> Named:
    """Add a name by which a voice may also be asked for; errors as of `rename`."""
    found = _find(connection, rec_id, voice)
    name = _proper(alias)
    _check_free(connection, rec_id, found, name)
    if _same(name) in map(_same, (found.display, *found.aliases)):
        return found
    return _change(connection, rec_id, "alias", found, found.name, (*found.aliases, name))


def undo(connection: sqlite3.Connection, rec_id: int) -> Edit:
    """Take back the latest edit that still stands; NotFound when there is none."""
    standing = [edit for edit in edits(connection, rec_id) if not edit.undone]
    if not standing:
        raise NotFound("there is no edit of a voice to undo in this recording")
    last = standing[-1]
    _store(connection, last.before)
    connection.execute("UPDATE speaker_edit SET undone = 1 WHERE id = ?", (last.id,))
    return last


def edits(connection: sqlite3.Connection, rec_id: int) -> list[Edit]:
    """Give a recording's edits, oldest first."""
    rows = connection.execute("SELECT * FROM speaker_edit WHERE rec_id = ? ORDER BY id", (rec_id,))
    return [
        Edit(row["id"], row["action"], _named(row["before"]), _named(row["after"]), bool(row["undone"]), row["at"])
        for row in rows
    ]


def _find(connection: sqlite3.Connection, rec_id: int, wanted: str) -> Named:
    known = voices(connection, rec_id)
    key = _same(wanted)
    shown = [voice for voice in known if _same(voice.display) == key]
    found = shown or [voice for voice in known if key in map(_same, (voice.label, *voice.aliases))]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(f"'{wanted}' is {len(found)} voices: {_labels(found)}; give the label")
    raise NotFound(f"no voice '{wanted}'; the voices are: {_labels(known) or 'none'}")


def _check_free(connection: sqlite3.Connection, rec_id: int, voice: Named, name: str) -> None:
    for other in voices(connection, rec_id):
        if other.id != voice.id and _same(name) in map(_same, (other.label, other.display, *other.aliases)):
            raise DataError(
                f"that would make two {name}s: {other.label} is already called {name}; give this voice a name of its"
                f" own, such as '{name} 2', or rename {other.label} first"
            )


def _proper(name: str) -> str:
    proper = " ".join(unicodedata.normalize("NFC", name).split())
    if not proper or len(proper) > LONGEST or any(unicodedata.category(letter)[0] == "C" for letter in proper):
        raise DataError(f"{name!r} is no name; give 1 to {LONGEST} printable characters")
    if is_generic(proper):
        raise DataError(f"'{proper}' is the form of a label and not a name; give the person's name")
    return proper


def _change(
    connection: sqlite3.Connection, rec_id: int, action: str, voice: Named, name: str | None, aliases: Sequence[str]
) -> Named:
    after = Named(voice.id, voice.label, name, tuple(aliases))
    _store(connection, after)
    connection.execute(
        "INSERT INTO speaker_edit(rec_id, action, before, after, at) VALUES(?, ?, ?, ?, ?)",
        (rec_id, action, _json(voice), _json(after), datetime.now(UTC).isoformat(timespec="seconds")),
    )
    return after


def _store(connection: sqlite3.Connection, voice: Named) -> None:
    aliases = json.dumps(list(voice.aliases), ensure_ascii=False)
    connection.execute("UPDATE speaker SET name = ?, aliases = ? WHERE id = ?", (voice.name, aliases, voice.id))


def _json(voice: Named) -> str:
    row = {"id": voice.id, "label": voice.label, "name": voice.name, "aliases": list(voice.aliases)}
    return json.dumps(row, sort_keys=True, ensure_ascii=False)


def _named(text: str) -> Named:
    row = json.loads(text)
    return Named(row["id"], row["label"], row["name"], tuple(row["aliases"]))


def _same(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _labels(known: Sequence[Named]) -> str:
    return ", ".join(voice.label if voice.name is None else f"{voice.name} ({voice.label})" for voice in known)
