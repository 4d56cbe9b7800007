"""Where no emotion is clear, a reply says who spoke higher and faster than usual for that voice, and nothing more."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.library import Library
from store import recordings, streams
from store.record import Emotion, Turn
from store.recordings import NewRecording
from store.streams import Source
from tools.emotion.labels import UNCLEAR


def library(folder: Path, pitch_hz: float, rate_hz: float) -> Library:
    """Publish nine unclear stretches of Ada, the last with this pitch and rate, and two of Ben."""
    made = Library(folder)
    felt = [(140.0 + n, 4.0 + n % 3 / 10) for n in range(8)] + [(pitch_hz, rate_hz)]
    turns = [Turn(5_000 * n, 5_000 * n + 4_000, "Ada") for n in range(9)]
    turns += [Turn(5_000 * n, 5_000 * n + 4_000, "Ben") for n in (9, 10)]
    measured = [{"energy_db": -20.0, "pitch_hz": pitch, "rate_hz": rate} for pitch, rate in (*felt, (90, 3), (250, 9))]
    rows = [Emotion(t.t0, t.t1, UNCLEAR, 0.3, t.speaker, m) for t, m in zip(turns, measured, strict=True)]
    with made.database.writing() as connection:
        added = recordings.add(connection, NewRecording("ab" * 32, "Talk", "ingest", 60_000))
        streams.publish(connection, streams.new_version(connection, added.id, "speaker", Source("test", {})), turns)
        streams.publish(connection, streams.new_version(connection, added.id, "emotion", Source("test", {})), rows)
        streams.finish(connection, added.id, "en")
    return made


def test_a_voice_above_its_own_usual_is_told_as_prosody(tmp_path: Path) -> None:
    reply = ask(library(tmp_path, 230.0, 5.6), "How did Ada sound?")
    assert reply.value == UNCLEAR
    told = "More excited than usual for that voice, by pitch and rate: Ada at 0:40 (higher, faster)."
    assert reply.answer == f"No clear emotion of Ada was heard. {told}"


@pytest.mark.parametrize(("pitch_hz", "rate_hz"), [(143.0, 4.1), (90.0, 2.0)])
def test_a_usual_or_a_calmer_voice_adds_nothing(tmp_path: Path, pitch_hz: float, rate_hz: float) -> None:
    reply = ask(library(tmp_path, pitch_hz, rate_hz), "How did Ada sound?")
    assert reply.answer == "No clear emotion of Ada was heard."


def test_a_voice_that_was_hardly_heard_has_no_usual(tmp_path: Path) -> None:
    assert "excited" not in ask(library(tmp_path, 143.0, 4.1), "How did Ben sound?").answer
