"""Gold answers are right by two ways that share nothing, and a wrong one never gets as far as a question."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from agent.evals.tasks import drafting, rederive
from agent.evals.tasks.drafting import MAKERS, items
from agent.evals.tasks.item import TASKS, Item
from agent.evals.worlds.world import Spec, World, make

WORLDS = [
    make(Spec(seed, minutes, people, decoys=True)) for seed, minutes, people in ((1, 12, 4), (2, 40, 9), (3, 8, 1))
]
DRAFTED = [(world, items(world, 8)) for world in WORLDS]


@pytest.mark.parametrize(("world", "drafted"), DRAFTED, ids=["4", "9", "1"])
def test_every_task_has_items_and_the_same_world_has_the_same(world: World, drafted: list[Item]) -> None:
    tasks = Counter(item.task for item in drafted)
    alone = len(world.cast) == 1
    assert set(tasks) == set(TASKS)
    assert all(1 <= times <= 8 for times in tasks.values())
    assert alone or min(tasks.values()) >= 5
    assert len({item.id for item in drafted}) == len(drafted)
    assert items(world, 8) == drafted
    assert rederive.disagreements(drafted, world) == []


def test_half_of_the_constrained_cannot_be_answered_in_four_kinds() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(40, 46):
        drafted = items(make(Spec(seed, 30, 5, decoys=True)), 8, ["constrained"])
        kinds.update(item.kind for item in drafted)
        assert sum(item.answerable for item in drafted) == len(drafted) / 2 == 4
        assert all((item.gold is None) != item.answerable for item in drafted)
    assert set(kinds) == {"answerable", "said by another", "speaker absent", "outside the time", "only quoted"}
    assert min(kinds.values()) >= 4


def test_options_hold_what_others_said_of_the_same_thing() -> None:
    world, drafted = DRAFTED[1]
    disputed = [item for item in drafted if item.kind == "disputed"]
    assert disputed
    for item in disputed:
        others = {f.value for f in world.facts if f.entity == item.asked.entity and f.speaker != item.asked.speaker}
        assert len(set(item.asked.options.values())) == 4
        assert others & set(item.asked.options.values())


def _wrong(item: Item) -> Any:
    match item.gold:
        case None:
            return "A"
        case int():
            return item.gold + 1
        case str():
            return (
                "B"
                if item.gold == "A"
                else "A"
                if item.form == "letter"
                else "neutral"
                if item.form == "label"
                else "x"
            )
        case list():
            return item.gold[1:]
    raise AssertionError(item)


@pytest.mark.parametrize("task", TASKS)
def test_a_wrong_gold_answer_is_told(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world, drafted = DRAFTED[0]
    of_task = [item for item in drafted if item.task == task]
    spoilt = [replace(item, gold=_wrong(item)) for item in of_task if item.gold != _wrong(item)]
    assert spoilt
    told = rederive.disagreements([*of_task, *spoilt], world)
    assert [line.split(" ")[0] for line in told] == [item.id for item in spoilt]
    makers = {name: maker for name, maker in MAKERS.items() if name != task} | {task: lambda draft, most: iter(spoilt)}
    monkeypatch.setattr(drafting, "MAKERS", makers)
    with pytest.raises(ValueError, match="do not come out again"):
        items(world, 8, [task])  # type: ignore[list-item]


def test_the_second_way_reads_the_words_and_not_the_log() -> None:
    world, drafted = DRAFTED[0]
    emptied = replace(world, facts=[], asides=[], mentions=[])
    assert rederive.disagreements(drafted, emptied) == []
    silent = replace(world, segments=[replace(row, text="Well.") for row in world.segments])
    lost = {line.split(" ")[0] for line in rederive.disagreements(drafted, silent)}
    assert {item.id for item in drafted if item.task in ("qa", "mcqa", "summary")} <= lost


def test_ties_are_left_out_and_counted() -> None:
    left_out: Counter[str] = Counter()
    items(WORLDS[1], 8, left_out=left_out)
    assert any(why.startswith("summary: ") for why in left_out)
    one = WORLDS[2]
    near = replace(one, emotions=[replace(row, label="anger" if n % 2 else "fear", t0=row.t0, t1=row.t0 + 1000)
                                  for n, row in enumerate(one.emotions)])  # fmt: skip
    left_out.clear()
    items(near, 6, ["emotion"], left_out)
    assert left_out["emotion: no emotion leads clearly"] > 0
