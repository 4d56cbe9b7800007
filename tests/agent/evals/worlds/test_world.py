"""A world is what its seed says, looks like talk, and its log agrees with an independent count."""

import re
from statistics import median

import pytest

from agent.evals.worlds import cast
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from store.catalog import catalog
from store.database import Database
from store.record import Span, total
from tools.events.labels import resolve

SPECS = [Spec(1, 10, 2), Spec(2, 30, 5), Spec(3, 60, 12)]


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_is_the_same_world(spec: Spec) -> None:
    assert make(spec) == make(spec)
    assert make(spec) != make(Spec(spec.seed + 1, spec.minutes, spec.cast))


def test_a_shorter_world_is_a_prefix() -> None:
    short, long = make(Spec(7, 10)), make(Spec(7, 30))
    assert long.segments[: len(short.segments)] == short.segments
    assert long.emotions[: len(short.emotions)] == short.emotions
    assert long.facts[: len(short.facts)] == short.facts
    assert long.events[: len(short.events)] == short.events


@pytest.mark.parametrize("spec", [Spec(11, 60, 4), Spec(12, 60, 7)])
def test_it_sounds_like_a_conversation(spec: Spec) -> None:
    world = make(spec)
    lengths = [s.t1 - s.t0 for s in world.segments]
    spoken = total(Span(s.t0, s.t1) for s in world.segments)
    words = sum(len(s.text.split()) for s in world.segments)
    assert 2_000 < median(lengths) < 4_000
    assert max(lengths) > 15_000
    assert 0.08 <= (sum(lengths) - spoken) / spoken <= 0.15
    assert 120 <= words / spec.minutes <= 180


@pytest.mark.parametrize("spec", SPECS)
def test_what_was_planted_is_all_there_is(spec: Spec) -> None:
    world = make(spec)
    for topic in cast.words("topics"):
        said = {(s.speaker, s.t0) for s in world.segments if re.search(rf"\b{topic}\w*", s.text, re.IGNORECASE)}
        assert said == {(m.speaker, m.t0) for m in world.mentions if m.topic == topic}
    texts = {(s.t0, s.speaker): s.text for s in world.segments}
    assert all(f.value in texts[f.t0, f.speaker] and f.entity in texts[f.t0, f.speaker] for f in world.facts)
    assert not any(name in {s.speaker for s in world.segments} for name in world.absent)


def test_no_sound_lies_below_another() -> None:
    sounds = set(cast.words("sounds"))
    assert all(resolve(sound) & sounds == {sound} for sound in sounds)


def test_a_speaker_never_says_two_values_of_one_thing() -> None:
    world = make(Spec(5, 120, 4))
    own: dict[tuple[str, str, str], set[str]] = {}
    for fact in world.facts:
        if fact.source is None:
            own.setdefault((fact.speaker, fact.entity, fact.attribute), set()).add(fact.value)
    assert all(len(values) == 1 for values in own.values())
    assert any(fact.source for fact in world.facts)


def test_a_world_is_published_as_its_truth(database: Database) -> None:
    world = make(Spec(4, 10, 3))
    recording = publish(database, world)
    with database.reader() as connection:
        (entry,) = catalog(connection, [recording]).recordings
    assert {voice.display for voice in entry.voices} == {s.speaker for s in world.segments}
    assert entry.streams["transcript"].rows == entry.streams["speaker"].rows == len(world.segments)
    assert sum(entry.events.values()) == len(world.events)
    assert entry.recording.duration_ms == entry.recording.heard_ms == 600_000
    assert entry.closed
