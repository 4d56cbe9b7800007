"""A meeting's turns and sounds published as two streams of a recording, as if a recogniser had heard them.

Its sounds could have been any that the default recogniser reports, so that what was not laid counts as not heard.
"""

import hashlib
from collections.abc import Sequence

from agent.evals.worlds.truth import World
from store import recordings, streams
from store.database import Database
from store.record import Event, Row, StreamKind, Turn
from store.recordings import NewRecording
from store.streams import Source
from tools.events.labels import emits


def publish(database: Database, name: str, world: World, turns: Sequence[Turn], events: Sequence[Event]) -> str:
    """Store rows as a recording of its own, as long as its world, and give its id."""
    sha256 = hashlib.sha256(f"{name}:{world.spec}".encode()).hexdigest()
    found: dict[StreamKind, tuple[Sequence[Row], list[str] | None]] = {
        "speaker": (turns, None),
        "events": (events, sorted(emits() | {event.label for event in events})),
    }
    with database.writing() as connection:
        new = NewRecording(sha256, name, "import", world.duration_ms, estimated=True)
        recording = recordings.add(connection, new)
        for kind, (rows, labels) in found.items():
            version = streams.new_version(connection, recording.id, kind, Source("made", {}, labels))
            streams.publish(connection, version, list(rows))
        streams.finish(connection, recording.id, None)
        return recording.public_id
