"""What one voice says over the border of two segments is found, counted once and cited by both of them."""

from pathlib import Path

import pytest

from agent.ask import ask
from tests.agent.graph.talk import talk

LINES = (
    (0, 4_000, 0, "Today we look at Machine"),
    (4_200, 9_000, 0, "learning is next on our list."),
    (9_100, 14_000, 1, "The climate"),
    (14_300, 16_000, 1, "change report is late."),
    (16_100, 20_000, 2, "Nobody asked me about the climate."),
)
MACHINE = ["Today we look at Machine", "learning is next on our list."]
CLIMATE = ["The climate", "change report is late."]


@pytest.mark.parametrize(
    ("question", "value", "quotes"),
    [
        ('Did Anna say "Machine learning"?', True, MACHINE),
        ('How often did Anna say "machine learning"?', 1, MACHINE),
        ("What did Anna say about machine learning?", " ".join(MACHINE), MACHINE),
        ('When did Ben say "climate change report"?', [[9.1, 14.0]], CLIMATE),
        ("Did Ben mention climate change?", True, CLIMATE),
        ("Who mentioned climate change?", "Ben", CLIMATE),
        ("What did Ben say about climate change?", " ".join(CLIMATE), CLIMATE),
    ],
)
def test_what_runs_over_a_border_is_found_and_cited(
    tmp_path: Path, question: str, value: object, quotes: list[str]
) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert (reply.status, reply.value) == ("answered", value)
    assert [citation.quote for citation in reply.citations] == quotes
    assert all(citation.verified for citation in reply.citations)
    assert "not verified" not in reply.answer
    assert not reply.caveats


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ('Did Ben say "machine learning"?', False),
        ('Did Anna say "list the climate"?', False),
        ("Did Carla mention climate change?", False),
    ],
)
def test_nothing_runs_from_one_voice_into_another(tmp_path: Path, question: str, value: object) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert (reply.status, reply.value) == ("answered", value)
