"""Chats as they are held: piped lines, and a person at a terminal."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from store.database import Database
from store.errors import Exit
from tests.agent.brains.meeting import meeting
from tests.agent.brains.rules_endpoint import RulesEndpoint
from tests.agent.front.chat.terminal import ROOT, terminal
from tests.agent.front.shell import Done, run
from tests.agent.graph.talk import talk
from tests.tools.loopback import Json, Reply, serving

RULES = {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}
PROMPT = "monday-meeting-c0ffee00>"


def _piped(library: Path, lines: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "agent.front", "--library", str(library), "chat", *arguments]
    environ = {**os.environ, **RULES}
    return subprocess.run(
        command, input=lines, capture_output=True, text=True, cwd=ROOT, env=environ, timeout=60, check=False
    )


def _held(library: Path, lines: str, *arguments: str) -> Done:
    with mock.patch.dict(os.environ, RULES):
        return run(library, "chat", *arguments, stdin=lines)


def test_piped_lines_are_turns_and_commands(database: Database) -> None:
    meeting(database)
    lines = """How many people speak?
/plan
/sql
/sql SELECT COUNT(*) AS n FROM transcript
/sql DROP TABLE segment
/trace
/speakers
/recordings
/nonsense
/play 9
What did Zoe say about the budget?
/use
/use nothing-like-it
/help

/exit
never asked
"""
    done = _piped(database.folder, lines)
    assert done.returncode == 0, done.stderr
    assert "3 people speak" in done.stdout
    assert "count_distinct" in done.stdout
    assert "SELECT" in done.stdout
    assert "38" in done.stdout
    assert "Chloe" in done.stdout
    assert "no command '/nonsense'" in done.stderr
    assert "no citation [9]" in done.stderr
    assert "Zoe" in done.stdout
    assert "the whole library now" in done.stderr
    assert "no recording 'nothing-like-it'" in done.stderr
    assert "Ctrl-C stops a turn" in done.stderr
    assert "never asked" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    with database.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM trace").fetchone()[0] == 2


def test_an_unnamed_voice_is_asked_for_and_the_same_question_goes_on(database: Database) -> None:
    meeting(database)
    with database.writing() as connection:
        connection.execute("UPDATE speaker SET label = 'SPEAKER_01' WHERE label = 'Chloe'")
    done = _held(database.folder, "What did Anna say about the trade fair?\nspeaker_01\n/speakers\n")
    assert done.code == 0
    before, _, after = done.out.partition("SPEAKER_01 ")
    assert "eleven customers" not in before
    assert "eleven customers" in after
    assert "Anna" in after
    assert "is Anna now" in done.err


def test_two_of_one_name_are_asked_about_and_nothing_is_renamed(tmp_path: Path) -> None:
    talk(tmp_path, ("John Carter", "John Reyes", "Anna"))
    question = "How often did John mention the train?"
    done = _held(tmp_path, f"{question}\njohn reyes\n{question}\n1\n{question}\n\n/speakers\n")
    assert done.code == 0
    assert done.out.count("John Reyes mentions “train” twice") == 2
    assert " ".join(done.out.split()).count("Ask for one of them by the whole name.") == 1
    assert "now" not in done.err


def test_a_line_that_names_no_voice_is_the_next_turn_and_names_can_be_given(database: Database) -> None:
    meeting(database)
    with database.writing() as connection:
        connection.execute("UPDATE speaker SET label = 'SPEAKER_01' WHERE label = 'Chloe'")
    lines = """What did Anna say about the trade fair?
How many people speak?
/rename SPEAKER_01=Clara
Did Clara mention the trade fair?
/rename Clara=Ben
/rename x
"""
    done = _held(database.folder, lines)
    assert "3 people speak" in done.out
    assert "is Anna now" not in done.err
    assert "Yes, Clara mentions" in done.out
    assert "two Bens" in done.err
    assert "OLD=NEW" in done.err


def test_a_chat_about_what_is_not_there_is_one_line(database: Database, tmp_path: Path) -> None:
    meeting(database)
    noise = tmp_path / "noise.wav"
    noise.write_bytes(b"no audio at all")
    for about, code in (("nothing-like-it", Exit.NOT_FOUND), (str(noise), Exit.DATA)):
        done = _held(database.folder, "", about)
        assert done.code == code
        assert len(done.err.strip().splitlines()) == 1, done.err


def test_a_person_types_stops_a_turn_and_leaves(database: Database) -> None:
    meeting(database)
    rules = RulesEndpoint()

    def slow_at_first(request: Json) -> Reply:
        return Reply(wait=20.0) if len(server.requests) == 1 else rules(request)

    with serving(slow_at_first) as server:
        environ = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-CANARY0000000000", "OPENAI_MODEL": "m"}
        with terminal(["--library", str(database.folder), "chat"], environ) as chat:
            assert "go to 127.0.0.1" in chat.see(PROMPT)
            chat.type("How many people speak?\r")
            _until(lambda: len(server.requests) == 1)
            chat.type("\x03")
            chat.see("stopped")
            chat.see(PROMPT)
            chat.type("half a line\x03")
            chat.see(PROMPT)
            chat.type("How many people speak?\r")
            shown = chat.see("openai")
            assert "3 people speak" in shown
            assert "plan" in shown
            chat.see(PROMPT)
            chat.type("\x1b[A\r")
            assert "3 people speak" in chat.see("openai")
            chat.see(PROMPT)
            chat.type("\x04")
            assert chat.left() == 0
    history = database.folder / "chat_history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert "How many people speak?" in history.read_text()
    with database.reader() as connection:
        traces = connection.execute("SELECT reply FROM trace ORDER BY at, rowid").fetchall()
    assert len(traces) == 3
    assert "CANARY" not in "".join(str(row["reply"]) for row in traces)


def test_the_key_alone_is_asked_about_once(database: Database) -> None:
    meeting(database)
    environ = {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": "sk-CANARY0000000000"}
    for asked in (True, False):
        with terminal(["--library", str(database.folder), "chat"], environ) as chat:
            if asked:
                chat.see("to api.openai.com? [y/N]")
                chat.type("n\r")
            shown = chat.see(PROMPT)
            assert "is not used" in shown
            assert ("[y/N]" in shown) is False
            chat.type("\x04")
            assert chat.left() == 0


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
