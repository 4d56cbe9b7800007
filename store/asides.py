"""What was written down and is no evidence: kept beside its stream's rows with the reason, and never asked.

It lies in no view and no index, so no question, export or model-written SQL can take it for something that was said;
`show --aside` prints it, because what a recogniser invents is a fact about it.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Reason = Literal["outside_speech", "no_speech", "loop", "past_end", "format"]


@dataclass(frozen=True, slots=True)
class SetAside:
    """Text that was written down but is no evidence, and why."""

    t0: int
    t1: int
    text: str
    reason: Reason


def keep(connection: sqlite3.Connection, stream_id: int, found: Iterable[SetAside]) -> None:
    """Keep what was set aside beside a version of a stream."""
    rows = [(stream_id, one.t0, max(one.t1, one.t0 + 1), one.text, one.reason) for one in found]
    connection.executemany("INSERT INTO aside(stream_id, t0, t1, text, reason) VALUES(?, ?, ?, ?, ?)", rows)


def asides(connection: sqlite3.Connection, rec_id: int) -> list[SetAside]:
    """Give what was set aside from a recording's active streams, in order of time."""
    rows = connection.execute(
        "SELECT a.t0, a.t1, a.text, a.reason FROM aside a JOIN stream s ON s.id = a.stream_id"
        " WHERE s.rec_id = ? AND s.active = 1 ORDER BY a.t0, a.id",
        (rec_id,),
    )
    return [SetAside(*row) for row in rows]
