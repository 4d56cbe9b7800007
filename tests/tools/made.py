"""Small recordings made of a few rows, as an import would leave them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.speakers import Profile, introduce
from tools.health.examine import examine
from tools.plan import Plan, parse_plan


@dataclass(frozen=True)
class Made:
    """What one recording holds; a stream that is None was never computed, an empty one was."""

    transcript: Sequence[Segment] | None = None
    speaker: Sequence[Turn] | None = None
    emotion: Sequence[Emotion] | None = None
    events: Sequence[Event] | None = None
    profiles: Sequence[Profile] = ()
    emits: Mapping[StreamKind, Sequence[str]] = field(default_factory=dict)
    minutes: int = 60
    heard_ms: int | None = None
    roster: recordings.Roster = "auto"
    resolution_ms: Mapping[StreamKind, int] = field(default_factory=dict)
    health: Mapping[StreamKind, float] = field(default_factory=dict)

    def rows(self) -> dict[StreamKind, Sequence[Row]]:
        given: dict[StreamKind, Sequence[Row] | None] = {
            "transcript": self.transcript,
            "speaker": self.speaker,
            "emotion": self.emotion,
            "events": self.events,
        }
        return {kind: rows for kind, rows in given.items() if rows is not None}


def made(database: Database, *content: Made) -> Catalog:
    """Publish recordings, each called `one`, `two`, ..., and give their catalog."""
    with database.writing() as connection:
        for number, one in enumerate(content):
            new = recordings.NewRecording(
                f"{number:064x}", f"talk {number}", "import", one.minutes * 60_000, roster=one.roster
            )
            rec = recordings.add(connection, new).id
            for kind, rows in one.rows().items():
                params = {"resolution_ms": one.resolution_ms.get(kind, 0)}
                source = streams.Source("test", params, one.emits.get(kind), one.health.get(kind))
                streams.publish(connection, streams.new_version(connection, rec, kind, source), rows)
            introduce(connection, rec, one.profiles)
            if one.heard_ms is None:
                streams.finish(connection, rec, None)
                examine(connection, recordings.every(connection)[-1])
            else:
                streams.hear_until(connection, rec, one.heard_ms)
    with database.reader() as connection:
        return catalog(connection, recordings.every(connection))


def plan(*calls: tuple[str, Mapping[str, Any]], **fuse: object) -> Plan:
    """Give a plan of calls named a, b, c, ...; the anchor is `a`, and the partners join by `joins`."""
    tools = [{"name": name, "args": args, "id": "abcdef"[n]} for n, (name, args) in enumerate(calls)]
    return parse_plan([*tools, {"name": "fuse", "args": {"anchor": "a"} | fuse, "id": "f"}])
