"""Voiceprints lie with the version they were heard in, and go with its recording."""

import numpy as np

from store import recordings, streams, voiceprints
from store.database import Database
from store.record import Turn
from store.removal import remove
from store.voiceprints import Voiceprint
from tests.tools.made import Made, made


def test_vectors_come_back_as_units_and_go_with_the_recording(database: Database) -> None:
    made(database, Made(speaker=[Turn(0, 9, "SPEAKER_00"), Turn(9, 20, "SPEAKER_01")]))
    vector = np.arange(1, 193, dtype=np.float32)
    with database.writing() as connection:
        stream = streams.active(connection, 1)["speaker"]
        unit = vector / np.linalg.norm(vector)
        voiceprints.keep(
            connection, stream, {"SPEAKER_01": Voiceprint("onnx 1", 3.5, unit), "nobody": Voiceprint("", 1, unit)}
        )
        found = voiceprints.stored(connection, stream)
        assert list(found) == [2]
        assert float(found[2].vector @ unit) > 0.999
        voiceprints.keep(connection, stream, {"SPEAKER_01": Voiceprint("onnx 1", 3.5, -unit)})
        assert float(voiceprints.stored(connection, stream)[2].vector @ unit) < -0.999
        (recording,) = recordings.every(connection)
    remove(database, recording)
    with database.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM voiceprint").fetchone()[0] == 0
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
