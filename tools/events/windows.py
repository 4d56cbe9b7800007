"""From windows to events: one row for one sound.

The labels of a family compete (a fire alarm and a smoke alarm at once are one alarm), families do not (a siren and a
telephone at once are two sounds). A row carries the most specific label that the family supports, so neither an
ancestor nor Silence ever wins over a descendant. The room and the channel are no events; speech and silence are regions
(regions.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.record import Event
from tools.events.hierarchy import ancestors, descendants, family
from tools.events.thresholds import ON, Limits, Thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Probabilities = NDArray[np.float32]

NO_EVENTS = frozenset(
    {
        "Speech", "Silence", "Sine wave", "Sound effect", "Pulse", "Effects unit", "Electronic tuner", "Reverberation",
        "Echo", "Noise", "Environmental noise", "Static", "Mains hum", "Distortion", "Sidetone", "Television", "Radio",
        "Field recording", "Inside, small room", "Inside, large room or hall", "Inside, public space",
        "Outside, urban or manmade", "Outside, rural or natural",
    }
)  # fmt: skip
"""Families that are not reported as events."""
SIGNALS = frozenset({"Alarm", "Beep, bleep", "Train whistle", "Train horn"})
"""What is made to be noticed, with all below: horns, telephones, sirens share their tones, so a weak one inside a
strong one is the same signal."""
SIGNAL_SHARE, SIGNAL_COVER = 0.5, 0.8


def is_event(label: str) -> bool:
    """Say whether a label is reported as an event."""
    return family(label) not in NO_EVENTS


def events(
    probabilities: "Probabilities",
    labels: Sequence[str],
    hop_ms: int,
    start_ms: int,
    end_ms: int,
    thresholds: Thresholds | None = None,
) -> list[Event]:
    """Give the events of windows (windows, labels): window i speaks for [i, i + 1) hops after `start_ms`.

    `end_ms` cuts the last one. Ordered by time, then label.
    """
    limits = thresholds or Thresholds()
    found = [
        _Found(Event(start_ms + first * hop_ms, min(start_ms + last * hop_ms, end_ms), label, score), strength)
        for name, members in _families(labels).items()
        for first, last in runs(probabilities, labels, members, limits.of(name), limits.pause_of(name))
        for run in [probabilities[first:last]]
        for label, score, strength in [_most_specific(run, labels, members, limits.of(name).on, limits.share)]
    ]
    kept = [each.event for each in found if each.event.t1 > each.event.t0 and not _explained(each, found)]
    return sorted(kept, key=lambda event: (event.t0, event.label))


@dataclass(frozen=True, slots=True)
class _Found:
    """An event and its probability summed over its windows."""

    event: Event
    strength: float

    def share_within(self, other: "_Found") -> float:
        """Give the share of this event's time that another covers."""
        mine, its = self.event, other.event
        return max(0, min(mine.t1, its.t1) - max(mine.t0, its.t0)) / (mine.t1 - mine.t0)


def _families(labels: Sequence[str]) -> dict[str, list[int]]:
    """Give the places of the labels of each family that is reported, by its head."""
    families: dict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        if is_event(label):
            families[family(label)].append(place)
    return families


def runs(
    probabilities: "Probabilities", labels: Sequence[str], members: Sequence[int], limits: Limits, pause: int
) -> list[tuple[int, int]]:
    """Give the stretches [first, last) of windows in which a family is heard; its ancestors only bridge pauses."""
    heard = probabilities[:, members].max(axis=1)
    if heard.max(initial=0.0) < limits.on:
        return []
    above = frozenset().union(*(ancestors(labels[place]) for place in members))
    broad = [place for place, label in enumerate(labels) if label in above and place not in members]
    bridged = probabilities[:, broad].max(axis=1) >= max(limits.on, ON) if broad else [False] * len(heard)
    runs: list[list[int]] = []
    silent = 0
    for window, probability in enumerate(heard):
        if probability >= limits.off:
            if runs and silent <= pause:
                runs[-1][1] = window + 1
            else:
                runs.append([window, window + 1])
            silent = 0
        elif not bridged[window]:
            silent += 1
    return [(first, last) for first, last in runs if _sure(heard[first:last], limits)]


def _sure(heard: "Probabilities", limits: Limits) -> bool:
    peak = float(heard.max())
    return peak >= limits.alone or (peak >= limits.on and int((heard >= limits.off).sum()) > 1)


def _most_specific(
    run: "Probabilities", labels: Sequence[str], members: Sequence[int], on: float, share: float
) -> tuple[str, float, float]:
    """Give the label of a run, its peak and its strength: from the strongest down, while a label below keeps its share.

    A label that never reaches `on` names no run.
    """
    strength = {labels[place]: float(run[:, place].sum()) for place in members if run[:, place].max() >= on}
    best = max(strength, key=lambda label: (strength[label], label))
    while below := {label: strength[label] for label in descendants(best) if label in strength}:
        stronger = max(below, key=lambda label: (below[label], label))
        if below[stronger] < share * strength[best]:
            break
        best = stronger
    place = next(place for place in members if labels[place] == best)
    return best, round(float(run[:, place].max()), 3), float(run[:, members].max(axis=1).sum())


def _explained(one: _Found, found: Sequence[_Found]) -> bool:
    """Say whether more specific labels cover half of an event, or a stronger signal nearly all of a signal."""
    more_specific = [each for each in found if one.event.label in ancestors(each.event.label)]
    if sum(one.share_within(each) for each in more_specific) >= 0.5:
        return True
    stronger = [each for each in found if one.strength < SIGNAL_SHARE * each.strength and _is_signal(each.event.label)]
    return _is_signal(one.event.label) and any(one.share_within(each) >= SIGNAL_COVER for each in stronger)


def _is_signal(label: str) -> bool:
    return not SIGNALS.isdisjoint({label, *ancestors(label)})
