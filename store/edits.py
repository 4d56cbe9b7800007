"""What people changed about voices, as a log: rename, alias, merge, split, each of which can be taken back.

Names are written over and come back from the edit's `before`; rows follow from the log (`store.voicing`), so that an
edit can be taken back whatever was heard since. Two voices become one only by a merge that somebody asked for.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, cast

from store import voicing
from store.errors import DataError, NotFound
from store.record import Span, is_generic, union
from store.speakers import Named, check_free, find, fresh_label, proper, same, store

Action = Literal["rename", "alias", "merge", "split"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: the voice before and after; of a merge `other` is the voice that is part of it now.

    Of a split, `before` is the voice that lost what it said within `spans`, and `after` the one that has it.
    """

    id: int
    action: Action
    before: Named
    after: Named
    undone: bool
    at: str
    other: Named | None = None
    spans: tuple[Span, ...] = ()


def rename(connection: sqlite3.Connection, rec_id: int, old: str, new: str) -> Named:
    """Give a voice a name, which is no alias of it any more; the name it has already changes nothing.

    NotFound names the voices, DataError says why two voices would share a name.
    """
    voice, name = find(connection, rec_id, old), proper(new)
    check_free(connection, rec_id, voice, name)
    if name == voice.name:
        return voice
    others = tuple(alias for alias in voice.aliases if same(alias) != same(name))
    return _change(connection, rec_id, "rename", voice, replace(voice, name=name, aliases=others))


def add_alias(connection: sqlite3.Connection, rec_id: int, voice: str, alias: str) -> Named:
    """Add a name by which a voice may also be asked for; errors as of `rename`."""
    found, name = find(connection, rec_id, voice), proper(alias)
    check_free(connection, rec_id, found, name)
    if same(name) in map(same, (found.display, *found.aliases)):
        return found
    return _change(connection, rec_id, "alias", found, replace(found, aliases=(*found.aliases, name)))


def merge(connection: sqlite3.Connection, rec_id: int, first: str, second: str) -> Named:
    """Make the second voice part of the first: its turns, words and emotions, and its names as aliases.

    A first voice without a name takes the second's. Errors as of `rename`; DataError when both are one voice.
    """
    voice, other = find(connection, rec_id, first), find(connection, rec_id, second)
    if voice.id == other.id:
        raise DataError(f"'{first}' and '{second}' are one voice already: {voice.label}; give two voices")
    names = [name for name in (other.display, *other.aliases) if not is_generic(name)]
    name = voice.name
    if is_generic(voice.display) and other.name is not None:
        name = other.name
    known = {same(name or voice.label), *map(same, voice.aliases)}
    aliases = (*voice.aliases, *(alias for alias in names if same(alias) not in known))
    after = _change(connection, rec_id, "merge", voice, replace(voice, name=name, aliases=aliases), other=_json(other))
    voicing.settle(connection, rec_id)
    return after


def split(
    connection: sqlite3.Connection, rec_id: int, voice: str, spans: Sequence[Span], name: str | None = None
) -> Named:
    """Make what a voice says within spans a voice of its own; a row goes when most of it lies in them.

    NotFound without the voice; DataError when nothing or all of it would go, or when the name is taken.
    """
    found = find(connection, rec_id, voice)
    called = None if name is None else proper(name)
    if called is not None:
        check_free(connection, rec_id, None, called)
    rows = connection.execute("SELECT label FROM speaker WHERE rec_id = ?", (rec_id,)).fetchall()
    label = fresh_label([str(row["label"]) for row in rows])
    connection.execute("INSERT INTO speaker(rec_id, label, name) VALUES(?, ?, ?)", (rec_id, label, called))
    (made,) = connection.execute("SELECT id FROM speaker WHERE rec_id = ? AND label = ?", (rec_id, label)).fetchone()
    within = [[span.t0, span.t1] for span in union(spans)]
    after = _change(connection, rec_id, "split", found, Named(made, label, called, ()), spans=within)
    voicing.settle(connection, rec_id)
    left, gone = (voicing.asked_rows(connection, rec_id, one) for one in (found.id, made))
    if not gone:
        raise DataError(f"{found.display} says nothing that lies mostly within these times; `ask` who spoke when")
    if not left:
        raise DataError(f"all that {found.display} says lies within these times; --rename gives the voice a name")
    return after


def undo(connection: sqlite3.Connection, rec_id: int) -> Edit:
    """Take back the latest edit that still stands; NotFound when there is none."""
    standing = [edit for edit in edits(connection, rec_id) if not edit.undone]
    if not standing:
        raise NotFound("there is no edit of a voice to undo in this recording")
    last = standing[-1]
    connection.execute("UPDATE speaker_edit SET undone = 1 WHERE id = ?", (last.id,))
    if last.action == "split":
        store(connection, replace(last.after, name=None, aliases=()))
    else:
        store(connection, last.before)
    if last.action in ("merge", "split"):
        voicing.settle(connection, rec_id)
    return last


def edits(connection: sqlite3.Connection, rec_id: int) -> list[Edit]:
    """Give a recording's edits, oldest first."""
    rows = connection.execute("SELECT * FROM speaker_edit WHERE rec_id = ? ORDER BY id", (rec_id,))
    return [_edit(row) for row in rows]


def _edit(row: sqlite3.Row) -> Edit:
    after = json.loads(row["after"])
    other = _named(after["other"]) if "other" in after else None
    spans = tuple(Span(t0, t1) for t0, t1 in after.get("spans", ()))
    action, before = cast(Action, row["action"]), _named(json.loads(row["before"]))
    return Edit(row["id"], action, before, _named(after), bool(row["undone"]), row["at"], other, spans)


def _change(
    connection: sqlite3.Connection, rec_id: int, action: Action, before: Named, after: Named, **told: Any
) -> Named:
    store(connection, after)
    connection.execute(
        "INSERT INTO speaker_edit(rec_id, action, before, after, at, through)"
        " VALUES(?, ?, ?, ?, ?, (SELECT COALESCE(MAX(id), 0) FROM stream WHERE rec_id = ?))",
        (rec_id, action, _text(_json(before)), _text(_json(after) | told),
         datetime.now(UTC).isoformat(timespec="seconds"), rec_id),
    )  # fmt: skip
    return after


def _json(voice: Named) -> dict[str, Any]:
    return {"id": voice.id, "label": voice.label, "name": voice.name, "aliases": list(voice.aliases)}


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _named(row: Mapping[str, Any]) -> Named:
    return Named(row["id"], row["label"], row["name"], tuple(row["aliases"]))
