"""Plain vectors order every piece of a meeting once, by windows of at most 200 words."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agent.evals.qmsum.meetings import Meeting
from agent.evals.qmsum.vectors import WINDOW, Vectors


def test_every_piece_is_found_once_in_windows(few: list[Meeting], weights: Callable[[str], Path]) -> None:
    weights("minilm")
    meeting = replace(few[0], pieces=few[0].pieces[:120])
    said = "What about the battery of the laptop?"
    place = 75
    pieces = list(meeting.pieces)
    pieces[place] = replace(pieces[place], text="The laptop's battery is empty, and we have no charger. " * 8)
    meeting = replace(meeting, pieces=tuple(pieces))
    for speakers in (False, True):
        found = Vectors(meeting, speakers=speakers)
        order, first = found.order(said), found.first(said)
        assert sorted(order) == list(range(len(meeting.pieces)))
        assert order[: len(first)] == first
        assert place in first
        assert sum(len(meeting.pieces[i].text.split()) for i in first) <= WINDOW
        assert first == list(range(first[0], first[-1] + 1))
