"""How a voice sounds, from what the default recogniser remembers: alike where it is one, unlike where they are two."""

from pathlib import Path

import numpy as np
import pytest

from store.record import Turn
from tools.media.audio import read
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.onnx import Onnx
from tools.speaker.voiceprints import voiceprints

SAMPLE = Path(__file__).resolve().parents[2] / "data/speaker/two_voices.flac"


@pytest.fixture(scope="module")
def heard() -> Voices:
    return Onnx().hear(read(SAMPLE, 0, 10_000), 0)


def test_each_voice_has_a_unit_vector_and_two_voices_differ(heard: Voices) -> None:
    prints = voiceprints([heard], [Turn(0, 5_000, "A"), Turn(5_000, 10_000, "B")])
    assert set(prints) == {"A", "B"}
    assert all(abs(float(np.linalg.norm(one.vector)) - 1) < 1e-5 and one.seconds > 1 for one in prints.values())
    assert float(prints["A"].vector @ prints["B"].vector) < 0.5
    assert prints["A"].model == f"{heard.recogniser} {heard.version}"


def test_a_voice_that_never_speaks_alone_has_none(heard: Voices) -> None:
    both = [Turn(0, 5_000, "A"), Turn(0, 5_000, "B"), Turn(5_000, 10_000, "C")]
    assert set(voiceprints([heard], both)) == {"C"}


def test_what_a_pyannote_pipeline_gives_is_kept_for_voices_that_speak_alone() -> None:
    times = np.array([[0, 4_000], [3_000, 6_000], [7_000, 9_000]])
    vectors = np.eye(3, 4, dtype=np.float32)
    voices = Voices("pyannote", "1", 0, 10_000, {"times": times, "voice": np.array([0, 1, 2]), "vectors": vectors})
    turns = [Turn(0, 4_000, "A"), Turn(3_000, 6_000, "B"), Turn(7_000, 9_000, "C")]
    prints = voiceprints([voices], turns)
    assert set(prints) == {"A", "C"}  # a quarter of A's time is shared, a third of B's
    assert (prints["C"].seconds, prints["C"].vector.tolist()) == (2.0, [0, 0, 1, 0])


def test_what_another_recogniser_remembers_gives_none() -> None:
    other = Voices("pyannote", "1", 0, 10_000, {"vectors": np.zeros((2, 3), np.float32)})
    assert voiceprints([other], [Turn(0, 5_000, "A")]) == {}
    assert voiceprints([], []) == {}
