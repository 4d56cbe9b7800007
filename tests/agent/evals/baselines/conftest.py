"""One small clean world and its questions, for all tests of baselines."""

import random
from dataclasses import dataclass

import pytest

from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.library import Library


@dataclass(frozen=True)
class Asked:
    """A library with one recording, and what is asked of it."""

    library: Library
    recording: str
    items: list[Item]


@pytest.fixture(scope="session")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    world = make(Spec(741, 15, 4))
    library = Library(tmp_path_factory.mktemp("clean"))
    recording = publish(library.database, world).public_id
    return Asked(library, recording, [*items(world), *constrained(world, random.Random(7), 12)])
