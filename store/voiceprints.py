"""How each voice of a version sounds: one unit vector, by which a voice is known again where no time is shared.

They are kept with the version, so they go with its recording; 384 bytes a voice.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Voiceprint:
    """A unit vector (192 values of the default model), and the seconds it was heard in, each window's counted."""

    model: str
    seconds: float
    vector: NDArray[np.float32]


def keep(connection: sqlite3.Connection, stream_id: int, prints: Mapping[str, Voiceprint]) -> None:
    """Keep the voiceprints of a version's voices by label; labels that no voice bears are left out."""
    connection.executemany(
        "INSERT OR REPLACE INTO voiceprint SELECT v.id, p.id, ?, ?, ? FROM stream v JOIN speaker p"
        " ON p.rec_id = v.rec_id AND p.label = ? WHERE v.id = ?",
        ((p.model, p.seconds, p.vector.astype(np.float16).tobytes(), label, stream_id) for label, p in prints.items()),
    )


def stored(connection: sqlite3.Connection, stream_id: int) -> dict[int, Voiceprint]:
    """Give the voiceprints of a version's voices, by the voice's id."""
    rows = connection.execute("SELECT * FROM voiceprint WHERE stream_id = ?", (stream_id,))
    return {row["speaker_id"]: _read(row) for row in rows}


def _read(row: sqlite3.Row) -> Voiceprint:
    vector = np.frombuffer(row["vector"], np.float16).astype(np.float32)
    return Voiceprint(row["model"], row["seconds"], _unit(vector))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)
