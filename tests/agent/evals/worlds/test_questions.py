"""On clean worlds every question of every family is right, and every unanswerable one is refused for its reason."""

import random
from collections import Counter

import pytest

from agent.ask import ask
from agent.evals.worlds.marking import equal, right
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from agent.reply import Reply

SPECS = [Spec(21, 10, 3), Spec(22, 30, 6), Spec(23, 60, 12)]


def asked(spec: Spec, library: Library) -> list[tuple[Item, Reply]]:
    """Publish a world and ask it everything."""
    world = make(spec)
    publish(library.database, world)
    questions = [item for seed in range(1) for item in items(world, seed)]
    questions += constrained(world, random.Random(spec.seed), 8)
    return [(item, ask(library, item.question)) for item in questions]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_family_is_right_on_a_clean_world(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> None:
    results = asked(spec, Library(tmp_path_factory.mktemp("library")))
    failed = [(item, reply) for item, reply in results if not right(item, reply)]
    wrong = [(i.kind, i.question, i.value, i.reasons, r.status, r.value, r.answer) for i, r in failed]
    assert wrong == []
    families = Counter(item.family for item, _ in results)
    assert set(families) >= {
        "count",
        "yes_no",
        "when",
        "who",
        "duration",
        "order",
        "which_events",
        "emotion",
        "quote",
        "speaker_turns",
        "summary",
        "options",
        "text",
    }
    assert all(c.verified for item, reply in results for c in reply.citations)


def test_the_gold_of_options_has_four_kinds_that_cannot_be_answered() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(20, 26):
        world: World = make(Spec(seed, 60, 5))
        for item in constrained(world, random.Random(seed), 40):
            kinds[item.kind] += 1
            assert (item.value is None) == (item.status == "refused")
    assert set(kinds) == {"answerable", "said by another", "speaker absent", "outside the time", "only quoted"}


def test_wrong_values_are_wrong() -> None:
    assert not equal("count", 1, True)
    assert not equal("who", ["Anna", "Ben"], ["Ben", "Anna"])
    assert not equal("duration", 1.0, 1.1)
    assert not equal("quote", "red", "blue")
    assert equal("who", ["Anna"], "Anna")
