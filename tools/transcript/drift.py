"""Drift between two streams of one recording: words that come early or late, or whose clock runs fast or slow.

Speech and silence alternate alike in both, so the clock under which the words lie best on the speech is the right one.
It is looked for in the first quarter of an hour at all offsets and rates, because there a wrong rate costs little; the
best and the next best are then followed over twice the length, and twice that, until the end. The result tells
the margin to the next best place, and only a clear margin is a correction: speech without pauses fits anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.record import Span, union

Mask = NDArray[np.float64]
BIN_MS = 100
_FIRST_MS = 15 * 60_000
_LAG_MS = 15_000
_PPM = 12_000
_STEP_PPM = 400
_FOLLOWED = 6
_APART_MS = 1_500  # two places closer than this are one
_LEAST_MS = 30_000
_FINE_MS = 50
SURE = 0.05  # tuning part of scripts/measure_drift.py: from here on no undrifted stream is moved wrongly
DOUBTFUL = 0.05
_HARDLY = 0.015  # a gain that no drift at all reaches by chance, see scripts/measure_drift.py
_HARDLY_RATE = 0.005


@dataclass(frozen=True, slots=True)
class Drift:
    """The clock that fits the words best: a time t of theirs is t * (1 + ppm / 1e6) + offset_ms of the speech.

    fit is the correlation of words and speech under it (-1 to 1), gain how much better that is than under their own
    clock, margin how much better than under the next best clock that differs.
    """

    offset_ms: int
    ppm: int
    fit: float
    gain: float
    margin: float

    def moved(self, at_ms: int) -> int:
        """Give a time of the words on the clock of the speech."""
        return round(at_ms * (1 + self.ppm / 1e6)) + self.offset_ms

    @property
    def sure(self) -> bool:
        """Whether the clock is clearly better than any other."""
        return self.margin >= SURE

    @property
    def doubtful(self) -> bool:
        """Whether the words' own clock is poor and no other is sure."""
        return not self.sure and self.gain >= DOUBTFUL

    def shift_ms(self, span: Span) -> int:
        """Give how far, at most, a stretch of words lies from where it belongs."""
        return max(abs(self.moved(at) - at) for at in (span.t0, span.t1))


def drift(words: Sequence[Span], speech: Sequence[Span]) -> Drift | None:
    """Estimate the drift of words against speech; None where there is less than half a minute of either."""
    said, heard = union(words), union(speech)
    if min(_lasting(said), _lasting(heard)) < _LEAST_MS:
        return None
    end = min(said[-1].t1, heard[-1].t1) + _LAG_MS
    length, step = min(_FIRST_MS, end), float(_STEP_PPM)
    places = _distinct(_coarse(_Lying(said, heard, length)), length)
    while True:
        lying = _Lying(said, heard, length)
        places = _distinct([_climbed(lying, place, step) for place in places], length)
        if length == end:
            break
        length, step, places = min(2 * length, end), step / 2, places[:2]
    fine = _Lying(said, heard, end, _FINE_MS)
    best = _simplest(fine, _climbed(fine, places[0], step / 4))
    margin = places[0].fit - max((place.fit for place in places[1:]), default=0.0)
    return Drift(round(best.offset), round(best.ppm), best.fit, best.fit - fine.fit(0.0, 0.0), margin)


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """A clock, and how well words lie on speech under it."""

    fit: float
    ppm: float
    offset: float


class _Lying:
    """Words on speech, both from the first second up to `length`, compared in bins under any clock of the words."""

    def __init__(self, said: Sequence[Span], heard: Sequence[Span], length: int, bin_ms: int = BIN_MS) -> None:
        start = max(said[0].t0, heard[0].t0) - _LAG_MS
        self.bin_ms = bin_ms
        self.edges = np.arange(start, length, bin_ms, dtype=np.float64)
        self._times, self._lasting = _cumulated(said)
        self.speech = _centred(np.diff(np.interp(self.edges, *_cumulated(heard))))
        self.size = _size(self.speech)

    def spoken(self, ppm: float, offset: float) -> Mask:
        """Give the words' share of each bin under a clock, centred."""
        return _centred(np.diff(np.interp(self.edges, self._times * (1 + ppm / 1e6) + offset, self._lasting)))

    def fit(self, ppm: float, offset: float) -> float:
        """Give the correlation under a clock, 0 where one of both is constant."""
        spoken = self.spoken(ppm, offset)
        size = _size(spoken) * self.size
        return float((spoken * self.speech).sum()) / size if size else 0.0


def _coarse(lying: _Lying) -> list[_Place]:
    """Give the best places at every rate, and by one transform each at every offset."""
    size = 1 << (2 * len(lying.speech) - 1).bit_length()
    transform = np.fft.rfft(lying.speech, size)
    lags = np.arange(-_LAG_MS // BIN_MS, _LAG_MS // BIN_MS + 1)
    found = []
    for ppm in range(-_PPM, _PPM + 1, _STEP_PPM):
        spoken = lying.spoken(ppm, 0.0)
        matched = np.fft.irfft(transform * np.conj(np.fft.rfft(spoken, size)), size)[lags]
        fits = matched / (_size(spoken) * lying.size or 1.0)
        peaks = np.flatnonzero((fits[1:-1] >= fits[:-2]) & (fits[1:-1] >= fits[2:])) + 1
        best = sorted(peaks, key=lambda i: -fits[i])[:_FOLLOWED]
        found += [_Place(float(fits[i]), float(ppm), float(lags[i]) * BIN_MS) for i in best]
    return found or [_Place(0.0, 0.0, 0.0)]


def _climbed(lying: _Lying, place: _Place, step: float) -> _Place:
    """Climb from a place to the best one near it, in ever smaller steps; a new rate turns about the middle."""
    best = _Place(lying.fit(place.ppm, place.offset), place.ppm, place.offset)
    lag, middle = 4.0 * lying.bin_ms, (lying.edges[0] + lying.edges[-1]) / 2e6
    while lag >= lying.bin_ms / 4:
        tried = [
            (best.ppm + r * step, best.offset + o * lag - r * step * middle)
            for r in (-1, 0, 1)
            for o in (-1, 0, 1)
            if r or o
        ]
        top = max(_Place(lying.fit(ppm, offset), ppm, offset) for ppm, offset in tried)
        if top.fit > best.fit + 1e-9:
            best = top
        else:
            lag, step = lag / 2, step / 2
    return best


def _simplest(lying: _Lying, best: _Place) -> _Place:
    """Give the words' own clock, else one that is only late, where more fits hardly better: short speech fits many."""
    middle = (lying.edges[0] + lying.edges[-1]) / 2e6
    own = _Place(lying.fit(0.0, 0.0), 0.0, 0.0)
    late = _climbed(lying, _Place(0.0, 0.0, best.offset + best.ppm * middle), 0.0)
    if own.fit >= best.fit - _HARDLY:
        return own
    return late if late.fit >= best.fit - _HARDLY_RATE else best


def _distinct(places: Sequence[_Place], end: int) -> list[_Place]:
    """Keep the best places that put some word at least a second and a half from where a better one does."""
    kept: list[_Place] = []
    for place in sorted(places, reverse=True):
        if len(kept) < _FOLLOWED and all(_apart_ms(place, other, end) > _APART_MS for other in kept):
            kept.append(place)
    return kept


def _apart_ms(a: _Place, b: _Place, end: int) -> float:
    return max(abs(a.offset - b.offset), abs((a.ppm - b.ppm) * end / 1e6 + a.offset - b.offset))


def _cumulated(spans: Sequence[Span]) -> tuple[Mask, Mask]:
    """Give the edges of disjoint spans in order, and the milliseconds covered before each."""
    times = np.array([(span.t0, span.t1) for span in spans], np.float64).ravel()
    covered = np.cumsum(np.diff(times, prepend=times[0]) * (np.arange(len(times)) % 2))
    return times, covered


def _centred(mask: Mask) -> Mask:
    return np.asarray(mask - mask.mean())


def _size(mask: Mask) -> float:
    """Give a mask's length as a vector; not by BLAS, whose threads wait for each other longer than they work."""
    return float(np.sqrt((mask * mask).sum()))


def _lasting(spans: Sequence[Span]) -> int:
    return sum(span.duration for span in spans)
