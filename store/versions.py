"""All versions of a recording's streams: the one that is asked and those it replaced, none of which is ever lost."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.record import STREAMS, StreamKind
from store.streams import Source


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a stream: its number, whether it is the one that is asked, its rows counted, their source.

    `heard_ms` is its own watermark, `checks` what was found out about its rows.
    """

    id: int
    kind: StreamKind
    number: int
    active: bool
    rows: int
    source: Source
    heard_ms: int = 0
    checks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> str | None:
        """The file its rows were read from or follow, None when a recogniser made them and nothing changed them."""
        name, follows = (self.source.params.get(key) for key in ("file", "follows"))
        return f"follows {follows}" if follows else str(name) if name else None


def versions(connection: sqlite3.Connection, rec_id: int) -> list[Version]:
    """Give the versions of a recording's streams, oldest first in each stream."""
    found = [_version(row) for row in connection.execute("SELECT * FROM stream WHERE rec_id = ?", (rec_id,))]
    return sorted(found, key=lambda version: (STREAMS.index(version.kind), version.number))


def _version(row: sqlite3.Row) -> Version:
    labels = None if row["labels"] is None else json.loads(row["labels"])
    source = Source(row["model"], json.loads(row["params"]), labels, row["health"], row["note"])
    return Version(
        row["id"], row["kind"], row["version"], bool(row["active"]), row["rows"], source, row["heard_ms"],
        json.loads(row["checks"]),
    )  # fmt: skip
