"""Where somebody speaks and where nothing at all is heard: rows like any other, and yet no sounds.

Both last for most of a recording, so whoever asks what was heard, how often or in which order does not mean them: they
are found where they are named. Music needs none of this: its rows last as long as it does, and "music" finds them all.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from store.record import Event
from tools.events.hierarchy import family
from tools.events.thresholds import Limits
from tools.events.windows import runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPEECH, SILENCE = "Speech", "Silence"
REGIONS = frozenset({SPEECH, SILENCE})
_FOLDED = frozenset(map(str.casefold, REGIONS))
_SPOKEN, _SILENT = Limits(0.5), Limits(0.5)
_BRIDGED = 2  # windows without a voice inside speech: a breath
_SHORTEST = 2  # windows of silence


def is_region(label: str) -> bool:
    """Say whether a label, whoever wrote it, is that of a region."""
    return label.casefold() in _FOLDED


def regions(
    probabilities: "NDArray[np.float32]",
    labels: Sequence[str],
    hop_ms: int,
    start_ms: int,
    end_ms: int,
    sounds: Iterable[Event],
) -> list[Event]:
    """Give the regions of windows (windows, labels), placed as `windows.events` places its events, by time.

    There is no silence where there is speech or one of the `sounds` that were heard in these windows.
    """

    def row(label: str, first: int, last: int, place: list[int]) -> Event:
        score = round(float(probabilities[first:last, place].max()), 3)
        return Event(start_ms + first * hop_ms, min(start_ms + last * hop_ms, end_ms), label, score)

    spoken = [place for place, label in enumerate(labels) if family(label) == SPEECH]
    silent = [place for place, label in enumerate(labels) if label == SILENCE]
    speech = [row(SPEECH, *run, spoken) for run in runs(probabilities, labels, spoken, _SPOKEN, _BRIDGED)]
    taken = [((e.t0 - start_ms) // hop_ms, -(-(e.t1 - start_ms) // hop_ms)) for e in (*speech, *sounds)]
    nothing = probabilities.copy()
    for first, last in taken:
        nothing[first:last, silent] = 0
    silence = [
        row(SILENCE, first, last, silent)
        for first, last in runs(nothing, labels, silent, _SILENT, 0)
        if last - first >= _SHORTEST
    ]
    return sorted([*speech, *silence], key=lambda event: (event.t0, event.label))
