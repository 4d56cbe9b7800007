"""Whose each row is: the voice it was heard as, changed by the merges and splits that stand, in their order.

Rows bear the outcome, so that every question, view and export sees it and the indexes by voice serve it; the few rows
that changed keep in `moved` what they were heard as. A merge or a split is thus taken back by settling anew without it,
also after a new listening. What a file says of voices is the word of whoever corrected it: only later edits change it.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from store.record import Span, StreamKind

VOICED: Mapping[StreamKind, str] = {"speaker": "turn", "transcript": "segment", "emotion": "emotion"}


@dataclass(frozen=True, slots=True)
class Move:
    """A standing merge (`voice` takes all of `source`) or split (`voice` takes what `source` says within spans)."""

    edit: int
    voice: int
    source: int
    spans: tuple[Span, ...] | None
    through: int

    def takes(self, voice: int, t0: int, t1: int) -> bool:
        """Say whether a row of this voice is taken; one that is split, when most of it lies in the spans."""
        if voice != self.source or self.spans is None:
            return voice == self.source
        return 2 * sum(Span(max(t0, s.t0), min(t1, s.t1)).duration for s in self.spans) > t1 - t0


@dataclass(frozen=True, slots=True)
class Attributed:
    """A row's time, whose it is now, and whose it would be without merges."""

    t0: int
    t1: int
    now: int
    apart: int


def moves(connection: sqlite3.Connection, rec_id: int) -> list[Move]:
    """Give the merges and splits that stand, oldest first."""
    rows = connection.execute(
        "SELECT * FROM speaker_edit WHERE rec_id = ? AND action IN ('merge', 'split') AND NOT undone ORDER BY id",
        (rec_id,),
    )
    return [_move(row) for row in rows]


def attributed(heard: int, t0: int, t1: int, standing: Iterable[Move]) -> Attributed:
    """Give whose a row is that was heard as a voice."""
    now = apart = heard
    for move in standing:
        if move.takes(now, t0, t1):
            now = move.voice
            apart = apart if move.spans is None else now
    return Attributed(t0, t1, now, apart)


def roots(standing: Iterable[Move]) -> dict[int, int]:
    """Give for each voice that was merged into another the voice it is part of."""
    found: dict[int, int] = {}
    for move in standing:
        if move.spans is None:
            found = {part: move.voice if whole == move.source else whole for part, whole in found.items()}
            found[move.source] = move.voice
    return found


def attribution(connection: sqlite3.Connection, stream_id: int) -> list[Attributed]:
    """Give whose each row of a version is, in order of time."""
    rec_id, kind = connection.execute("SELECT rec_id, kind FROM stream WHERE id = ?", (stream_id,)).fetchone()
    standing = _holding(connection, stream_id, moves(connection, rec_id))
    rows = _heard(connection, stream_id, VOICED[kind])
    return [attributed(heard, t0, t1, standing) for _, t0, t1, _, heard in rows if heard is not None]


def settle(connection: sqlite3.Connection, rec_id: int, stream_id: int | None = None) -> None:
    """Give each row of the recording, or of one version, the voice that the log makes of the one it was heard as."""
    standing = moves(connection, rec_id)
    every = connection.execute("SELECT id, kind FROM stream WHERE rec_id = ? ORDER BY id", (rec_id,)).fetchall()
    for found, kind in every:
        if kind in VOICED and stream_id in (None, found):
            _settle(connection, found, VOICED[kind], _holding(connection, found, standing))


def asked_rows(connection: sqlite3.Connection, rec_id: int, voice: int) -> int:
    """Count a voice's rows in the versions that are asked."""
    active = "SELECT id FROM stream WHERE rec_id = ? AND active = 1"
    counts = (
        f"(SELECT COUNT(*) FROM {table} WHERE stream_id IN ({active}) AND speaker_id = ?)" for table in VOICED.values()
    )
    (count,) = connection.execute(f"SELECT {' + '.join(counts)}", (rec_id, voice) * len(VOICED)).fetchone()
    return int(count)


def _settle(connection: sqlite3.Connection, stream_id: int, table: str, standing: Sequence[Move]) -> None:
    if not standing and not connection.execute("SELECT 1 FROM moved WHERE stream_id = ?", (stream_id,)).fetchone():
        return
    for row_id, t0, t1, now, heard in list(_heard(connection, stream_id, table)):
        if heard is None:
            continue
        voice = attributed(heard, t0, t1, standing).now
        if voice != now:
            connection.execute(f"UPDATE {table} SET speaker_id = ? WHERE id = ?", (voice, row_id))
            connection.execute("DELETE FROM moved WHERE stream_id = ? AND row_id = ?", (stream_id, row_id))
            if voice != heard:
                connection.execute("INSERT INTO moved VALUES(?, ?, ?)", (stream_id, row_id, heard))


def _heard(connection: sqlite3.Connection, stream_id: int, table: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Give id, time, voice now and voice heard of each row; voices may be None."""
    yield from connection.execute(
        f"SELECT r.id, r.t0, r.t1, r.speaker_id, COALESCE(m.heard_id, r.speaker_id) FROM {table} r"
        " LEFT JOIN moved m ON m.stream_id = r.stream_id AND m.row_id = r.id WHERE r.stream_id = ?"
        " ORDER BY r.t0, r.t1, r.id",
        (stream_id,),
    )


def _holding(connection: sqlite3.Connection, stream_id: int, standing: Sequence[Move]) -> list[Move]:
    """Give the moves that hold for a version: all for one that was heard, the later ones for one that a file gave."""
    (params,) = connection.execute("SELECT params FROM stream WHERE id = ?", (stream_id,)).fetchone()
    heard = not {"file", "follows"} & set(json.loads(params))
    return [move for move in standing if heard or stream_id <= move.through]


def _move(row: sqlite3.Row) -> Move:
    after = json.loads(row["after"])
    merged = row["action"] == "merge"
    source = after["other"]["id"] if merged else json.loads(row["before"])["id"]
    spans = None if merged else tuple(Span(t0, t1) for t0, t1 in after["spans"])
    return Move(row["id"], after["id"], source, spans, row["through"])
