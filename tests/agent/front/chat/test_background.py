"""A chat about a file that is still being heard: asked from the first minute on, never waiting, never inventing."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.front.chat.background import Background
from agent.front.chat.lines import Piped
from agent.front.chat.screen import Screen
from agent.front.chat.talk import Talk
from agent.front.commands.chat import _file
from agent.library import Library
from store import recordings
from store.database import Database
from store.errors import DataError
from tests.agent.front.shell import run
from tests.conftest import ROOT
from tests.tools import tones
from tests.tools.listening.test_failures import TALK
from tests.tools.listening.test_ingest import rows
from tools.listening.ingest import ingest

# Hears the first stretch, then waits for the file `go`.
SLOWLY = """
import sys, time
from pathlib import Path
from store.database import Database
from tests.tools import tones
from tools.listening.ingest import ingest
library, go, path = map(Path, sys.argv[1:])
def wait(step, whole):
    while step.done_ms > 61_000 + 30_000 and not go.exists():
        time.sleep(0.02)
ingest(Database.open(library), path, tones.listener(), progress=wait)
"""


# Listens for as long as somebody holds its input.
FOLLOWED = """
import sys, time
from pathlib import Path
from agent.front import cli
from agent.front.chat import listening
def endless():
    Path(sys.argv[1]).touch()
    time.sleep(60)
cli.main = endless
listening.main()
"""


@pytest.fixture
def talk_file(tmp_path: Path) -> Path:
    return tones.write(tmp_path / "talk.wav", TALK)


@pytest.fixture
def background(tmp_path: Path, talk_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Background]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    database = Database.open(tmp_path / "lib")
    command = [sys.executable, "-c", SLOWLY, str(database.folder), str(tmp_path / "go")]
    made = Background(database, talk_file, command)
    yield made
    made.leave(lambda line: None)


def talk(background: Background, library: Path, recording: str) -> Talk:
    def never(*_: object) -> None:
        raise AssertionError

    made = Talk(Database(library), never, Piped(sys.stdin), Screen(), recording)  # type: ignore[arg-type]
    made.background = background
    return made


def test_what_was_heard_is_answered_and_what_comes_is_not_heard_yet(tmp_path: Path, background: Background) -> None:
    notes: list[str] = []
    key = background.begin(notes.append)
    assert "can be asked from the first minute on" in notes[0]
    library = tmp_path / "lib"
    assert talk(background, library, key).prompt() == f"{key} (heard 1:03 of 4:00)> "
    now = run(library, "ask", "--json", key, 'Who said "low3"?').json
    assert now["status"] == "answered"
    assert "heard so far: 1:03 of 4:00" in now["caveats"]
    assert "voices are provisional until all is heard" in now["caveats"]
    later = run(library, "ask", "--json", key, "Who spoke between 3:00 and 4:00?").json
    assert (later["status"], later["refusal"]["reason"]) == ("refused", "not_heard_yet")
    nobody = run(library, "ask", "--json", key, "Who mentioned lasers?").json
    assert nobody["status"] == "not_found"
    assert "heard so far: 1:03 of 4:00" in nobody["caveats"]
    (tmp_path / "go").touch()
    until = time.monotonic() + 20
    while "heard" in (prompt := talk(background, library, key).prompt()) and time.monotonic() < until:
        time.sleep(0.1)
    assert prompt == f"{key}> "
    background.leave(notes.append)
    assert len(notes) == 1
    assert "voices are provisional" not in str(run(library, "ask", "--json", key, 'Who said "low3"?').json["caveats"])


def test_leaving_stops_the_listening_says_so_and_it_goes_on_later(
    tmp_path: Path, background: Background, talk_file: Path
) -> None:
    notes: list[str] = []
    background.begin(notes.append)
    background.leave(notes.append)
    assert notes[-1] == "listening stopped at 1:03 of 4:00; it goes on with: overheard ingest talk.wav"
    database = Database(tmp_path / "lib")
    ingest(database, talk_file, tones.listener())
    whole = Database.open(tmp_path / "whole")
    ingest(whole, talk_file, tones.listener())
    assert rows(database) == rows(whole)


def test_a_recording_that_was_heard_is_not_heard_again(tmp_path: Path, background: Background, talk_file: Path) -> None:
    recording = ingest(Database(tmp_path / "lib"), talk_file, tones.listener()).recording
    assert background.begin(lambda line: pytest.fail(line)) == recording.public_id
    assert background.trouble() is None


def test_a_listening_that_breaks_off_is_told_once_and_the_chat_goes_on(
    tmp_path: Path, talk_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database.open(tmp_path / "lib")
    script = SLOWLY.replace("time.sleep(0.02)", "sys.exit('overheard: the disk is full')")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    broken = Background(database, talk_file, [sys.executable, "-c", script, str(database.folder), str(tmp_path / "go")])
    key = broken.begin(lambda line: None)
    until = time.monotonic() + 20
    while (trouble := broken.trouble()) is None and time.monotonic() < until:
        time.sleep(0.05)
    assert trouble == "the disk is full"
    assert broken.trouble() is None
    assert talk(broken, database.folder, key).prompt() == f"{key} (heard 1:03 of 4:00)> "
    broken.leave(lambda line: pytest.fail(line))


def test_a_listener_ends_with_its_chat_however_that_ends(tmp_path: Path, talk_file: Path) -> None:
    listener = subprocess.Popen(
        [sys.executable, "-c", FOLLOWED, str(tmp_path / "begun")], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=ROOT,
    )  # fmt: skip
    until = time.monotonic() + 20
    while not (tmp_path / "begun").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert listener.poll() is None
    _, said = listener.communicate(timeout=20)  # as the system does for a chat that was killed
    assert (listener.returncode, said) == (130, b"the chat that listened has ended\n")


@pytest.mark.parametrize(("words", "code"), [(["list"], 0), (["ingest", "nowhere.wav"], 1)])
def test_a_listener_that_has_ended_by_itself_says_how(tmp_path: Path, words: list[str], code: int) -> None:
    command = [sys.executable, "-m", "agent.front.chat.listening", "--library", str(tmp_path / "lib"), *words]
    listener = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        assert listener.wait(30) == code
    finally:
        _, said = listener.communicate()
    assert b"Fatal" not in said


def test_a_listener_that_was_killed_is_told_of(tmp_path: Path, background: Background) -> None:
    background.begin(lambda line: None)
    process = background._process
    assert process is not None
    process.kill()
    process.wait(20)
    assert background.trouble() == "it was ended by SIGKILL; `overheard ingest` goes on with the file"


@pytest.mark.parametrize("key", ["/nowhere.wav", "http://x/y.mp3", "x" * 5000, "."])
def test_what_is_neither_a_recording_nor_a_file_is_said(tmp_path: Path, key: str) -> None:
    done = run(tmp_path / "lib", "chat", key, stdin="")
    assert done.code == 6
    assert done.err.strip().endswith("nor is it a file to hear")
    assert len(done.err.strip().splitlines()) == 1


def test_what_is_no_audio_is_one_line(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp3"
    text.write_text("no samples", encoding="utf-8")
    done = run(tmp_path / "lib", "chat", str(text), stdin="Who speaks?\n")
    assert done.code == 1
    assert done.err.strip().splitlines()[-1].startswith("overheard: 'notes.mp3' cannot be read as audio or video")
    with Database(tmp_path / "lib").reader() as connection:
        assert recordings.every(connection) == []


def test_a_file_whose_name_is_a_recordings_is_the_recording(tmp_path: Path, talk_file: Path) -> None:
    library = Library(tmp_path / "lib")
    assert _file(library, str(talk_file)) == talk_file
    ingest(library.database, talk_file, tones.listener())
    assert _file(library, "talk") is None
    with pytest.raises(DataError):
        Background(library.database, tmp_path)
