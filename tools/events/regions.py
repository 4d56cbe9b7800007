"""Speech, music and silence as regions: what the other streams may hold their own output against.

They are no events (nobody asks "was speech heard" of the events stream) and they may overlap: words over music are
both. A window is 0.48 s; a gap of one is bridged and one alone is no region.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from store.record import Span, total
from tools.events.hierarchy import descendants

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["speech", "music", "silence"]
HEADS: dict[Kind, str] = {"speech": "Speech", "music": "Music", "silence": "Silence"}
ON = 0.5
BRIDGED = 1
LEAST = 2


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of one kind."""

    kind: Kind
    span: Span


def regions(
    probabilities: "NDArray[np.float32]", labels: Sequence[str], hop_ms: int, start_ms: int, end_ms: int
) -> list[Region]:
    """Give the regions of windows (windows, labels): window i speaks for [i, i + 1) hops after `start_ms`."""
    found = []
    for kind, head in HEADS.items():
        places = [place for place, label in enumerate(labels) if label == head or label in descendants(head)]
        heard = probabilities[:, places].max(axis=1, initial=0.0)
        for first, last in _runs([float(each) >= ON for each in heard]):
            found.append(Region(kind, Span(start_ms + first * hop_ms, min(start_ms + last * hop_ms, end_ms))))
    return sorted((region for region in found if region.span), key=lambda region: (region.span, region.kind))


def share(span: Span, of: Sequence[Region], kind: Kind) -> float:
    """Give the share of a span that lies in regions of a kind, 0 for an empty span."""
    inside = (region.span for region in of if region.kind == kind and region.span.overlaps(span))
    cut = (Span(max(one.t0, span.t0), min(one.t1, span.t1)) for one in inside)
    return total(cut) / span.duration if span else 0.0


def _runs(heard: Sequence[bool]) -> list[tuple[int, int]]:
    """Give the stretches [first, last) of windows that are heard, short gaps bridged, short ones left out."""
    runs: list[list[int]] = []
    for window, is_heard in enumerate(heard):
        if not is_heard:
            continue
        if runs and window - runs[-1][1] <= BRIDGED:
            runs[-1][1] = window + 1
        else:
            runs.append([window, window + 1])
    return [(first, last) for first, last in runs if last - first >= LEAST]
