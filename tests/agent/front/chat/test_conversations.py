"""Conversations from the command line: they are gone on with, looked back at, and never taken by two at once."""

import io
import os
import re
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from agent.ask import ask, resume
from agent.dialogue import Dialogue
from agent.front.chat import loop
from agent.front.chat.lines import Piped
from agent.front.chat.screen import Screen
from agent.front.chat.talk import Talk, Watch
from agent.reply import Reply
from agent.threads.conversation import conversation
from store.errors import Exit
from store.threads import Threads
from tests.agent.front.shell import Done, run
from tests.agent.graph.talk import UNNAMED, talk

JOHNS = ("John Carter", "John Reyes", "Anna")
RULES = {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}


def held(folder: Path, lines: str, *arguments: str) -> str:
    done = said(folder, "chat", *arguments, stdin=lines)
    assert done.code == Exit.DONE, done.err
    return done.out + done.err


def said(folder: Path, *arguments: str, stdin: str = "") -> Done:
    with mock.patch.dict(os.environ, RULES):
        return run(folder, *arguments, stdin=stdin)


def test_a_chat_is_gone_on_with_and_its_turns_can_be_reached(tmp_path: Path) -> None:
    folder = talk(tmp_path).folder
    shown = held(folder, "What did Anna say about the budget?\nand Ben?\n", "Talk")
    assert "note: read as: What did Ben say about the budget?" in shown
    shown = held(folder, "what about the train?\n/turns\n/turn 1\n/play 9\n/turn 9\n/threads\n", "-c")
    assert "turns so far: 2; the last: “and Ben?”" in shown
    assert "note: read as: What did Ben say about the train?" in shown
    assert len(re.findall("What did Ben say about the budget", shown)) == 1
    assert shown.count("Good morning, the budget is cut") == 2  # in the answer and in the evidence of turn 1
    assert "the last answer has no citation [9]" in shown
    assert "there are turns 1 to 3" in shown
    assert "talk-00000000  What did Anna say about the budget?" in shown


def test_one_conversation_is_chosen_among_several(tmp_path: Path) -> None:
    folder = talk(tmp_path).folder
    held(folder, "How often did Ben mention the train?\n", "Talk")
    held(folder, "How often was the siren heard?\n", "Talk")
    first = Threads(folder).every()[1]
    assert "turns so far: 1; the last: “How often did Ben" in held(folder, "when?\n", "-r", first.id[:6])
    assert [one.turns for one in Threads(folder).every()] == [2, 1]
    missing = said(folder, "chat", "-r", "nothing")
    assert missing.code == Exit.NOT_FOUND
    assert "no conversation 'nothing'; there are: " in missing.err


def test_there_is_nothing_to_go_on_with_at_first(tmp_path: Path) -> None:
    done = said(talk(tmp_path).folder, "chat", "-c")
    assert (done.code, done.err.count("\n")) == (Exit.NOT_FOUND, 1)
    assert "no conversation was held yet" in done.err
    assert "no conversation was held yet" in held(tmp_path, "/threads\n/turns\n/turn 1\n")


def test_a_chat_that_ended_while_a_voice_was_asked_for_asks_again_and_answers_the_same_question(tmp_path: Path) -> None:
    folder = talk(tmp_path, UNNAMED).folder
    assert "No voice is known to be Ben" in held(folder, "How often did Ben mention the train?\n", "Talk")
    shown = held(folder, "SPEAKER_01\n", "-c")
    assert "SPEAKER_01 is Ben now" in shown
    assert "Ben mentions “train” twice" in shown


def test_a_question_of_the_command_line_follows_those_before_it(tmp_path: Path) -> None:
    folder = talk(tmp_path, JOHNS).folder
    done = said(folder, "ask", "Talk", "--thread", "t", "How often did John mention the train?")
    assert done.code == Exit.REFUSED
    assert "answer with one of: John Reyes, John Carter" in done.err
    assert "John Reyes mentions “train” twice" in said(folder, "ask", "--thread", "t", "Reyes").out
    done = said(folder, "ask", "--thread", "t", "--json", "when?")
    assert done.json["caveats"] == ["read as: When did John Reyes mention the train?"]
    batch = said(folder, "ask", "Talk", "--thread", "t", "-", stdin="and the budget?\nwhat about Anna?\n")
    assert batch.out.count("read as: When did") == 2
    assert [turn.turns for turn in Threads(folder).every()] == [4]


def test_a_second_process_is_told_who_goes_on(tmp_path: Path) -> None:
    folder = talk(tmp_path).folder
    with Threads(folder).held("t"):
        done = said(folder, "ask", "Talk", "--thread", "t", "Who speaks most?")
    assert done.code == Exit.DATA
    held_by = f"this conversation is being continued by pid {os.getpid()}"
    assert done.err == f"overheard: {held_by}; wait until it ends, or stop it\n"


def test_a_stopped_question_is_kept_and_the_chat_says_so(tmp_path: Path) -> None:
    library, told = talk(tmp_path), io.StringIO()

    class Stops:
        """Asks, and is stopped by the person in the middle of the first question."""

        times = 0

        def __call__(self, question: str, recording: str | None, watch: Watch, dialogue: Dialogue, /) -> Reply:
            def stop(stage: Any) -> None:
                if stage.name == "judge" and self.times == 0:
                    self.times += 1
                    raise KeyboardInterrupt

            return ask(library, question, recording=recording, dialogue=dialogue, on_event=stop)

        def resume(self, dialogue: Dialogue, answer: str, watch: Watch, /) -> Reply:
            return resume(library, dialogue, answer)

    lines = Piped(io.StringIO("What did Anna say about the budget?\nhow often?\n/turns\n"))
    chat = Talk(library.database, Stops(), lines, Screen(told, told), "Talk", conversation(tmp_path, "t"))
    assert loop.run(chat) == Exit.DONE
    assert "stopped, and the question is kept; ask the next question" in told.getvalue()
    assert "read as: How often did Anna mention the budget?" in told.getvalue()
    assert [turn["status"] for turn in conversation(tmp_path, "t").turns] == ["stopped", "answered"]


@pytest.mark.parametrize("name", ["../x", "a b"])
def test_a_conversation_has_a_plain_name(tmp_path: Path, name: str) -> None:
    done = said(talk(tmp_path).folder, "ask", "Talk", "--thread", name, "Who speaks most?")
    assert (done.code, done.err.count("\n")) == (Exit.USAGE, 1)
