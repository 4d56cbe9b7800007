"""How well a made meeting was heard, without any question: its voices, its sounds, and what was heard that was not.

A sound is found when a row that its words mean lies over it; a false one is a row of a kind that is laid in meetings,
over no sound of that kind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.evals.meetings.meeting import Meeting, Sound, called
from store.record import Event, Span, Turn
from tools.comparison.turns import compare

SLACK_MS = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A sound that was laid; `heard_as` are the labels over it if none of them is right."""

    sound: Sound
    found: bool
    heard_as: tuple[str, ...] = ()


@dataclass(frozen=True)
class Perception:
    """One meeting: voices as they are and as they were heard, the share of wrong speech, each sound, false rows."""

    voices: int
    heard: int
    error: float | None
    confused: float
    sounds: tuple[Found, ...]
    false: tuple[str, ...]


def perception(meeting: Meeting, turns: Sequence[Turn], events: Sequence[Event]) -> Perception:
    """Hold what was heard against the truth."""
    held = compare(meeting.world.turns, turns)
    sounds = tuple(_found(sound, events) for sound in meeting.sounds)
    confused = held.confused / held.speech if held.speech else 0.0
    return Perception(held.before, held.after, held.rate, confused, sounds, tuple(_false(meeting, events)))


def _found(sound: Sound, events: Sequence[Event]) -> Found:
    over = [event for event in events if _touches(event, sound)]
    if any(event.label in called()[sound.kind].labels for event in over):
        return Found(sound, True)
    return Found(sound, False, tuple(sorted({event.label for event in over})))


def _false(meeting: Meeting, events: Sequence[Event]) -> Iterator[str]:
    for kind, words in called().items():
        laid = [sound for sound in meeting.sounds if sound.kind == kind]
        for event in events:
            if event.label in words.labels and not any(_touches(event, sound) for sound in laid):
                yield kind


def _touches(event: Event, sound: Sound) -> bool:
    return Span(event.t0 - SLACK_MS, event.t1 + SLACK_MS).overlaps(sound.span)
