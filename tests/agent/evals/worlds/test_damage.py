"""Each knob of damage does its own harm and no other, and every stream can be broken in six ways."""

import json
from collections.abc import Callable

import pytest

from agent.evals.worlds.knobs import BREAKS, Break, Heard, Noise, preset
from agent.evals.worlds.manifest import again, manifest
from agent.evals.worlds.noise import FIELD, heard
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from store.database import Database
from store.record import STREAMS, StreamKind
from store.streams import active

WORLD = make(Spec(41, 30, 5, decoys=True))
TRUE = heard(WORLD, Noise())


def share(found: Heard, name: str, differs: Callable[[object, object], bool]) -> float:
    pairs = list(zip(getattr(TRUE, name), getattr(found, name), strict=True))
    return sum(differs(a, b) for a, b in pairs) / len(pairs)


def test_words_loop_flip_and_come_of_nothing() -> None:
    loops = share(heard(WORLD, Noise(loops=0.2)), "segments", lambda a, b: b.text.count(a.text) > 2)  # type: ignore[attr-defined]
    flips = share(heard(WORLD, Noise(flips=0.2)), "segments", lambda a, b: b.language == "de" and a.text != b.text)  # type: ignore[attr-defined]
    assert 0.15 < loops < 0.25
    assert 0.15 < flips < 0.25
    invented = heard(WORLD, Noise(invented=0.5))
    added = [row for row in invented.segments if row not in TRUE.segments]
    assert added
    assert all(not (row.t0 < true.t1 and true.t0 < row.t1) for row in added for true in TRUE.segments)
    assert invented.turns == TRUE.turns


def test_clocks_move() -> None:
    jitter = heard(WORLD, Noise(jitter_ms=100))
    moved = [b.t0 - a.t0 for a, b in zip(TRUE.turns, jitter.turns, strict=True)]
    assert 60 < (sum(one * one for one in moved) / len(moved)) ** 0.5 < 140
    drift = heard(WORLD, Noise(drift=0.01))
    assert drift.segments[-1].t0 == round(TRUE.segments[-1].t0 * 1.01)
    assert drift.turns == TRUE.turns
    turned = heard(WORLD, Noise(reversed=0.1))
    assert 0.05 < sum(row.t1 < row.t0 for row in turned.turns) / len(turned.turns) < 0.15


def test_voices_are_merged_dealt_anew_lost_and_made_up() -> None:
    assert len({turn.speaker for turn in heard(WORLD, Noise(merged=0.9)).turns}) < len(WORLD.cast)
    dealt = heard(WORLD, Noise(relabelled=10)).turns
    assert {turn.speaker for turn in dealt} == {f"SPEAKER_{n:02}" for n in range(5)}
    pairs = [{(a.speaker, b.speaker) for a, b in zip(TRUE.turns, dealt, strict=True) if a.t0 // 600_000 == n}
             for n in range(3)]  # fmt: skip
    assert all(len(one) == 5 for one in pairs)
    assert pairs[0] != pairs[1] or pairs[1] != pairs[2]
    unknown = heard(WORLD, Noise(unknown=0.2))
    assert 0.14 < sum(row.speaker is None for row in unknown.segments) / len(unknown.segments) < 0.26
    assert {row.speaker for row in unknown.turns} == {*WORLD.cast, "unknown"}
    assert len(heard(WORLD, Noise(false_alarms=0.5)).turns) > len(TRUE.turns)
    second = heard(WORLD, Noise(second_dropped=1.0)).turns
    assert 0 < len(second) < len(TRUE.turns)
    assert all(turn in TRUE.turns for turn in second)


def test_sounds_bear_finer_labels() -> None:
    found = heard(WORLD, Noise(synonyms=1.0)).events
    assert any(a.label != b.label for a, b in zip(TRUE.events, found, strict=True))


@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_stream_is_published_broken(database: Database, kind: StreamKind, how: Break) -> None:
    noise = preset(f"broken-{kind}-{how}")
    assert noise.broken == ((kind, how),)
    found, recording = heard(WORLD, noise), publish(database, WORLD, noise=noise)
    for name, other in zip(STREAMS, ("segments", "turns", "emotions", "events"), strict=True):
        assert (getattr(found, other) == getattr(TRUE, other)) == (name != kind)
    with database.reader() as connection:
        there = active(connection, recording.id)
        rows = dict(connection.execute("SELECT kind, rows FROM stream").fetchall())
    assert (kind in there) == (how != "absent")
    assert {name for name in STREAMS if name != kind} <= set(there)
    if how in ("empty", "duplicated", "constant"):
        times = {"empty": 0, "duplicated": 2, "constant": 1}[how]
        whole = {
            "transcript": len(TRUE.segments),
            "speaker": len(TRUE.turns),
            "emotion": len(TRUE.emotions),
            "events": len(TRUE.events),
        }
        assert rows[kind] == times * whole[kind]


KNOBS = [
    Noise(), FIELD, Noise(seed=3, words=0.1, keywords=0.02, loops=0.1, invented=0.2, flips=0.1, jitter_ms=80),
    Noise(drift=0.001, reversed=0.02, false_alarms=0.2, merged=0.3, relabelled=5, unknown=0.1, second_dropped=0.5),
    Noise(synonyms=0.5, temperature=0.6, broken=(("events", "shifted"), ("emotion", "absent"))),
]  # fmt: skip


@pytest.mark.parametrize("noise", KNOBS)
def test_a_manifest_makes_the_same_streams_again(noise: Noise) -> None:
    told = json.loads(json.dumps(manifest(WORLD.spec, noise)))
    assert set(told["noise"]) == set(Noise.__slots__)
    assert again(told) == heard(WORLD, noise)
    assert again(manifest(Spec(42, 30, 5, True), noise)) != heard(WORLD, noise)


def test_what_is_no_knob_and_no_preset_is_told() -> None:
    with pytest.raises(TypeError, match="loudness"):
        Noise.read({"loudness": 1})
    with pytest.raises(ValueError, match="clean, paper, field, broken-STREAM"):
        preset("broken-smell")
    with pytest.raises(ValueError, match="version 9"):
        again(manifest(WORLD.spec, Noise()) | {"version": 9})
