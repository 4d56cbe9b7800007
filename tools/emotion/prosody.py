"""How a voice was used, measured from the sound itself: loudness, pitch, rate. No model, and no emotion.

The three are only comparable within one voice of one recording (microphone, distance, body), so they are stored as
they are and held against the voice's other stretches by arousal.py.
"""

from dataclasses import asdict, replace

import numpy as np
from numpy.typing import NDArray

from store.record import Emotion
from tools.emotion.arousal import Prosody

RATE = 16_000
FRAME, HOP = 640, 160  # 40 ms every 10 ms: two periods of the lowest voice
LOWEST_HZ, HIGHEST_HZ = 60, 400
VOICED = 0.5  # autocorrelation at the period, of that at 0
QUIET_DB = 25.0  # below the loud frames of the stretch: no speech
NUCLEUS_DB, NUCLEUS_FRAMES = 2.0, 10  # how far a syllable stands out, and how long one takes at least
Samples = NDArray[np.float32]
Series = NDArray[np.float64]


def prosody(samples: Samples) -> Prosody | None:
    """Measure a stretch of one voice, mono 16 kHz; None when too little of it is voiced."""
    if samples.size < FRAME * 2:
        return None
    frames = np.lib.stride_tricks.sliding_window_view(np.nan_to_num(samples).astype(np.float64), FRAME)[::HOP]
    level = 10 * np.log10((frames**2).mean(axis=1) + 1e-12)
    spoken = level > np.quantile(level, 0.95) - QUIET_DB
    pitch, voiced = _pitch(frames[spoken])
    if voiced.sum() < 20:
        return None
    return Prosody(
        round(float(level[spoken].mean()), 2),
        round(float(np.median(pitch[voiced])), 1),
        round(_nuclei(level, spoken) / (int(spoken.sum()) * HOP / RATE), 2),
    )


def with_prosody(row: Emotion, samples: Samples, t0: int) -> Emotion:
    """Give a row with its prosody beside its scores, measured in mono 16 kHz samples that begin at t0 ms."""
    measured = prosody(samples[(row.t0 - t0) * RATE // 1000 : (row.t1 - t0) * RATE // 1000])
    return row if measured is None else replace(row, scores={**row.scores, **asdict(measured)})


def _pitch(frames: Series) -> tuple[Series, NDArray[np.bool_]]:
    """Give each frame's pitch in Hz and whether it is voiced, by autocorrelation divided by the window's own."""
    window = np.hanning(FRAME)
    spectrum = np.abs(np.fft.rfft((frames - frames.mean(axis=1, keepdims=True)) * window, 2 * FRAME)) ** 2
    own = np.fft.irfft(np.abs(np.fft.rfft(window, 2 * FRAME)) ** 2)[:FRAME]
    lags = np.arange(RATE // HIGHEST_HZ, RATE // LOWEST_HZ + 1)
    correlation = np.fft.irfft(spectrum)[:, : lags[-1] + 1] / (own[: lags[-1] + 1] / own[0])
    likeness = correlation[:, lags] / (correlation[:, :1] + 1e-12)
    best = likeness.max(axis=1, keepdims=True)
    first = np.argmax(likeness >= 0.9 * best, axis=1)  # the shortest period that is nearly the best: no octave too low
    first = first + np.array([np.argmax(row[place : place + 20]) for row, place in zip(likeness, first, strict=True)])
    return RATE / lags[first], best[:, 0] >= VOICED


def _nuclei(level: Series, spoken: NDArray[np.bool_]) -> int:
    """Count the syllables: peaks of the smoothed level that stand out from the valleys beside them."""
    smooth = np.convolve(level, np.hanning(9) / np.hanning(9).sum(), mode="same")
    count, valley, peak, at = 0, smooth[0], -np.inf, -NUCLEUS_FRAMES
    for place, value in enumerate(smooth):
        if value > peak and value > valley + NUCLEUS_DB:
            peak, top = value, place
        if peak > -np.inf and value < peak - NUCLEUS_DB:
            if spoken[top] and top - at >= NUCLEUS_FRAMES:
                count, at = count + 1, top
            valley, peak = value, -np.inf
        valley = min(valley, value)
    return count
