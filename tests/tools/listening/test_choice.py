"""What was chosen must be there; a default that is missing is left out and told; who hears the sound needs no words."""

from pathlib import Path
from typing import Any

import pytest

from store import streams
from store.database import Database
from store.errors import MissingPackage, MissingWeights
from store.versions import versions
from tests.tools import tones
from tests.tools.listening.test_failures import TALK, asked
from tests.tools.listening.test_ingest import rows
from tools.listening.choice import Choice, recognisers
from tools.listening.ingest import ingest
from tools.transcript.elsewhere import Elsewhere
from tools.transcript.recogniser import Options


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "talk.wav", TALK)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing was pulled; words are written elsewhere."""
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))


@pytest.mark.usefixtures("bare")
def test_a_default_that_is_missing_is_left_out_and_told() -> None:
    found = recognisers(Choice(transcript="llm"))
    assert (found.emotion, found.events) == (None, None)
    assert [note.partition(":")[0] for note in found.notes] == [
        "the emotion stream is left out",
        "the events stream is left out",
    ]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    "asked_for",
    [{"events": "panns"}, {"emotion": "nobody/wavlm"}, {"speaker": "pyannote"}],
)
def test_what_was_asked_for_and_is_missing_ends_it(asked_for: dict[str, str]) -> None:
    with pytest.raises((MissingWeights, MissingPackage)) as told:
        recognisers(Choice(transcript="llm", **asked_for))  # type: ignore[arg-type]
    assert "\n" not in str(told.value)


def test_what_is_told_is_kept_with_the_stream_and_trust_is_not() -> None:
    choice = Choice(exclusive=True, num_speakers=2, words=Options(align_model="w2v", trust_model=True))
    assert choice.told("speaker") == {"speakers": (2, None, None), "exclusive": True}
    assert "exclusive" not in Choice().told("speaker")
    assert choice.told("transcript")["align_model"] == "w2v"
    assert "trust_model" not in choice.told("transcript")


def hear(database: Database, talk: Path, **others: Any) -> list[str]:
    seen: list[str] = []
    listener = tones.listener(None, **others)
    ingest(database, talk, listener, progress=lambda step, _: seen.append(step.stage))
    return list(dict.fromkeys(seen))


def test_emotions_by_the_sound_are_those_by_the_states(tmp_path: Path, talk: Path) -> None:
    by_states, by_sound = Database.open(tmp_path / "states"), Database.open(tmp_path / "sound")
    hear(by_states, talk)
    hear(by_sound, talk, emotion=tones.SoundEmotions())
    assert rows(by_sound) == rows(by_states)
    assert len(rows(by_sound)["emotion"]) > 3


def test_words_that_are_written_elsewhere_leave_emotions_by_the_sound(tmp_path: Path, talk: Path) -> None:
    database = Database.open(tmp_path / "lib")
    hear(database, talk, transcript=Elsewhere(), emotion=tones.SoundEmotions())
    assert set(asked(database)) == {"speaker", "emotion", "events"}
    assert len(rows(database)["emotion"]) > 3


def test_another_emotion_model_hears_no_words_again(tmp_path: Path, talk: Path) -> None:
    database = Database.open(tmp_path / "lib")
    hear(database, talk)
    assert "transcript" not in hear(database, talk, emotion=tones.SoundEmotions())
    assert asked(database)["emotion"].source.model == "sounding 1"


def test_the_hash_of_the_weights_is_kept_and_other_weights_are_another_version(tmp_path: Path, talk: Path) -> None:
    database = Database.open(tmp_path / "lib")
    first = tones.SoundEmotions()
    hear(database, talk, emotion=first)
    assert asked(database)["emotion"].source.params["sha256"] == "5" * 64
    assert hear(database, talk, emotion=first) == []
    other = tones.SoundEmotions()
    other.sha256 = "6" * 64
    assert "emotion" in hear(database, talk, emotion=other)
    with database.reader() as connection:
        kept = [version.source.params.get("sha256") for version in versions(connection, 1) if version.kind == "emotion"]
    assert {"5" * 64, "6" * 64} <= set(kept)


def test_a_version_from_before_hashes_were_kept_stands(tmp_path: Path, talk: Path) -> None:
    database = Database.open(tmp_path / "lib")
    hear(database, talk, emotion=tones.SoundEmotions())
    with database.writing() as connection:
        stream_id = streams.active(connection, 1)["emotion"]
        connection.execute("UPDATE stream SET params = json_remove(params, '$.sha256') WHERE id = ?", (stream_id,))
    assert hear(database, talk, emotion=tones.SoundEmotions()) == []
