"""A world observed: its truth, or what noise leaves of it, published as the four streams of a recording."""

import hashlib

from agent.evals.worlds import cast
from agent.evals.worlds.noise import Heard, Noise, heard
from agent.evals.worlds.world import World
from store import recordings, streams
from store.database import Database
from store.record import Row, StreamKind
from store.recordings import NewRecording, Recording
from store.streams import Source
from tools.health.examine import examine


def publish(database: Database, world: World, title: str | None = None, noise: Noise | None = None) -> Recording:
    """Store a world as a recording of its own, heard to its end: its truth, or as it is heard with noise."""
    spec = world.spec
    name = title or f"World {spec.seed} {spec.minutes:g} min"
    knobs = noise.manifest() if noise is not None else {}
    sha256 = hashlib.sha256(f"{name}:{spec}{knobs or ''}".encode()).hexdigest()
    observed: World | Heard = world if noise is None else heard(world, noise)
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [*observed.segments],
        "speaker": [*observed.turns],
        "emotion": [*observed.emotions],
        "events": [*observed.events],
    }
    labels: dict[StreamKind, list[str]] = {"emotion": cast.words("emotions"), "events": cast.words("sounds")}
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording(sha256, name, "import", world.duration_ms, estimated=True))
        for kind, found in rows.items():
            source = Source("world", {"seed": spec.seed} | ({"noise": knobs} if knobs else {}), labels.get(kind))
            version = streams.new_version(connection, recording.id, kind, source)
            streams.publish(connection, version, found)
        streams.finish(connection, recording.id, "en")
        examine(connection, recording)
        return recordings.find(connection, recording.public_id)
