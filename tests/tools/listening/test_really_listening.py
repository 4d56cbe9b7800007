"""The default recognisers side by side on a part of the sample: words, voices and sounds as its truth has them."""

import json
import re
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agent.evals import sample
from store import rows, streams
from store.database import Database
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, Step, load
from tools.media import audio

SECONDS = 100  # two stretches


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory, weights: Callable[[str], Path]) -> Path:
    for name in ("whisper-base", "yamnet", "segmentation", "campplus"):
        weights(name)
    samples = audio.read(sample.FOLDER / "meeting.opus", 0, SECONDS * 1000)
    path = tmp_path_factory.mktemp("audio") / "part.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(audio.RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


def test_what_is_said_who_says_it_and_what_rings_are_as_in_the_truth(tmp_path: Path, part: Path) -> None:
    database, truth = Database.open(tmp_path / "lib"), json.loads((sample.FOLDER / "truth.json").read_text("utf-8"))
    recording = ingest(database, part, load(Choice())).recording
    with database.reader() as connection:
        ids = streams.active(connection, recording.id)
        said = rows.segments(connection, ids["transcript"])
        turns, events = rows.turns(connection, ids["speaker"]), rows.events(connection, ids["events"])
        emotions = rows.emotions(connection, ids["emotion"])
    spoken = [row for row in truth["segments"] if row["end"] < SECONDS - 5]
    wanted = re.findall(r"[a-z]{4,}", " ".join(row["text"] for row in spoken).casefold())
    heard = set(re.findall(r"[a-z]{4,}", " ".join(segment.text for segment in said).casefold()))
    assert np.mean([word in heard for word in wanted]) > 0.95
    assert len({turn.speaker for turn in turns}) == len({row["speaker"] for row in spoken})
    assert any("elephone" in event.label and 40_000 < event.t0 < 46_000 for event in events)
    assert emotions
    seen: list[Step] = []
    again = ingest(database, part, load(Choice(num_speakers=2)), progress=lambda step, _: seen.append(step))
    with database.reader() as connection:
        turns = rows.turns(connection, streams.active(connection, recording.id)["speaker"])
    assert again.fresh
    assert seen == []  # no voice is heard again to count two
    assert len({turn.speaker for turn in turns}) == 2
