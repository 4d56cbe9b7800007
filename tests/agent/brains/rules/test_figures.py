"""What is compared, shared, never so, busiest or longest is said with the figures it rests on, asked of real rows."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.library import Library
from tests.agent.graph.talk import talk

ASKED = [
    ("Does Anna speak longer than Ben?", False, "No: Anna speaks for 15.8 s, Ben speaks for 17.4 s."),
    ("Who speaks longer, Anna or Ben?", "Ben", "Ben: Anna speaks for 15.8 s, Ben speaks for 17.4 s."),
    (
        "By how many seconds does Ben speak longer than Anna?",
        1.6,
        "A difference of 1.6 s: Ben speaks for 17.4 s, Anna speaks for 15.8 s.",
    ),
    (
        "Which of Anna and Ben says budget more often?",
        "Anna",
        "Anna: Anna mentions “budget” twice, “budget” is not in the transcript of what Ben says.",
    ),
    (
        "Is the siren heard more often than the applause?",
        True,
        "Yes: “siren” was heard twice, “applause” was heard once.",
    ),
    (
        "In which half is the train mentioned more often?",
        "Before 0:30",
        "Before 0:30: “train” is mentioned twice before 0:30, “train” is mentioned once after 0:30.",
    ),
    (
        "What share of the talking is Anna's?",
        pytest.approx(0.408, abs=0.001),
        "Anna: 41 % of the talking (0:15 of 0:38).",
    ),
    ("Who never mentions the train?", ["Anna", "Carla"], "Anna and Carla: no mention of “train” was found."),
    ("Who didn't speak between 0:00 and 0:10?", "Carla", "Carla was not heard to speak between 0:00 and 0:10."),
    ("Did everyone mention the budget?", False, "No: Ben and Carla: no mention of “budget” was found."),
    ("Is it true that Ben never mentions the train?", False, "No: Ben mentions “train” twice, first at 0:14."),
    ("Did nobody mention the submarine?", True, "Yes: “submarine” is not in the transcript."),
    ("Does Ben mention the train at least three times?", False, "No: Ben mentions “train” twice."),
    ("Does Ben mention the train at least twice?", True, "Yes: Ben mentions “train” twice."),
    ("In which minute is the siren heard most often?", [[0.0, 60.0]], "“siren” was heard at 0:00–1:00 (twice)."),
    ("In which minutes do more than two people speak?", [[0.0, 60.0]], "People speak at 0:00–1:00 (3 people)."),
    ("When is the longest pause?", [[20.0, 20.5]], "The longest gap is 0.5 s, at 0:20."),
    ("When are there silences of more than 0.4 seconds?", [[20.0, 20.5]], "1 gap: 0.5 s at 0:20."),
    ("How long is the longest silence between 0:05 and 0:08?", 0.0, "No gap was found between 0:05 and 0:08."),
    ("Who has the longest turn?", "Anna", "The longest turn of Anna lasts 6.9 s, from 0:33 to 0:40."),
    ("Who spoke for less than 10 seconds?", "Carla", "Carla (5.5 s) speaks."),
    (
        "Which recordings mention the budget?",
        ["talk-00000000"],
        "1 recording in which “budget” is mentioned: talk-00000000 (twice).",
    ),
    (
        "Which recordings never mention the submarine?",
        ["talk-00000000"],
        "1 recording in which “submarine” is not in the transcript: talk-00000000.",
    ),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize(("question", "value", "text"), ASKED, ids=[question for question, _, _ in ASKED])
def test_an_answer_names_the_figures_it_rests_on(question: str, value: object, text: str, library: Library) -> None:
    reply = ask(library, question)
    assert (reply.status, reply.value) == ("answered", value)
    assert reply.answer.startswith(text)


def test_somebody_who_is_not_there_is_not_compared(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who speaks longer, Anna or Marie?")
    assert reply.refusal is not None
    assert reply.refusal.reason == "unknown_speaker"
