"""Regions of speech, music and silence are asked about by name, and are no sounds where none is named."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.library import Library
from store.record import Event
from tests.agent.graph.talk import LINES, talk

REGIONS = (
    Event(0, 19_680, "Speech", 1.0),
    Event(2_000, 8_000, "Music", 0.9),
    Event(20_640, 39_840, "Speech", 1.0),
    Event(23_000, 25_000, "Piano", 0.9),
    Event(40_320, 55_200, "Silence", 1.0),
    Event(56_000, 58_000, "Applause", 0.9),
)
ASKED = [
    ("How long was there music?", 8.0, "“music” was heard for 8.0 s."),
    ("When was there music?", [[2.0, 8.0], [23.0, 25.0]], "“music” was heard at 0:02–0:08 and 0:23–0:25."),
    ("What music was playing while Carla spoke?", [[23.0, 25.0]], "“music” was heard while Carla speaks at 0:23–0:25."),
    ("What was playing while Carla spoke?", ["Piano"], "Heard while Carla speaks: Piano (1×)."),
    ("Who spoke over music?", ["Anna", "Ben", "Carla"], "Anna, Ben and Carla speak during the “music”."),
    ("When was it silent?", [[40.32, 55.2]], "“silence” was heard at 0:40–0:55."),
    ("How long was it completely quiet?", 14.88, "“silence” was heard for 14.9 s."),
    ("How long was the recording silent?", 14.88, "“silence” was heard for 14.9 s."),
    ("When was silence region heard?", [[40.32, 55.2]], "“silence” was heard at 0:40–0:55."),
    ("When was there speech?", [[0.0, 19.68], [20.64, 39.84]], "“speech” was heard at 0:00–0:19 and 0:20–0:39."),
    ("What sounds were heard?", ["Music", "Piano", "Applause"], "Heard: Music (1×), Piano (1×) and Applause (1×)."),
    ("How many sounds were heard?", 3, "A sound was heard 3 times"),
    ("Which sound came first?", ["Music"], "Heard: Music."),
    ("How long is the longest silence?", 0.5, "The longest gap is 0.5 s, at 0:20."),
    ("Who gave the longest speech?", "Anna", "The longest turn of Anna lasts 6.9 s"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("library"), events=REGIONS)


@pytest.mark.parametrize(("question", "value", "text"), ASKED, ids=[question for question, _, _ in ASKED])
def test_a_region_is_asked_about(question: str, value: object, text: str, library: Library) -> None:
    reply = ask(library, question)
    assert (reply.status, reply.value) == ("answered", value)
    assert reply.answer.startswith(text)


@pytest.mark.parametrize(
    "question", ["Is there any complete silence, no speech and no sounds?", "how long is it quiet after the applause"]
)
def test_what_is_said_of_silence_otherwise_is_not_taken_for_a_region(question: str, library: Library) -> None:
    assert ask(library, question).status != "answered"


def test_where_it_was_never_silent_that_is_said(tmp_path: Path) -> None:
    quiet = ask(talk(tmp_path, lines=LINES, events=REGIONS[:4]), "When was it silent?")
    assert quiet.status in ("not_found", "refused")
    assert "silence" in quiet.answer
