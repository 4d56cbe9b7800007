"""A misleading world: whatever sounds like a statement is noted, and a statement is never less than its words."""

import re

import pytest

from agent.evals.worlds import cast
from agent.evals.worlds.decoys import codenames
from agent.evals.worlds.world import Spec, make
from tools.events.labels import resolve

WORLDS = [make(Spec(seed, minutes, people, decoys=True)) for seed, minutes, people in ((1, 60, 5), (2, 300, 12))]


@pytest.mark.parametrize("people", [1, 2, 3, 8, 12])
def test_a_cast_of_any_size_talks(people: int) -> None:
    world = make(Spec(people, 30, people, decoys=True))
    assert len(set(world.cast)) == people
    assert {segment.speaker for segment in world.segments} == set(world.cast)
    assert not {fact.source for fact in world.facts} & set(world.absent)
    assert people > 1 or not any(fact.source for fact in world.facts)


def test_a_shorter_one_is_a_prefix() -> None:
    short, long = make(Spec(9, 10, 4, decoys=True)), make(Spec(9, 60, 4, decoys=True))
    assert long.cast == short.cast
    for name in ("segments", "emotions", "events", "mentions", "facts", "asides"):
        ours, theirs = getattr(short, name), getattr(long, name)
        assert ours
        assert theirs[: len(ours)] == ours


@pytest.mark.parametrize("world", WORLDS)
def test_what_is_noted_is_what_is_said(world) -> None:  # type: ignore[no-untyped-def]
    texts = {(row.t0, row.speaker): row.text for row in world.segments}
    names = {name for name in codenames(world.spec.seed)}
    noted = {(row.t0, row.speaker) for row in (*world.facts, *world.asides)}
    assert noted == {key for key, text in texts.items() if names & set(re.findall(r"\w+", text))}
    for fact in world.facts:
        text = texts[fact.t0, fact.speaker]
        assert fact.value in text
        assert fact.entity in text
        assert (fact.attribute in text) != fact.free
        assert (fact.source or "") in text
    for aside in world.asides:
        assert aside.value in texts[aside.t0, aside.speaker]


@pytest.mark.parametrize("seed", range(12))
def test_nobody_states_two_values_without_taking_one_back(seed: int) -> None:
    held: dict[tuple[str, str, str], str] = {}
    for fact in make(Spec(seed, 120, 2 + seed, decoys=True)).facts:
        if fact.source is None:
            key = (fact.speaker, fact.entity, fact.attribute)
            assert held.get(key, fact.value) in (fact.value, fact.corrects)
            held[key] = fact.value


@pytest.mark.parametrize("world", WORLDS)
def test_every_kind_of_decoy_is_planted(world) -> None:  # type: ignore[no-untyped-def]
    kinds = {aside.kind for aside in world.asides}
    assert kinds == {"asked", "negated"}
    assert any(fact.corrects for fact in world.facts)
    assert any(fact.source for fact in world.facts)
    assert any(fact.free for fact in world.facts)


def test_code_names_last_for_a_day() -> None:
    world = make(Spec(3, 1440, 6, decoys=True))
    things: dict[str, set[str]] = {}
    for fact in world.facts:
        things.setdefault(fact.entity, set()).add(fact.attribute)
    assert len(things) > 400
    assert all(len(attributes) == 1 for attributes in things.values())


def test_namesakes_are_there() -> None:
    firsts = [[name.split()[0] for name in make(Spec(seed, 1, 4, decoys=True)).cast] for seed in range(30)]
    assert 8 < sum(len(set(names)) < len(names) for names in firsts) < 25


def test_every_other_name_of_a_sound_means_that_sound() -> None:
    table, sounds = cast.decoys(), set(cast.words("sounds"))
    for label, names in table["synonyms"].items():
        assert all(resolve(name) & sounds == {label} for name in names), label
    for label, names in table["finer"].items():
        assert all(name in resolve(label) and not resolve(label) & (sounds - {label}) for name in names), label
