"""What goes wrong beyond single errors: loops, words in silence, clocks, voices merged and renamed, broken streams.

Each knob draws from a generator of its own, so that turning one changes nothing of the others.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from agent.evals.worlds import breaking, cast
from agent.evals.worlds.knobs import Heard, Noise
from agent.evals.worlds.truth import World
from store.record import Emotion, Event, Segment, Span, Turn

R = TypeVar("R", Segment, Turn, Emotion, Event)

# What recognisers write where nobody speaks, and in another language.
SILENCE = ("Thanks for watching!", "Please subscribe.", "Thank you.")
FOREIGN = ("und", "dann", "vielleicht", "morgen", "immer", "wieder", "nicht", "schon", "heute", "noch")
LEAST_PAUSE_MS = 400


def damaged(world: World, noise: Noise, found: Heard) -> Heard:
    """Give streams with whatever the knobs say, in an order of its own: voices, words, events, times, whole streams."""
    for knob, step in _STEPS:
        if knob(noise):
            found = step(world, noise, found)
    return found


def _rng(world: World, noise: Noise, knob: str) -> random.Random:
    return random.Random(f"{world.spec.seed}:{noise.seed}:{knob}")


def _merged(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "merged")
    names = list(world.cast)
    into = {name: rng.choice(names) for name in names if rng.random() < noise.merged}
    return _renamed(found, lambda name, _: into.get(name, name))


def _relabelled(world: World, noise: Noise, found: Heard) -> Heard:
    """Deal generic labels anew in each chunk, as when pieces of a recording are told apart one by one."""
    every = max(1, round(noise.relabelled * 60_000))
    names = sorted({turn.speaker for turn in found.turns})

    def label(name: str, t0: int) -> str:
        rng = _rng(world, noise, f"relabelled {t0 // every}")
        dealt = rng.sample(range(len(names)), len(names))
        return f"SPEAKER_{dealt[names.index(name)]:02}" if name in names else name

    return _renamed(found, label)


def _unknown(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "unknown")
    lost = {(turn.t0, turn.t1, turn.speaker) for turn in found.turns if rng.random() < noise.unknown}
    return Heard(
        [replace(row, speaker=None) if _key(row) in lost else row for row in found.segments],
        [replace(row, speaker="unknown") if _key(row) in lost else row for row in found.turns],
        [replace(row, speaker=None) if _key(row) in lost else row for row in found.emotions],
        found.events,
    )


def _second_dropped(world: World, noise: Noise, found: Heard) -> Heard:
    """Lose turns that begin while another voice speaks."""
    rng, lost, end = _rng(world, noise, "second"), set(), 0
    for turn in sorted(found.turns, key=lambda turn: turn.t0):
        if turn.t0 < end and rng.random() < noise.second_dropped:
            lost.add(_key(turn))
        end = max(end, turn.t1)
    return Heard(
        [row for row in found.segments if _key(row) not in lost],
        [row for row in found.turns if _key(row) not in lost],
        [row for row in found.emotions if _key(row) not in lost],
        found.events,
    )


def _false_alarms(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "false alarms")
    added = [
        Turn(pause.t0, pause.t1, rng.choice(world.cast), 0.5)
        for pause in _pauses(world)
        if rng.random() < noise.false_alarms
    ]
    return replace(found, turns=_in_order([*found.turns, *added]))


def _loops(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "loops")
    rows = [
        replace(row, text=" ".join([row.text] * rng.randint(3, 8))) if rng.random() < noise.loops else row
        for row in found.segments
    ]
    return replace(found, segments=rows)


def _invented(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "invented")
    added = [
        Segment(pause.t0, pause.t1, rng.choice(SILENCE), None, language="en", score=0.55)
        for pause in _pauses(world)
        if rng.random() < noise.invented
    ]
    return replace(found, segments=_in_order([*found.segments, *added]))


def _flips(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "flips")
    rows = [
        replace(row, text=" ".join(rng.choices(FOREIGN, k=len(row.text.split()))), language="de")
        if rng.random() < noise.flips
        else row
        for row in found.segments
    ]
    return replace(found, segments=rows)


def _synonyms(world: World, noise: Noise, found: Heard) -> Heard:
    rng, finer = _rng(world, noise, "synonyms"), cast.decoys()["finer"]
    rows = [
        replace(row, label=rng.choice(finer[row.label]))
        if row.label in finer and rng.random() < noise.synonyms
        else row
        for row in found.events
    ]
    return replace(found, events=rows)


def _jitter(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "jitter")

    def moved(row: R) -> R:
        t0 = max(0, row.t0 + round(rng.gauss(0, noise.jitter_ms)))
        t1 = max(t0 + 1, row.t1 + round(rng.gauss(0, noise.jitter_ms)))
        return replace(row, t0=t0, t1=t1)

    return _every(found, moved)


def _drift(world: World, noise: Noise, found: Heard) -> Heard:
    rate = 1 + noise.drift
    return replace(
        found, segments=[replace(row, t0=round(row.t0 * rate), t1=round(row.t1 * rate)) for row in found.segments]
    )


def _reversed(world: World, noise: Noise, found: Heard) -> Heard:
    rng = _rng(world, noise, "reversed")

    def turned(row: R) -> R:
        return replace(row, t0=row.t1, t1=row.t0) if rng.random() < noise.reversed else row

    return _every(found, turned)


def _broken(world: World, noise: Noise, found: Heard) -> Heard:
    for kind, how in noise.broken:
        found = breaking.broken(found, kind, how, world.duration_ms)
    return found


_STEPS: Sequence[tuple[Callable[[Noise], object], Callable[[World, Noise, Heard], Heard]]] = (
    (lambda noise: noise.merged, _merged),
    (lambda noise: noise.second_dropped, _second_dropped),
    (lambda noise: noise.relabelled, _relabelled),
    (lambda noise: noise.unknown, _unknown),
    (lambda noise: noise.false_alarms, _false_alarms),
    (lambda noise: noise.loops, _loops),
    (lambda noise: noise.flips, _flips),
    (lambda noise: noise.invented, _invented),
    (lambda noise: noise.synonyms, _synonyms),
    (lambda noise: noise.jitter_ms, _jitter),
    (lambda noise: noise.drift, _drift),
    (lambda noise: noise.reversed, _reversed),
    (lambda noise: noise.broken, _broken),
)


class _Change(Protocol):
    def __call__(self, row: R) -> R: ...


def _every(found: Heard, change: _Change) -> Heard:
    return Heard(
        [change(row) for row in found.segments],
        [change(row) for row in found.turns],
        [change(row) for row in found.emotions],
        [change(row) for row in found.events],
    )


def _key(row: Segment | Turn | Emotion) -> tuple[int, int, str | None]:
    return row.t0, row.t1, row.speaker


def _renamed(found: Heard, name: Callable[[str, int], str]) -> Heard:
    def told(row: Segment | Emotion) -> str | None:
        return None if row.speaker is None else name(row.speaker, row.t0)

    return Heard(
        [replace(row, speaker=told(row)) for row in found.segments],
        [replace(row, speaker=name(row.speaker, row.t0)) for row in found.turns],
        [replace(row, speaker=told(row)) for row in found.emotions],
        found.events,
    )


def _pauses(world: World) -> list[Span]:
    """Give where nobody speaks for a while."""
    pauses, end = [], 0
    for row in sorted(world.segments, key=lambda row: row.t0):
        if row.t0 - end >= LEAST_PAUSE_MS:
            pauses.append(Span(end, row.t0))
        end = max(end, row.t1)
    return pauses


def _in_order(rows: list[R]) -> list[R]:
    return sorted(rows, key=lambda row: (row.t0, row.t1))
