"""When a family of sounds is an event: a score from which it is one, with onset and offset apart from it.

The network is far less sure of some sounds than of others, and speech raises some families more than others; so each
family that was measured has its own threshold, and all others share one. Chosen by `scripts/measure_events.py
--choose` on its tuning part, as the lowest at which PRECISION of the events are right and none is heard in speech.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

ON = 0.5
MEASURED: Mapping[str, float] = {}
"""`on` by family; see the figures of the test part in scripts/measure_events.py."""
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
    """The limits of every family; `pause` windows are bridged; a label below the strongest is taken from `share` on."""

    default: float = ON
    families: Mapping[str, float] = field(default_factory=lambda: MEASURED)
    pause: int = 2
    share: float = 0.4

    def of(self, family: str) -> Limits:
        """Give the limits of one family."""
        return Limits(self.families.get(family, self.default))


def _moved(probability: float, logits: float) -> float:
    return 1 / (1 + exp(-(log(probability / (1 - probability)) + logits)))
