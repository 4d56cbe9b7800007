"""A small meeting without audio: three voices for ten minutes, four kinds of sounds, two of them in silence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.evals.meetings.asking import Asking
from agent.evals.meetings.meeting import Meeting, meeting
from agent.evals.meetings.publishing import publish
from agent.library import Library
from store.record import Event, Turn

ROUND_S = 30
SOUNDS = [
    # in silence, over 12, over 12 and 34, in silence, over 34
    (22, 25, "dog_bark", "Bark", 0.0),
    (92, 95, "rain", "Rain", 1.0),
    (128.0, 133.0, "rooster", "Crowing, cock-a-doodle-doo", 1.0),
    (262, 265, "sea_waves", "Waves, surf", 0.0),
    (374, 377, "dog_bark", "Bark", 1.0),
]


def told() -> dict[str, Any]:
    """Give the truth as it stands in a file: each half minute 12 for 10 s, then 34 or 56 for 8 s, then silence."""
    turns = []
    for number in range(20):
        start = number * ROUND_S
        turns.append({"start": start, "end": start + 10, "speaker": "12"})
        turns.append({"start": start + 10, "end": start + 18, "speaker": ("34", "56")[number % 2]})
    events = [
        {"start": a, "end": b, "kind": kind, "label": label, "snr_db": 5.0, "over_speech": over}
        for a, b, kind, label, over in SOUNDS
    ]
    return {"seed": 3, "minutes": 10, "turns": turns, "events": events, "unique_seconds": 40.0}


def small() -> Meeting:
    return meeting(Path("small.flac"), told())


def relabelled(turns: Sequence[Turn], names: dict[str, str]) -> list[Turn]:
    return [Turn(t.t0, t.t1, names[t.speaker]) for t in turns]


def asking(folder: Path, turns: Sequence[Turn], events: Sequence[Event]) -> Asking:
    """Publish rows as what was heard of the small meeting."""
    made, library = small(), Library(folder / "heard")
    recording = publish(library.database, "heard", made.world, turns, events)
    return Asking(made, library, recording, folder / "truth")
