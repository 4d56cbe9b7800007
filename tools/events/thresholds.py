"""When a family of sounds is an event: a score from which it is one, with onset and offset apart from it.

The network is far less sure of some sounds than of others, and speech raises some families more than others; so each
family has its own threshold where `scripts/measure_events.py --choose` found one on its tuning part: a step above the
lowest at which nine of ten events are right and none is heard in speech. All others share one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

ON = 0.5
MEASURED: Mapping[str, float] = {
    "Crying, sobbing": 0.18,  # on the test part's clips 7 found of 7, 2 false
    "Clock": 0.18,  # 5 of 7, none false
    "Applause": 0.09,  # 1 of 1, none false in sounds or speech, 3 in 0.06 h of music
    "Heart sounds, heartbeat": 0.9,  # heard in meetings below
    "Sigh": 0.81,  # heard in speech below
    "Stomach rumble": 0.95,  # heard in meetings below
}
"""`on` by family. Laughter keeps ON: no lower one is precise, since babies cry like it and over speech it scores as
speech does. The export's 8-bit steps are not the limit: without them (it keeps its float weights) the peaks of 388
scenes moved by 0.35 logits, half a step, and of the 68 with laughter or applause as many, 9, reached ON."""
PAUSES: Mapping[str, int] = {"Music": 4, "Singing": 4}
"""Windows that are bridged, by family: music rests for a bar and goes on, so two seconds of it hidden or silent part no
piece. On the tuning part of scripts/measure_regions.py it finds 0.73 of music's frames so and not 0.68, under speech
0.41 and not 0.36, with no more of it in speech or silence; eight windows would put it there."""
ALONE, OFF = 1.4, -2.9  # logits from `on`: to be an event in one window alone; to begin and to end


@dataclass(frozen=True, slots=True)
class Limits:
    """For one family: an event has a window of `on`, lasts while they reach `off`, and may be one window of `alone`."""

    on: float

    @property
    def off(self) -> float:
        """Where it begins and ends."""
        return _moved(self.on, OFF)

    @property
    def alone(self) -> float:
        """What one window by itself must reach: shorter than two windows, a sound must be sure."""
        return _moved(self.on, ALONE)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits of every family; a label below the strongest is taken from `share` on.

    `pause` windows are bridged, in the families of `pauses` as many as it says.
    """

    default: float = ON
    families: Mapping[str, float] = field(default_factory=lambda: MEASURED)
    pause: int = 2
    share: float = 0.4
    pauses: Mapping[str, int] = field(default_factory=lambda: PAUSES)

    def of(self, family: str) -> Limits:
        """Give the limits of one family."""
        return Limits(self.families.get(family, self.default))

    def pause_of(self, family: str) -> int:
        """Give how many windows without it one sound of a family may hold at a time."""
        return self.pauses.get(family, self.pause)


def _moved(probability: float, logits: float) -> float:
    return 1 / (1 + exp(-(log(probability / (1 - probability)) + logits)))
