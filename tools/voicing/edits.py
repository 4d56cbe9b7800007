"""People's edits of voices, told in a line each, and kept when a recording is heard again.

A new version's voices take the labels of the voices they are (`tools.voicing.voices`); publishing its rows then
follows the merges and splits that stand. What finds no voice stays in the log, and is listed as not applied.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from store import streams, voiceprints, voicing
from store.clock import clock
from store.edits import Edit, edits
from store.record import Turn
from store.speakers import Named
from store.voiceprints import Voiceprint
from store.voicing import Attributed, Move
from tools.voicing.voices import keep_labels


@dataclass(frozen=True, slots=True)
class Standing:
    """An edit that was not taken back, and whether the voices that are asked show it."""

    edit: Edit
    applied: bool

    def line(self) -> str:
        """Say it in one line."""
        return told(self.edit) + ("" if self.applied else " (not applied: no voice that was heard is this one)")


def replay(
    connection: sqlite3.Connection, rec_id: int, fresh: Sequence[Turn], prints: Mapping[str, Voiceprint] | None = None
) -> tuple[list[Turn], list[str]]:
    """Give the turns of a new listening with the labels of the voices they are, and a line for each edit left without.

    To be called before the new version becomes active, in its transaction: the active one says whose voices are whose.
    Labels are as heard: `streams.publish` gives the rows of merged and split voices to those who have them, so that
    an edit can still be taken back. `prints` are of the new voices, by their labels in `fresh`; only those of one model
    are compared.
    """
    active = streams.active(connection, rec_id).get("speaker")
    if active is None:
        return list(fresh), []
    labels, standing = _labels(connection, rec_id), voicing.moves(connection, rec_id)
    ids = {label: voice for voice, label in labels.items()}
    before = published(connection, active)
    part_of = {labels[part]: labels[whole] for part, whole in voicing.roots(standing).items()}
    ours, kept = prints or {}, voiceprints.stored(connection, active)
    models = {one.model for one in ours.values()}
    theirs = {labels[voice]: one.vector for voice, one in kept.items() if {one.model} == models}
    sounds = {label: one.vector for label, one in ours.items()}, theirs
    turns = keep_labels(fresh, before, part_of, sounds, ids)
    rows = [voicing.attributed(ids[t.speaker], t.t0, t.t1, standing) for t in turns if t.speaker in ids]
    log = [edit for edit in edits(connection, rec_id) if not edit.undone]
    return turns, [Standing(edit, False).line() for edit in log if not _applied(edit, rows, standing)]


def published(connection: sqlite3.Connection, stream_id: int) -> list[Turn]:
    """Give the turns of a speaker version as heard, so that voices that were merged can be told apart further on."""
    (rec_id,) = connection.execute("SELECT rec_id FROM stream WHERE id = ?", (stream_id,)).fetchone()
    labels = _labels(connection, rec_id)
    return [Turn(row.t0, row.t1, labels[row.apart]) for row in voicing.attribution(connection, stream_id)]


def standing(connection: sqlite3.Connection, rec_id: int) -> list[Standing]:
    """Give the edits that were not taken back, oldest first, each with whether it is applied."""
    active = streams.active(connection, rec_id)
    kinds = [active[kind] for kind in voicing.VOICED if kind in active]
    rows = [row for stream in kinds[:1] for row in voicing.attribution(connection, stream)]
    moves = voicing.moves(connection, rec_id)
    log = [edit for edit in edits(connection, rec_id) if not edit.undone]
    return [Standing(edit, _applied(edit, rows, moves)) for edit in log]


def told(edit: Edit) -> str:
    """Say what an edit did."""
    before, after = edit.before.display, edit.after
    if edit.action == "alias":
        return f"{after.display} may also be asked for as {after.aliases[-1]}"
    if edit.action == "merge" and edit.other is not None:
        return f"{_who(edit.other)} is part of {_who(after)}"
    if edit.action == "split":
        spans = ", ".join(f"{clock(span.t0)}-{clock(span.t1)}" for span in edit.spans)
        return f"what {before} says in {spans} is of {_who(after)}"
    return f"{before} is called {after.display if before == after.label else _who(after)}"


def _who(voice: Named) -> str:
    return voice.label if voice.name is None else f"{voice.name} ({voice.label})"


def _applied(edit: Edit, rows: Collection[Attributed], standing: Sequence[Move]) -> bool:
    """Say whether any row is the voice that an edit is about, or the person that voice became part of."""
    voice = edit.after.id
    whole = voicing.roots(standing).get(voice, voice)
    return any(row.apart == voice if edit.action == "split" else row.now == whole for row in rows)


def _labels(connection: sqlite3.Connection, rec_id: int) -> dict[int, str]:
    return dict(connection.execute("SELECT id, label FROM speaker WHERE rec_id = ?", (rec_id,)).fetchall())
