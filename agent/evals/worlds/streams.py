"""A world observed: its truth, or what noise leaves of it, published as the four streams of a recording."""

import hashlib
from collections.abc import Iterable

from agent.evals.worlds import cast
from agent.evals.worlds.noise import Heard, Noise, heard
from agent.evals.worlds.truth import World
from store import recordings, streams
from store.database import Database
from store.record import Row, StreamKind
from store.recordings import NewRecording, Recording
from store.streams import Source
from tools.health.examine import examine
from tools.imports.fit import fit
from tools.imports.parsed import Placed


def publish(
    database: Database,
    world: World,
    title: str | None = None,
    noise: Noise | None = None,
    observed: World | Heard | None = None,
) -> Recording:
    """Store a world as a recording of its own, heard to its end: its truth, or as it is heard with noise.

    `observed` is what that noise leaves of it, for who has that already.
    """
    spec = world.spec
    name = title or f"World {spec.seed} {spec.minutes:g} min{', with decoys' if spec.decoys else ''}"
    knobs = noise.manifest() if noise is not None else {}
    sha256 = hashlib.sha256(f"{name}:{spec}{' decoys' if spec.decoys else ''}{knobs or ''}".encode()).hexdigest()
    observed = observed or (world if noise is None else heard(world, noise))
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [*observed.segments],
        "speaker": [*observed.turns],
        "emotion": [*observed.emotions],
        "events": [*observed.events],
    }
    absent = observed.absent if isinstance(observed, Heard) else ()
    finer = [label for labels in cast.decoys()["finer"].values() for label in labels]
    heard_as = cast.words("sounds") + (finer if noise is not None and noise.synonyms else [])
    labels: dict[StreamKind, list[str]] = {"emotion": cast.words("emotions"), "events": heard_as}
    with database.writing() as connection:
        recording = recordings.add(connection, NewRecording(sha256, name, "import", world.duration_ms, estimated=True))
        for kind, found in rows.items():
            if kind in absent:
                continue
            source = Source("world", {"seed": spec.seed} | ({"noise": knobs} if knobs else {}), labels.get(kind))
            version = streams.new_version(connection, recording.id, kind, source)
            streams.publish(connection, version, _fitting(found, world) if noise is not None else found)
        streams.finish(connection, recording.id, "en")
        examine(connection, recording)
        return recordings.find(connection, recording.public_id)


def _fitting(rows: Iterable[Row], world: World) -> list[Row]:
    """Give rows as an import takes them: what ends before it begins is mended when slight, else set aside."""
    placed = (Placed(at, row) for at, row in enumerate(rows, 1))
    return [one.row for one in fit(placed, world.duration_ms).rows]
