"""What a person answers when asked which voice is meant: what may name several is asked again, nothing else is."""

import os
from pathlib import Path
from unittest import mock

import pytest

from agent.dialogue import Choice
from agent.front.chat.talk import pick, unclear
from store.errors import Exit
from tests.agent.front.shell import run
from tests.agent.graph.talk import talk

JOHNS = ("John Carter", "John Reyes", "Anna")
CHOICES = tuple(Choice(name, name, "rec", 1.0) for name in JOHNS[:2])


@pytest.mark.parametrize(
    ("line", "chosen", "again"),
    [
        ("2", "John Reyes", False),
        ("john reyes", "John Reyes", False),
        ("Carter", "John Carter", False),
        ("John", None, True),
        ("0", None, True),
        ("7", None, True),
        ("", None, False),
        ("Who spoke longest?", None, False),
        ("/speakers", None, False),
    ],
)
def test_a_line_is_a_voice_an_unclear_answer_or_the_next_turn(line: str, chosen: str | None, again: bool) -> None:
    found = pick(line, CHOICES)
    assert (found and found.key, unclear(line, CHOICES)) == (chosen, again)


def held(folder: Path, lines: str) -> str:
    with mock.patch.dict(os.environ, {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}):
        done = run(talk(folder, JOHNS).folder, "chat", "Talk", stdin=lines)
    assert done.code == Exit.DONE, done.err
    return done.out + done.err


def test_an_unclear_answer_is_asked_again_and_the_question_goes_on(tmp_path: Path) -> None:
    shown = held(tmp_path, "How often did John mention the train?\n9\njohn\nReyes\n")
    assert shown.count("is not one of them") == 2
    assert "John Reyes mentions “train” twice" in shown


def test_the_end_of_the_input_leaves_the_refusal(tmp_path: Path) -> None:
    assert "John can be 2 people" in held(tmp_path, "How often did John mention the train?\n")
