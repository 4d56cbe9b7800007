"""The truth of a made meeting, read from the JSON beside its audio, and what people call its sounds.

It is a world without words, so that the tasks of worlds can ask it and it can be published as streams.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.evals.worlds.truth import Spec, World
from store.record import Event, Segment, Span
from tools.events.labels import resolve

TABLE = Path(__file__).with_name("sounds.toml")
UNHEARD = "words"


@dataclass(frozen=True, slots=True)
class Called:
    """What people call a sound: `thing` is heard, `happens` is a clause."""

    thing: str
    happens: str

    @property
    def labels(self) -> frozenset[str]:
        """Every label that these words mean."""
        return resolve(self.thing)


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound as it was laid: how loud against the talk (dB), and the share of it over which somebody speaks."""

    span: Span
    kind: str
    label: str
    snr_db: float
    over_speech: float


@dataclass(frozen=True)
class Meeting:
    """A made meeting: its audio, who speaks and what is heard."""

    audio: Path
    world: World
    sounds: tuple[Sound, ...]
    unique_s: float

    @property
    def kinds(self) -> list[str]:
        """The kinds of sounds that are heard, in order of name."""
        return sorted({sound.kind for sound in self.sounds})

    def first(self, kind: str) -> int:
        """Give when a kind is first heard, in ms."""
        return min(sound.span.t0 for sound in self.sounds if sound.kind == kind)


@cache
def called() -> Mapping[str, Called]:
    """Read the table of sounds, once a process."""
    return {kind: Called(**row) for kind, row in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()}


def read(audio: Path) -> Meeting:
    """Read the truth beside an audio file."""
    return meeting(audio, json.loads(audio.with_suffix(".json").read_text(encoding="utf-8")))


def meeting(audio: Path, told: Mapping[str, Any]) -> Meeting:
    """Give a meeting from its truth in plain values, times in seconds."""
    segments = [Segment(*_span(turn), UNHEARD, turn["speaker"]) for turn in told["turns"]]
    rows = [(_span(event), event) for event in told["events"]]
    events = [Event(t0, t1, event["label"], 1.0) for (t0, t1), event in rows]
    cast = tuple(sorted({str(segment.speaker) for segment in segments}))
    world = World(Spec(told["seed"], told["minutes"], len(cast)), cast, (), segments, [], events)
    sounds = (Sound(Span(*s), e["kind"], e["label"], e["snr_db"], e["over_speech"]) for s, e in rows)
    return Meeting(audio, world, tuple(sounds), told.get("unique_seconds", 0.0))


def _span(row: Mapping[str, Any]) -> tuple[int, int]:
    return round(1000 * row["start"]), round(1000 * row["end"])
