"""The same bytes with other options: only what they change is heard again, and what was there before comes back."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from store import edits
from store.clock import clock
from store.database import Database
from store.errors import DataError
from store.record import Event, StreamKind
from store.versions import Version, versions
from tests.agent.front.shell import run
from tests.conftest import ROOT
from tests.tools import tones
from tests.tools.listening.test_failures import TALK, asked
from tests.tools.listening.test_ingest import rows
from tools.imports.into import import_into
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, Step
from tools.voicing.phantoms import DROWNED

ONE = Choice(num_speakers=1)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "talk.wav", TALK)


@pytest.fixture
def heard(tmp_path: Path, talk: Path) -> Database:
    database = Database.open(tmp_path / "lib")
    ingest(database, talk, tones.listener())
    return database


def stages(database: Database, talk: Path, choice: Choice | None = None, **others: Any) -> list[str]:
    """Hear again, and give the stages that really heard, in the order they ended."""
    seen: list[Step] = []
    ingest(database, talk, tones.listener(choice, **others), progress=lambda step, _: seen.append(step))
    return list(dict.fromkeys(step.stage for step in seen))


def numbers(database: Database) -> dict[StreamKind, int]:
    return {kind: version.number for kind, version in asked(database).items()}


def kept(database: Database) -> Sequence[Version]:
    with database.reader() as connection:
        return [version for version in versions(connection, 1) if not version.active]


def test_another_words_model_hears_words_again_and_nothing_else(heard: Database, talk: Path) -> None:
    before, first = rows(heard), numbers(heard)
    spoken = stages(heard, talk, transcript=tones.Whispered())
    after = rows(heard)
    assert "speaker" in spoken  # the progress of a stretch begins there
    assert numbers(heard) == first | {"transcript": first["transcript"] + 2}
    assert [row[2] for row in after["segment"]] == [
        " ".join(f"~{word}" for word in str(row[2]).split()) for row in before["segment"]
    ]
    assert {table: after[table] for table in ("turn", "emotion", "event")} == {
        table: before[table] for table in ("turn", "emotion", "event")
    }
    assert [(version.kind, version.source.model) for version in kept(heard)] == [("transcript", "tones 1")]


def test_the_old_options_bring_the_old_version_back_without_hearing(heard: Database, talk: Path) -> None:
    before, first = rows(heard), numbers(heard)
    stages(heard, talk, transcript=tones.Whispered())
    assert stages(heard, talk) == []
    assert rows(heard) == before
    assert numbers(heard) == first
    assert stages(heard, talk, transcript=tones.Whispered()) == []
    assert rows(heard) != before


def test_another_number_of_speakers_only_clusters_again(heard: Database, talk: Path) -> None:
    before = rows(heard)
    assert {row[2] for row in before["turn"]} == {"SPEAKER_00", "SPEAKER_01"}
    assert stages(heard, talk, ONE) == []
    after = rows(heard)
    for table, voice in (("turn", 2), ("segment", 5), ("emotion", 4)):
        assert {row[voice] for row in after[table]} == {"SPEAKER_00"}, table
    assert after["event"] == before["event"]
    texts = [" ".join(str(row[2]) for row in each["segment"]) for each in (before, after)]
    assert texts[0] == texts[1]
    assert stages(heard, talk) == []
    assert rows(heard) == before
    assert stages(heard, talk, ONE) == []
    assert rows(heard) == after
    assert len(kept(heard)) == 3


def test_another_speaker_recogniser_hears_the_voices_again(heard: Database, talk: Path) -> None:
    class Newer(tones.ToneVoices):
        version = "2"

    before = rows(heard)
    assert stages(heard, talk, speaker=Newer()) == ["speaker"]
    assert rows(heard) == before
    assert asked(heard)["speaker"].source.model == "tones 2"
    assert stages(heard, talk, speaker=Newer()) == []


def test_a_stream_left_out_before_is_heard_now(tmp_path: Path, talk: Path, heard: Database) -> None:
    database = Database.open(tmp_path / "partly")
    ingest(database, talk, tones.listener(emotion=None, events=None))
    assert set(asked(database)) == {"speaker", "transcript"}
    stages(database, talk)
    assert rows(database) == rows(heard)
    stages(database, talk, emotion=None)
    assert rows(database) == rows(heard)


def test_other_sounds_tell_anew_which_voices_may_be_none(heard: Database, talk: Path) -> None:
    """Also when the sounds of before are asked again."""

    class Deaf(tones.ToneEvents):
        version = "2"

        def hear(self, samples: tones.Samples, start_ms: int) -> list[Event]:
            return []

    before = doubts(heard)
    assert before["SPEAKER_01"] == DROWNED  # it is the tone that is a beep
    assert "events" in stages(heard, talk, events=Deaf())
    assert doubts(heard)["SPEAKER_01"] is None
    assert stages(heard, talk) == []
    assert doubts(heard) == before


def doubts(database: Database) -> dict[str, str | None]:
    with database.reader() as connection:
        return dict(tuple(row) for row in connection.execute("SELECT label, doubt FROM speaker ORDER BY id"))


def test_names_survive_another_clustering(heard: Database, talk: Path) -> None:
    with heard.writing() as connection:
        edits.rename(connection, 1, "SPEAKER_01", "Ada")
    stages(heard, talk, ONE)
    stages(heard, talk)
    with heard.reader() as connection:
        named = connection.execute(
            "SELECT DISTINCT p.name FROM turn t JOIN speaker p ON p.id = t.speaker_id JOIN stream s"
            " ON s.id = t.stream_id AND s.active ORDER BY 1"
        ).fetchall()
    assert [row[0] for row in named] == [None, "Ada"]


def test_a_correction_by_hand_stays_until_other_options_are_asked_for(
    heard: Database, talk: Path, tmp_path: Path
) -> None:
    corrected = tmp_path / "corrected.tsv"
    said = [(row[0], row[1], str(row[2]).replace("low0", "slow0")) for row in rows(heard)["segment"]]
    lines = "".join(f"{t0}\t{t1}\t{text}\n" for t0, t1, text in said)
    corrected.write_text("start\tend\ttext\n" + lines, encoding="utf-8")
    import_into(heard, "talk", [("transcript", corrected)])
    mine = rows(heard)
    assert stages(heard, talk) == []
    assert rows(heard) == mine
    stages(heard, talk, ONE)
    assert " ".join(str(row[2]) for row in rows(heard)["segment"]).startswith("slow0 ")
    stages(heard, talk, ONE, transcript=tones.Whispered())
    assert rows(heard)["segment"][0][2].startswith("~low0 ")
    assert any(version.origin == "corrected.tsv" for version in kept(heard))


AGAIN = """
import os, signal, sys
from pathlib import Path
from store.database import Database
from store.errors import DataError
from tests.tools import tones
from tools.listening.ingest import ingest
left = int(sys.argv[3])
def step(*_: object) -> None:
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
listener = tones.listener(transcript=tones.Whispered())
ingest(Database.open(Path(sys.argv[1])), Path(sys.argv[2]), listener, progress=step)
"""


@pytest.mark.parametrize("steps", [0, 5, 9])
def test_a_killed_second_listening_goes_on_and_the_old_version_answers_meanwhile(
    tmp_path: Path, talk: Path, heard: Database, steps: int
) -> None:
    before = rows(heard)
    command = [sys.executable, "-c", AGAIN, str(heard.folder), str(talk), str(steps)]
    killed = subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert killed.returncode == -signal.SIGKILL
    assert rows(heard) == before
    (pending,) = kept(heard)
    shown = run(heard.folder, "show", "talk")
    assert f"heard to {clock(pending.heard_ms)}" in shown.out
    seen: list[Step] = []
    listener = tones.listener(transcript=tones.Whispered())
    ingest(heard, talk, listener, progress=lambda step, _: seen.append(step))
    assert min(step.done_ms for step in seen) > pending.heard_ms
    whole = Database.open(tmp_path / "whole")
    ingest(whole, talk, tones.listener(transcript=tones.Whispered()))
    assert rows(heard)["segment"] == rows(whole)["segment"]
    assert [version.source.model for version in kept(heard)] == ["tones 1"]


def test_a_first_listening_is_not_gone_on_with_in_other_words(tmp_path: Path, talk: Path) -> None:
    class Enough(BaseException):
        pass

    def stop(step: Step, _: int) -> None:
        if step.done_ms > 95_000:
            raise Enough

    database = Database.open(tmp_path / "lib")
    with pytest.raises(Enough):
        ingest(database, talk, tones.listener(), progress=stop)
    with pytest.raises(DataError, match="was begun with other options"):
        ingest(database, talk, tones.listener(transcript=tones.Whispered()))
    assert ingest(database, talk, tones.listener(ONE)).recording.state == "ready"
    assert {row[2] for row in rows(database)["turn"]} == {"SPEAKER_00"}


def test_the_command_says_what_is_asked_now_and_what_is_kept(
    heard: Database, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.listening.listener.load", tones.listener)
    monkeypatch.setattr("tools.embedding.remember", lambda *_: None)
    same = run(heard.folder, "ingest", str(talk))
    assert same.err == "note: talk: heard already with these options; nothing to do\n"
    other = run(heard.folder, "ingest", str(talk), "--num-speakers", "1")
    assert "brought to these options in 0:0" in other.err
    assert "note: speaker: version 3 (tones 1) is asked now; version 2 is kept" in other.err
    assert "faster" not in other.err
    assert (other.code, other.out) == (0, same.out)
