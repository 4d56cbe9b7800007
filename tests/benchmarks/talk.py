"""Nine hours as a listener publishes them: made talk with a time for every word, in stretches of ten minutes.

Emotion rows carry every class and the prosody, and the ledger the voices of each stretch, as large as real ones are.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from agent.evals.worlds.world import Spec, World, make
from store import ledger, recordings, streams
from store.database import Database
from store.ledger import Chunk
from store.record import Emotion, Row, Segment, StreamKind, Word
from store.recordings import NewRecording, Recording
from tests.benchmarks.library import SOURCE

STRETCH_MS = 600_000
VOICES_BYTES = 1_280_000
CLASSES = ("anger", "boredom", "disgust", "fear", "happiness", "neutral", "sadness")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Ten minutes: where they end, the rows of each stream that begin in them, and the voices for the ledger."""

    t0: int
    t1: int
    rows: dict[StreamKind, list[Row]]
    voices: bytes


def talk(minutes: int, seed: int = 23) -> World:
    """Make a world of so many minutes."""
    return make(Spec(seed, minutes, 6))


def stretches(world: World) -> Iterator[Stretch]:
    """Give a world's stretches in order."""
    chance = random.Random(world.spec.seed)
    every: dict[StreamKind, list[Row]] = {
        "speaker": [*world.turns],
        "transcript": [_worded(segment) for segment in world.segments],
        "emotion": [_scored(emotion, chance) for emotion in world.emotions],
        "events": [*world.events],
    }
    for t0 in range(0, world.duration_ms, STRETCH_MS):
        t1 = min(t0 + STRETCH_MS, world.duration_ms)
        rows = {kind: [row for row in found if t0 <= row.t0 < t1] for kind, found in every.items()}
        yield Stretch(t0, t1, rows, chance.randbytes(VOICES_BYTES))


def hear(database: Database, world: World, parts: list[Stretch], number: int = 0) -> Recording:
    """Publish stretches as a listener does: each in one transaction, then the voices' final versions in one more."""
    title = f"talk {world.spec.seed}.{number}"
    new = NewRecording(sha256(title.encode()).hexdigest(), title, "ingest", world.duration_ms)
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        begun = {kind: streams.new_version(connection, recording.id, kind, SOURCE) for kind in parts[0].rows}
    for part in parts:
        with database.writing() as connection:
            for kind, rows in part.rows.items():
                streams.publish(connection, begun[kind], rows)
            ledger.add_chunk(connection, recording.id, Chunk(part.t0, part.t1, part.voices))
    with database.writing() as connection:
        for kind in ("speaker", "transcript", "emotion"):
            final = streams.new_version(connection, recording.id, kind, SOURCE)
            streams.publish(connection, final, [row for part in parts for row in part.rows[kind]])
            streams.drop(connection, [begun[kind]])
        streams.finish(connection, recording.id, "en")
    return recording


def _worded(segment: Segment) -> Segment:
    texts = segment.text.split()
    step = (segment.t1 - segment.t0) / len(texts)
    starts = [segment.t0 + round(step * n) for n in range(len(texts) + 1)]
    words = (Word(a, max(b, a + 1), text, 0.87) for text, a, b in zip(texts, starts, starts[1:], strict=False))
    return replace(segment, words=tuple(words))


def _scored(emotion: Emotion, chance: random.Random) -> Emotion:
    scores = {name: round(chance.random() / 10, 4) for name in CLASSES}
    heard = {"energy_db": -24.68, "pitch_hz": round(chance.uniform(90, 250), 1), "rate_hz": 4.96}
    return replace(emotion, scores=scores | heard)
