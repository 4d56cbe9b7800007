"""The clean observation of a world: its truth published as the four streams of a recording."""

import hashlib

from agent.evals.worlds import cast
from agent.evals.worlds.world import World
from store import recordings, streams
from store.database import Database
from store.record import Row, StreamKind
from store.recordings import NewRecording, Recording
from store.streams import Source


def publish(database: Database, world: World, title: str | None = None) -> Recording:
    """Store a world as a recording of its own, heard to its end."""
    spec = world.spec
    name = title or f"World {spec.seed} {spec.minutes:g} min"
    sha256 = hashlib.sha256(f"{name}:{spec}".encode()).hexdigest()
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [*world.segments],
        "speaker": [*world.turns],
        "emotion": [*world.emotions],
        "events": [*world.events],
    }
    labels: dict[StreamKind, list[str]] = {"emotion": cast.words("emotions"), "events": cast.words("sounds")}
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording(sha256, name, "import", world.duration_ms, estimated=True))
        for kind, found in rows.items():
            source = Source("world", {"seed": spec.seed}, labels.get(kind))
            streams.publish(connection, streams.new_version(connection, recording.id, kind, source), found)
        streams.finish(connection, recording.id, "en")
        return recordings.find(connection, recording.public_id)
