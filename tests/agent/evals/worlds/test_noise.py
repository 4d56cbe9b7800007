"""Noise does what its knobs say, each by itself, the same for the same seed; scores know of the errors."""

from dataclasses import replace

import pytest

from agent.evals.worlds import cast
from agent.evals.worlds.noise import FIELD, PRESETS, Heard, Noise, heard
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from store.database import Database

WORLD = make(Spec(31, 60, 5))


def wrong_words(world: World, found: Heard) -> float:
    pairs = [(a.text.split(), b.text.split()) for a, b in zip(world.segments, found.segments, strict=True)]
    missed = sum(len([word for word in a if word not in b]) for a, b in pairs)
    return missed / sum(len(a) for a, _ in pairs)


def test_without_noise_the_truth_is_heard() -> None:
    found = heard(WORLD, Noise())
    assert [(s.t0, s.text, s.speaker) for s in found.segments] == [(s.t0, s.text, s.speaker) for s in WORLD.segments]
    assert [(e.t0, e.label) for e in found.events] == [(e.t0, e.label) for e in WORLD.events]
    assert [e.label for e in found.emotions] == [e.label for e in WORLD.emotions]
    scores = [row.score for rows in (found.segments, found.turns, found.emotions, found.events) for row in rows]
    assert all((score or 0) > 0.99 for score in scores)


@pytest.mark.parametrize("noise", PRESETS.values())
def test_the_same_knobs_make_the_same_streams(noise: Noise) -> None:
    assert heard(WORLD, noise) == heard(WORLD, noise)
    if noise != Noise():
        assert heard(WORLD, noise) != heard(WORLD, replace(noise, seed=7))
    assert set(noise.manifest()) == set(Noise().manifest())


@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_each_knob_turns_what_it_is_for(rate: float) -> None:
    words, confused = heard(WORLD, Noise(words=rate)), heard(WORLD, Noise(confused=rate))
    pairs = list(zip(WORLD.segments, confused.segments, strict=True))
    assert 0.7 * rate < wrong_words(WORLD, words) < 1.2 * rate  # a filler that replaces a word may be in it twice
    assert [s.speaker for s in words.segments] == [s.speaker for s in WORLD.segments]
    assert abs(sum(a.speaker != b.speaker for a, b in pairs) / len(pairs) - rate) < 0.05
    assert [s.text for s in confused.segments] == [s.text for s in WORLD.segments]
    missed = heard(WORLD, Noise(missed=rate))
    assert abs(1 - len(missed.turns) / len(WORLD.segments) - rate) < 0.05
    felt = heard(WORLD, Noise(emotions=rate))
    other = [a.label != b.label for a, b in zip(WORLD.emotions, felt.emotions, strict=True)]
    assert abs(sum(other) / len(other) - rate) < 0.05
    sounds = heard(WORLD, Noise(events_missed=rate))
    assert len(sounds.events) < len(WORLD.events)
    assert len(heard(WORLD, Noise(events_false=rate)).events) == len(WORLD.events) + round(rate * len(WORLD.events))


def test_planted_words_have_a_knob_of_their_own() -> None:
    spared = heard(WORLD, Noise(words=0.5, keywords=0.0))
    topics = set(cast.words("topics"))
    said = [(a.text, b.text) for a, b in zip(WORLD.segments, spared.segments, strict=True)]
    assert all(topic in heard_text for text, heard_text in said for topic in topics & set(text.lower().split()))
    assert wrong_words(WORLD, spared) > 0.3


def test_a_split_voice_has_two_labels() -> None:
    found = heard(WORLD, Noise(split=1.0))
    assert {turn.speaker for turn in found.turns} > set(WORLD.cast)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_scores_say_how_often_they_are_right_unless_too_sure(temperature: float) -> None:
    worlds = [make(Spec(seed, 60, 5)) for seed in range(40, 44)]
    noise = Noise(emotions=0.35, confused=0.2, temperature=temperature)
    pairs = [
        (float(b.score or 0), a.label == b.label)
        for world in worlds
        for a, b in zip(world.emotions, heard(world, noise).emotions, strict=True)
    ]
    unsure = [right for score, right in pairs if score < 0.7]
    sure = [right for score, right in pairs if score > 0.9]
    stated = sum(score for score, _ in pairs) / len(pairs)
    right = sum(right for _, right in pairs) / len(pairs)
    assert sum(sure) / len(sure) > sum(unsure) / len(unsure) + 0.2
    assert (stated - right < 0.03) == (temperature == 1.0)


def test_a_noisy_world_is_a_recording_with_its_own_health(database: Database) -> None:
    publish(database, WORLD, "clean", Noise())
    publish(database, WORLD, "noisy", FIELD)
    with database.reader() as connection:
        rows = connection.execute("SELECT kind, health, params FROM stream ORDER BY id").fetchall()
    health = {kind: [row["health"] for row in rows if row["kind"] == kind] for kind in ("transcript", "emotion")}
    assert all(clean > noisy for clean, noisy in health.values())
    assert '"words": 0.25' in rows[-1]["params"]


def test_what_was_drawn_already_is_not_drawn_again(database: Database) -> None:
    publish(database, WORLD, noise=FIELD, observed=replace(heard(WORLD, FIELD), events=[]))
    with database.reader() as connection:
        rows = dict(connection.execute("SELECT kind, rows FROM stream").fetchall())
    assert rows["events"] == 0
    assert rows["transcript"] == len(WORLD.segments)
