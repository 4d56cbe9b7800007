"""From windows to events: one row for one sound.

The labels of a family compete (a fire alarm and a smoke alarm at once are one alarm), families do not (a siren and a
telephone at once are two sounds). A row carries the most specific label that the family supports, so neither an
ancestor nor Silence ever wins over a descendant. Speech, the room and the channel are no events: the other streams
tell of speech.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.record import Event
from tools.events.hierarchy import ancestors, descendants, family

NO_EVENTS = frozenset(
    {
        "Speech", "Silence", "Sine wave", "Sound effect", "Pulse", "Effects unit", "Electronic tuner", "Reverberation",
        "Echo", "Noise", "Environmental noise", "Static", "Mains hum", "Distortion", "Sidetone", "Television", "Radio",
        "Field recording", "Inside, small room", "Inside, large room or hall", "Inside, public space",
        "Outside, urban or manmade", "Outside, rural or natural",
    }
)  # fmt: skip
"""Families that are not reported."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When an event begins (`on`), goes on (`off`), may rest on one window alone (`alone`), bridges a pause (windows);
    a label below the strongest is taken when it has `share` of its probability. Tuned on the odd clips of ESC-10."""

    on: float = 0.5
    off: float = 0.3
    alone: float = 0.8
    pause: int = 3
    share: float = 0.4


def is_event(label: str) -> bool:
    """Say whether a label is reported as an event."""
    return family(label) not in NO_EVENTS


def events(
    probabilities: NDArray[np.float32],
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
    families: dict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        if is_event(label):
            families[family(label)].append(place)
    found = [
        Event(start_ms + first * hop_ms, min(start_ms + last * hop_ms, end_ms), label, score)
        for members in families.values()
        for first, last in _runs(probabilities, labels, members, limits)
        for label, score in [_most_specific(probabilities[first:last], labels, members, limits.share)]
    ]
    return sorted(
        (event for event in found if event.t1 > event.t0 and not _explained(event, found)),
        key=lambda event: (event.t0, event.label),
    )


def _runs(
    probabilities: NDArray[np.float32], labels: Sequence[str], members: Sequence[int], limits: Thresholds
) -> list[tuple[int, int]]:
    """Give the stretches [first, last) of windows in which a family is heard; its ancestors only bridge pauses."""
    heard = probabilities[:, members].max(axis=1)
    if heard.max(initial=0.0) < limits.on:
        return []
    above = frozenset().union(*(ancestors(labels[place]) for place in members))
    broad = [place for place, label in enumerate(labels) if label in above and place not in members]
    bridged = probabilities[:, broad].max(axis=1) >= limits.on if broad else np.zeros(heard.size, bool)
    runs: list[list[int]] = []
    silent = 0
    for window, probability in enumerate(heard):
        if probability >= limits.off:
            if runs and silent <= limits.pause:
                runs[-1][1] = window + 1
            else:
                runs.append([window, window + 1])
            silent = 0
        elif not bridged[window]:
            silent += 1
    return [(first, last) for first, last in runs if _sure(heard[first:last], limits)]


def _sure(heard: NDArray[np.float32], limits: Thresholds) -> bool:
    peak = float(heard.max())
    return peak >= limits.alone or (peak >= limits.on and int((heard >= limits.off).sum()) > 1)


def _most_specific(
    run: NDArray[np.float32], labels: Sequence[str], members: Sequence[int], share: float
) -> tuple[str, float]:
    """Give the label of a run and its peak: from the strongest downwards, as long as a label below keeps its share."""
    strength = {labels[place]: float(run[:, place].mean()) for place in members}
    best = max(strength, key=lambda label: (strength[label], label))
    while below := {label: strength[label] for label in descendants(best) if label in strength}:
        stronger = max(below, key=lambda label: (below[label], label))
        if below[stronger] < share * strength[best]:
            break
        best = stronger
    place = next(place for place in members if labels[place] == best)
    return best, round(float(run[:, place].max()), 3)


def _explained(event: Event, found: Sequence[Event]) -> bool:
    """Say whether a more specific label covers half of an event."""
    shared = sum(
        max(0, min(event.t1, other.t1) - max(event.t0, other.t0))
        for other in found
        if event.label in ancestors(other.label)
    )
    return 2 * shared >= event.t1 - event.t0
