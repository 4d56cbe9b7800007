"""What is known of voices: the label each was heard under, the name it goes by, other names for it, its doubts.

A label never changes. What people change is in the log of `store.edits`.
"""

import json
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from store.errors import DataError, NotFound
from store.record import is_generic
from store.voicing import asked_rows, moves

LONGEST = 120
_LATER = "leave the name out and then merge"


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

    @property
    def forms(self) -> tuple[str, ...]:
        """Everything it answers to."""
        return (self.display, self.label, *self.aliases)


def introduce(connection: sqlite3.Connection, rec_id: int, profiles: Iterable[Profile]) -> None:
    """Give names, aliases and doubts to voices that rows already mention; others are not made."""
    connection.executemany(
        "UPDATE speaker SET name = ?, aliases = ?, doubt = ? WHERE rec_id = ? AND label = ?",
        ((p.name, json.dumps(list(p.aliases)), p.doubt, rec_id, p.label) for p in profiles),
    )


def profiles(connection: sqlite3.Connection, rec_id: int) -> list[Profile]:
    """Give what is known of each voice of a recording, in the order they were first heard of."""
    return [
        Profile(row["label"], row["name"], tuple(json.loads(row["aliases"])), row["doubt"])
        for row in _standing(connection, rec_id)
    ]


def voices(connection: sqlite3.Connection, rec_id: int) -> list[Named]:
    """Give a recording's voices in the order they were first heard of, without those merged into another."""
    return [
        Named(row["id"], row["label"], row["name"], tuple(json.loads(row["aliases"])))
        for row in _standing(connection, rec_id)
    ]


def find(connection: sqlite3.Connection, rec_id: int, wanted: str) -> Named:
    """Give the voice of this name, label or alias; NotFound names the voices, DataError says that several are meant."""
    known = voices(connection, rec_id)
    key = same(wanted)
    shown = [voice for voice in known if same(voice.display) == key]
    found = shown or [voice for voice in known if key in map(same, voice.forms)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(f"'{wanted}' is {len(found)} voices: {_labels(found)}; give the label")
    raise NotFound(f"no voice '{wanted}'; the voices are: {_labels(known) or 'none'}")


def proper(name: str) -> str:
    """Give a name as it is stored; DataError when it is none."""
    written = " ".join(unicodedata.normalize("NFC", name).split())
    if not written or len(written) > LONGEST or any(unicodedata.category(letter)[0] == "C" for letter in written):
        raise DataError(f"{name[:LONGEST]!r} is no name; give 1 to {LONGEST} printable characters")
    if is_generic(written):
        raise DataError(f"'{written}' is the form of a label and not a name; give the person's name")
    return written


def check_free(connection: sqlite3.Connection, rec_id: int, voice: Named | None, name: str) -> None:
    """Raise DataError when another voice answers to a name: whether they are one person only a person can say."""
    for other in voices(connection, rec_id):
        if (voice is None or other.id != voice.id) and same(name) in map(same, other.forms):
            merges = f"merge them: --merge '{other.display}+{voice.display}'" if voice else _LATER
            whose = f"{other.label} is already called {name}" if same(other.label) != same(name) else "there is one"
            raise DataError(
                f"that would make two {name}s: {whose}; if they are one person, {merges};"
                f" if they are two, give this voice a name of its own, such as '{name} 2'"
            )


def store(connection: sqlite3.Connection, voice: Named) -> None:
    """Write a voice's name and aliases."""
    aliases = json.dumps(list(voice.aliases), ensure_ascii=False)
    connection.execute("UPDATE speaker SET name = ?, aliases = ? WHERE id = ?", (voice.name, aliases, voice.id))


def fresh_label(taken: Collection[str]) -> str:
    """Give the first label of a recogniser's form that no voice bears."""
    return next(label for n in range(len(taken) + 1) if (label := f"SPEAKER_{n:02}") not in taken)


def same(name: str) -> str:
    """Give the form in which two names are one: C25's NFC and NFD, and capitals, do not matter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _standing(connection: sqlite3.Connection, rec_id: int) -> list[sqlite3.Row]:
    """Give the voices but those that are part of another, and those of a split that was taken back."""
    merged = {move.source for move in moves(connection, rec_id) if move.spans is None}
    undone = connection.execute(
        "SELECT json_extract(after, '$.id') FROM speaker_edit WHERE rec_id = ? AND action = 'split' AND undone",
        (rec_id,),
    )
    gone = merged | {voice for (voice,) in undone if not asked_rows(connection, rec_id, voice)}
    rows = connection.execute("SELECT * FROM speaker WHERE rec_id = ? ORDER BY id", (rec_id,))
    return [row for row in rows if row["id"] not in gone]


def _labels(known: Sequence[Named]) -> str:
    return ", ".join(voice.label if voice.name is None else f"{voice.name} ({voice.label})" for voice in known)
