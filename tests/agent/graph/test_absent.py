"""What is said never to be mentioned is mentioned in none of its forms, and the forms are named."""

from pathlib import Path

import pytest

from agent.ask import ask
from tests.agent.graph.talk import talk

LINES = (
    (0, 4_000, 0, "The contract is ready."),
    (4_200, 9_000, 1, "These contracts are long, and so is the café."),
    (9_100, 14_000, 2, "It is quiet again."),
)


@pytest.mark.parametrize(
    ("question", "value", "form"),
    [
        ("Who never mentioned the contract?", "Carla", "contract → contracts"),
        ("Who never mentioned contracts?", "Carla", "contracts → contract"),
        ("Who never mentioned the cafe?", ["Anna", "Carla"], "cafe → café"),
        ("Did everyone mention the contract?", False, "contract → contracts"),
    ],
)
def test_an_absence_is_one_of_all_forms(tmp_path: Path, question: str, value: object, form: str) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert (reply.status, reply.value) == ("answered", value)
    assert any(caveat.startswith("widened") and form in caveat for caveat in reply.caveats), reply.caveats


def test_nobody_is_left_where_everybody_says_a_form(tmp_path: Path) -> None:
    lines = (*LINES, (15_000, 19_000, 2, "I contracted nothing."))
    reply = ask(talk(tmp_path, lines=lines), "Who never mentioned the contract?")
    assert reply.status == "not_found"
    assert "Nobody" in reply.answer


def test_recordings_without_a_word_hold_none_of_its_forms(tmp_path: Path) -> None:
    lines = ((0, 4_000, 0, "The contracts are ready."), (5_000, 9_000, 1, "Good."))
    reply = ask(talk(tmp_path, lines=lines), "Which recordings never mention the contract?")
    assert not reply.value
