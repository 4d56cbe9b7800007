"""A sentence is intact with its voice and the words of its facts; what else is heard otherwise does not count."""

from dataclasses import replace

import pytest

from agent.evals.tasks.drafting import items
from agent.evals.tasks.intact import hearing
from agent.evals.worlds.truth import Spec
from agent.evals.worlds.world import make
from store.record import Segment

WORLD = make(Spec(3, 10, 4))
ITEMS = items(WORLD, 6, ("mcqa", "constrained", "count"))
ITEM = next(item for item in ITEMS if item.task == "mcqa" and len(item.evidence) == 1)
FACT = next(fact for fact in WORLD.facts if (fact.t0, fact.t1) == ITEM.evidence[0][1:])
SAID = next(one for one in WORLD.segments if (one.t0, one.t1) == (FACT.t0, FACT.t1))


def heard(row: Segment | None) -> list[Segment]:
    """Give the world's segments with that of the item as it is given, or lost."""
    rows = (row if one is SAID else one for one in WORLD.segments)
    return [one for one in rows if one is not None]


def test_what_was_heard_as_it_was_said_is_intact() -> None:
    found = {item.task: set[bool | None]() for item in ITEMS}
    same = hearing(WORLD, WORLD.segments)
    for item in ITEMS:
        found[item.task].add(same.intact(item))
    assert found["mcqa"] == {True}
    assert found["count"] == {None}
    assert found["constrained"] == {True, None}


@pytest.mark.parametrize(
    "row",
    [
        None,
        replace(SAID, speaker=None),
        replace(SAID, speaker="Somebody else"),
        replace(SAID, text=SAID.text.replace(FACT.value, "always")),
        replace(SAID, text=SAID.text.replace(FACT.entity, "always")),
    ],
    ids=["lost", "nobody", "another", "value", "entity"],
)
def test_another_voice_or_fact_is_not_intact(row: Segment | None) -> None:
    assert hearing(WORLD, heard(row)).intact(ITEM) is False


def test_other_words_are_no_matter() -> None:
    assert hearing(WORLD, heard(replace(SAID, text=f"Always {SAID.text}"))).intact(ITEM)
