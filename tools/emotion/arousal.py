"""Arousal: who sounds more excited than usual for this very voice, from pitch and rate alone.

This is prosody, not an emotion model: it says that somebody speaks higher and faster than he mostly does, never why.
Loudness is told where it changes and never decides, because the corpus it could be tested on has its levels adjusted.
The calm side is not told: bored and sad actors hardly differed from neutral ones (recall 0.08).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import log2
from statistics import median

from store.record import Emotion

EXCITED = 2.5
"""Spreads above the voice's own middle; chosen on the odd actors of EMO-DB by scripts/measure_emotion.py."""
LEAST_ROWS = 6  # of the voice besides the one that is judged: fewer have no "usual"
_LEAST_SPREAD = {"pitch_hz": 1.0, "rate_hz": 0.4}  # semitones; syllables a second
_SPREAD = 1.4826  # from the median of deviations to a standard deviation
_TOLD = {"pitch_hz": (1.0, "higher"), "rate_hz": (0.4, "faster"), "energy_db": (3.0, "louder")}


@dataclass(frozen=True, slots=True)
class Prosody:
    """Loudness in dB (full scale 0), median pitch in Hz, syllables a second of speech; kept among a row's scores."""

    energy_db: float
    pitch_hz: float
    rate_hz: float


KEYS = tuple(field.name for field in fields(Prosody))


@dataclass(frozen=True, slots=True)
class Excited:
    """A row that is more excited than usual for its voice: how far, in spreads, and in which ways."""

    row: Emotion
    above: float
    ways: tuple[str, ...]


def excited(rows: Iterable[Emotion]) -> list[Excited]:
    """Give the rows that stand out among the rows of their own voice, in order of time."""
    voices: dict[str, list[Emotion]] = defaultdict(list)
    for row in rows:
        if row.speaker is not None and all(key in row.scores for key in KEYS):
            voices[row.speaker].append(row)
    found = [each for own in voices.values() if len(own) > LEAST_ROWS for each in _outstanding(own)]
    return sorted(found, key=lambda each: (each.row.t0, each.row.t1))


def above(one: Mapping[str, float], usual: Sequence[Mapping[str, float]]) -> float:
    """Give how far a stretch lies above the usual ones of its voice, the mean over pitch and rate, in spreads."""
    return sum(_above(key, one, usual) for key in _LEAST_SPREAD) / len(_LEAST_SPREAD)


def _outstanding(own: Sequence[Emotion]) -> Iterable[Excited]:
    for place, row in enumerate(own):
        usual = [other.scores for other in (*own[:place], *own[place + 1 :])]
        far = above(row.scores, usual)
        if far >= EXCITED:
            yield Excited(row, round(far, 1), _ways(row.scores, usual))


def _above(key: str, one: Mapping[str, float], usual: Sequence[Mapping[str, float]]) -> float:
    values = [_heard(key, each) for each in usual]
    middle = median(values)
    spread = _SPREAD * median(abs(value - middle) for value in values)
    return (_heard(key, one) - middle) / max(spread, _LEAST_SPREAD[key])


def _ways(one: Mapping[str, float], usual: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    return tuple(
        word
        for key, (least, word) in _TOLD.items()
        if _heard(key, one) - median(_heard(key, each) for each in usual) >= least
    )


def _heard(key: str, measured: Mapping[str, float]) -> float:
    """Give a measurement on the scale that is heard: pitch in semitones."""
    return 12 * log2(max(measured[key], 1.0)) if key == "pitch_hz" else measured[key]
