"""What a file may know of a voice besides its label; said once when it is imported, so it is no edit to undo."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """A voice's label, its name, other names for it, and why it may be none."""

    label: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    doubt: str | None = None


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
