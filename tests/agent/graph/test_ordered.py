"""An order of what was named is whole or not known; what is known of it is told and cited."""

from pathlib import Path

import pytest

from agent.ask import ask
from tests.agent.graph.talk import talk

PARTLY = [
    (
        "In which order were a clock, the applause and the siren first heard?",
        "“clock” was not among the sounds heard, so the order of all 3 is not known; "
        "the others in this order: siren (0:10), then applause (0:30).",
        2,
    ),
    (
        "In which order were a dog, a clock and the siren first heard?",
        "“dog” or “clock” was not among the sounds heard, so the order of all 3 is not known; only siren (0:10) was.",
        1,
    ),
    (
        "In the first 20 seconds, in which order were the siren and the applause heard?",
        "“applause” was not among the sounds heard before 0:20, so the order of both is not known; "
        "only siren (0:10) was.",
        1,
    ),
    (
        "In the first 15 seconds, in which order did Anna, Ben and Carla first speak?",
        "Carla was not heard to speak before 0:15, so the order of all 3 is not known; "
        "the others in this order: Anna (0:00), then Ben (0:04).",
        2,
    ),
]
WHOLE = [
    ("In which order were the applause and the siren first heard?", ["siren", "applause"]),
    ("In which order did Carla, Anna and Ben first speak?", ["Anna", "Ben", "Carla"]),
    ("In which order were the sounds first heard?", ["Siren", "Applause"]),
    ("In the first 15 seconds, in which order did people first speak?", ["Anna", "Ben"]),
    ("In what order did everyone speak for the first time?", ["Anna", "Ben", "Carla"]),
]


@pytest.mark.parametrize(("question", "sentence", "cited"), PARTLY)
def test_an_order_that_lacks_what_was_named_is_not_given_as_the_answer(
    tmp_path: Path, question: str, sentence: str, cited: int
) -> None:
    reply = ask(talk(tmp_path), question)
    assert (reply.status, reply.value, reply.answer) == ("not_found", None, sentence)
    assert len({row.speaker or row.quote for row in reply.citations}) == cited
    assert any(caveat.startswith("searched: ") for caveat in reply.caveats)


@pytest.mark.parametrize(("question", "order"), WHOLE)
def test_an_order_of_all_that_was_named_is_the_answer(tmp_path: Path, question: str, order: list[str]) -> None:
    reply = ask(talk(tmp_path), question)
    assert (reply.status, reply.value) == ("answered", order)
