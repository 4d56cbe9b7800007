"""What a problem of a plan is made of, and the words that every problem is told in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from store import clock
from tools.stream import StreamQuery

Problematic = Literal[
    "unknown_speaker",
    "speaker_unidentified",
    "ambiguous_speaker",
    "unknown_label",
    "stream_missing",
    "stream_unreliable",
    "out_of_range",
    "not_heard_yet",
    "contradictory_constraints",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one constraint of a call cannot hold; `exists` is what could be asked instead."""

    reason: Problematic
    call: str
    constraint: Mapping[str, Any]
    message: str
    exists: tuple[str, ...] = ()


def names_of(query: StreamQuery) -> tuple[str, ...]:
    """Give the people a call is limited to."""
    given = [getattr(query, "speaker", None), *getattr(query, "names", ())]
    return tuple(name for name in given if name is not None)


def labels_of(query: StreamQuery) -> tuple[str, ...]:
    """Give the labels a call is limited to."""
    return tuple(getattr(query, "labels", ()))


def stretch(query: StreamQuery) -> dict[str, Any]:
    """Give the range a call is limited to, in seconds, as a constraint."""
    return {name: value for name, value in (("start", query.start), ("end", query.end)) if value is not None}


def told(query: StreamQuery) -> str:
    """Write the range a call is limited to."""
    start, end = query.start, query.end
    if start is not None and start < 0:
        last = f"in the last {_clock(-start)}"
        if end is None:
            return last
        return f"{last} but the last {_clock(-end)}" if end < 0 else f"{last}, before {_clock(end)}"
    if end is not None and end < 0:
        return f"{'' if start is None else f'after {_clock(start)} and '}before the last {_clock(-end)}"
    if start and end:
        return f"between {_clock(start)} and {_clock(end)}"
    return f"after {_clock(start)}" if start else f"before {_clock(end)}" if end else "in the recording"


def _clock(seconds: float) -> str:
    return clock.clock(clock.start_ms(seconds))
