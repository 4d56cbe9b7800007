"""What an event recogniser gives: what is heard besides words, one row for one sound, by AudioSet display name.

Hearing has no memory: a stretch is heard by itself, and `merge` joins what a cut between two stretches parted.
"""

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import UsageError
from store.record import Event
from tools.events.regions import SILENCE

DEFAULT = "yamnet"
BACKENDS = {
    "yamnet": ("tools.events.recognisers.yamnet", "YamNet"),
    "panns": ("tools.events.recognisers.panns", "Panns"),
}


class EventRecogniser(Protocol):
    """Hears sounds; `labels` are those it can report."""

    @property
    def name(self) -> str:
        """The word it is registered by."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever its events may."""
        ...

    @property
    def sha256(self) -> str | None:
        """The hash of its weights, None when it has none."""
        ...

    @property
    def resolution_ms(self) -> int:
        """How far the edges of an event may be off, because it is looked for only every so often."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label an event of it may carry."""
        ...

    def hear(self, samples: NDArray[np.float32], start_ms: int) -> list[Event]:
        """Give the events of one stretch, mono 16 kHz in [-1, 1], that starts at `start_ms` of the recording."""
        ...


def load(name: str = DEFAULT, **options: Any) -> EventRecogniser:
    """Load a recogniser by name; MissingWeights when its files are not here, MissingPackage when its library is not."""
    if name not in BACKENDS:
        raise UsageError(f"no event recogniser is named {name!r}; there are: {', '.join(BACKENDS)}")
    module, kind = BACKENDS[name]
    made: EventRecogniser = getattr(import_module(module), kind)(**options)
    return made


def merge(events: Iterable[Event], gap_ms: int) -> list[Event]:
    """Join events of one label at most `gap_ms` apart, keeping the higher score; ordered by time.

    Silence is joined only where nothing lies between: what is heard for half a second ends it.
    """
    joined: list[Event] = []
    last: dict[str, int] = {}
    for event in sorted(events, key=lambda event: (event.t0, event.t1, event.label)):
        place = last.get(event.label)
        if place is not None and event.t0 - joined[place].t1 <= (0 if event.label == SILENCE else gap_ms):
            before = joined[place]
            joined[place] = replace(before, t1=max(before.t1, event.t1), score=max(before.score, event.score))
        else:
            last[event.label] = len(joined)
            joined.append(event)
    return joined
