"""A stage that fails costs its own rows and never another stream's; the version says so, and is heard again later.

Case C36 of the project's list of public reports: the diarization fails, the transcript is kept.
"""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.library import Library
from store.database import Database
from store.record import StreamKind
from store.versions import Version, versions
from tests.tools import tones
from tests.tools.listening.test_ingest import rows
from tools.listening.failures import Failure, share, told
from tools.listening.ingest import Result, ingest

TALK = ([300] * 8 + [0, 0] + [1200] * 5 + [0]) * 15  # 240 s: three stretches


class Broken(Exception):
    """What a recogniser's library may raise."""


class Words(tones.ToneWords):
    def transcribe(self, samples: Any, start_ms: int, turns: Any) -> Any:
        for window in super().transcribe(samples, start_ms, turns):
            if window.t0 > 100_000:
                raise Broken("out of\nwords")
            yield window


class Voices(tones.ToneVoices):
    def hear(self, samples: Any, start_ms: int) -> Any:
        if start_ms == 0:
            raise Broken("no voices")
        return super().hear(samples, start_ms)


class NoVoices(tones.ToneVoices):
    def hear(self, samples: Any, start_ms: int) -> Any:
        raise Broken("no voices")


class Unsettled(tones.ToneVoices):
    def turns(self, heard: Any, **bounds: Any) -> Any:
        if len(heard) == 3:
            raise Broken("no clusters")
        return super().turns(heard, **bounds)


class Emotions(tones.ToneEmotions):
    def emotions(self, *_: Any) -> Any:
        raise Broken("no feelings")


class Events(tones.ToneEvents):
    def hear(self, samples: Any, start_ms: int) -> Any:
        if start_ms > 100_000:
            raise Broken("no sounds")
        return super().hear(samples, start_ms)


BROKEN: dict[StreamKind, Any] = {
    "speaker": Voices(), "transcript": Words(), "emotion": Emotions(), "events": Events()
}  # fmt: skip


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "talk.wav", TALK)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory, talk: Path) -> dict[str, list[tuple[Any, ...]]]:
    database = Database.open(tmp_path_factory.mktemp("good"))
    ingest(database, talk, tones.listener())
    return rows(database)


def asked(database: Database) -> dict[StreamKind, Version]:
    with database.reader() as connection:
        return {version.kind: version for version in versions(connection, 1) if version.active}


def hear(folder: Path, talk: Path, **broken: Any) -> tuple[Database, Result]:
    database = Database.open(folder / "lib")
    return database, ingest(database, talk, tones.listener(**broken))


@pytest.mark.parametrize("kind", BROKEN)
def test_c36_the_other_streams_are_kept_and_the_version_says_what_it_did_not_hear(
    tmp_path: Path, talk: Path, good: dict[str, Any], kind: StreamKind
) -> None:
    database, result = hear(tmp_path, talk, **{kind: BROKEN[kind]})
    assert result.recording.state == "ready"
    found, tables = (
        rows(database),
        {"speaker": "turn", "transcript": "segment", "emotion": "emotion", "events": "event"},
    )
    lost = (
        {kind} if kind == "events" else {kind, "emotion"}
    )  # which has its turns from the voices, its states from words
    for other, table in tables.items():
        if kind == "speaker" and other == "transcript":
            texts = [" ".join(row[2] for row in each["segment"]) for each in (found, good)]
            assert texts[0].split() == texts[1].split()
        elif other not in lost:
            assert found[table] == good[table], other
    version = asked(database)[kind]
    assert "was not heard (Broken: " in str(version.checks["findings"])
    assert version.source.health is not None
    assert version.source.health < 0.8  # of 0.9, the score of every row
    assert lost == {v.kind for v in asked(database).values() if v.checks.get("failures")}
    assert any(kind in note and "was not heard" in note for note in result.notes)


def test_words_before_a_failure_and_all_turns_are_kept(tmp_path: Path, talk: Path, good: dict[str, Any]) -> None:
    database, _ = hear(tmp_path, talk, transcript=Words())
    found = rows(database)
    assert found["turn"] == good["turn"]
    assert found["segment"] == [row for row in good["segment"] if row[0] < 100_000]


def test_a_stream_that_heard_nothing_is_no_proof_that_nobody_said_it(tmp_path: Path, talk: Path) -> None:
    class Deaf(tones.ToneWords):
        def transcribe(self, *_: Any) -> Any:
            raise Broken("no model")

    database, result = hear(tmp_path, talk, transcript=Deaf())
    reply = ask(Library(database.folder), 'Did anybody mention "lasers"?', recording=result.recording.public_id)
    assert reply.status == "refused"
    assert reply.refusal is not None
    assert reply.refusal.reason == "stream_unreliable"
    assert "was not heard" in reply.answer


def test_words_are_kept_where_no_voice_could_be_heard_at_all(tmp_path: Path, talk: Path) -> None:
    database, _ = hear(tmp_path, talk, speaker=NoVoices())
    found = rows(database)
    assert found["turn"] == []
    assert len(found["segment"]) > 0
    assert {row[-1] for row in found["segment"]} == {None}
    assert asked(database)["speaker"].source.health == 0


def test_voices_stay_as_they_were_told_stretch_by_stretch_where_the_last_clustering_fails(
    tmp_path: Path, talk: Path, good: dict[str, Any]
) -> None:
    database = Database.open(tmp_path / "lib")
    result = ingest(database, talk, tones.listener(speaker=Unsettled()))
    assert result.recording.state == "ready"
    assert any("voices stay provisional (Broken: no clusters)" in note for note in result.notes)
    assert len(rows(database)["turn"]) >= len([row for row in good["turn"] if row[1] <= 180_000])


def renumbered(found: dict[str, Any]) -> dict[str, Any]:
    """Give rows with their voices numbered as they appear: a label that was published first is kept for good."""
    labels = list(dict.fromkeys(row[2] for row in found["turn"]))
    number = {label: place for place, label in enumerate(labels)}
    return {table: [tuple(number.get(value, value) for value in row) for row in each] for table, each in found.items()}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_failed_is_heard_again_with_the_same_file(
    tmp_path: Path, talk: Path, good: dict[str, Any], kind: StreamKind
) -> None:
    database, _ = hear(tmp_path, talk, **{kind: BROKEN[kind]})
    again = ingest(database, talk, tones.listener())
    assert again.fresh
    assert renumbered(rows(database)) == renumbered(good)
    assert asked(database)[kind].checks["findings"] == []
    assert not ingest(database, talk, tones.listener()).fresh


def test_a_failure_is_told_by_time_and_reason() -> None:
    failures = [Failure("events", 0, 60_000, "E: x"), Failure("events", 60_000, 120_000, "E: y")]
    assert told(failures) == "0:00-2:00 was not heard (E: x and 1 more)"
    assert share(failures, 240_000) == 0.5
