"""The conversations, held turn by turn: on one world here, on three by scripts/measure_conversations.py."""

from pathlib import Path

import pytest

from agent.evals.conversations import Marks, Spoken, hold, read
from agent.evals.plans.bank import WORLDS
from agent.evals.plans.filling import Filling, filling
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import make
from agent.library import Library
from tests.agent.graph.talk import talk
from tests.conftest import ROOT

DATA = ROOT / "tests" / "data"
CONVERSATIONS = read(DATA / "conversations.toml")
LATER = read(DATA / "conversations2.toml")
SHARE, UNSEEN = 0.95, 0.8


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, str, Filling]:
    library, made = Library(tmp_path_factory.mktemp("world")), make(WORLDS[0])
    return library, publish(library.database, made).public_id, filling(made)


def test_there_are_forty_of_two_to_five_turns_and_half_are_set_aside() -> None:
    assert len(CONVERSATIONS) == 40
    assert sum(one.aside for one in CONVERSATIONS) == 20
    assert {len(one.turns) for one in CONVERSATIONS} <= {2, 3, 4, 5}


SETS = {
    "seen": [one for one in CONVERSATIONS if not one.aside],
    "aside": [one for one in CONVERSATIONS if one.aside],
    "later": LATER,
    "unseen": read(DATA / "conversations.heldout.toml"),
}


@pytest.mark.parametrize("chosen", SETS)
def test_turns_are_answered_like_the_questions_that_stand_alone(
    world: tuple[Library, str, Filling], tmp_path: Path, chosen: str
) -> None:
    library, recording, words = world
    marks = Marks()
    for spoken in SETS[chosen]:
        if spoken.people:
            hold(spoken, {}, talk(tmp_path / "_".join(spoken.people), spoken.people), "Talk", marks)
        else:
            hold(spoken, words, library, recording, marks)
    assert marks.share >= (UNSEEN if chosen == "unseen" else SHARE), "\n".join(marks.wrong)


def test_a_turn_that_means_something_else_is_marked_wrong(tmp_path: Path) -> None:
    library, marks = talk(tmp_path), Marks()
    turns = (
        {"ask": "How often did Ben mention the train?"},
        {"ask": "and Anna?", "gold": "How often did Carla mention the contracts?", "kind": "person"},
        {"ask": "What did she say?", "asks": ["Anna", "Carla"], "kind": "unresolved"},
        {"ask": "and the budget?"},
    )
    hold(Spoken(turns), {}, library, "Talk", marks)
    assert (marks.right, len(marks.wrong)) == ({"alone": 1, "person": 0, "unresolved": 0}, 3)
