"""The sounds of the sample, each a few lines of arithmetic, so that nothing in it was recorded by anyone else."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
Samples = NDArray[np.float64]


def sound(name: str, seconds: float) -> Samples:
    """Make one sound by name: mono at 16 kHz, peak 1.0."""
    samples = SOUNDS[name](seconds)
    peak: float = np.abs(samples).max()
    return samples / peak


def siren(seconds: float) -> Samples:
    """Wail between 600 and 1400 Hz about every three seconds."""
    at = clock(seconds)
    return faded(harmonics(1000 - 400 * np.cos(2 * np.pi * 0.35 * at), 5, 1.3), 0.3, 0.3)


def telephone(seconds: float) -> Samples:
    """Ring as an electronic telephone: two tones twenty times a second, 1.2 s on and 0.8 s off."""
    at = clock(seconds)
    pitch = np.where((at * 20).astype(int) % 2 == 0, 1050.0, 1320.0)
    return faded(harmonics(pitch, 3, 1.0) * (at % 2.0 < 1.2), 0.02, 0.05)


def horn(seconds: float) -> Samples:
    """Honk with the two notes of a car horn, 0.8 s in every 1.2 s."""
    at = clock(seconds)
    notes = sum((harmonics(np.full_like(at, pitch), 13, 0.8) for pitch in (420.0, 510.0)), np.zeros_like(at))
    return faded(notes * (at % 1.2 < 0.8), 0.01, 0.02)


def alarm(seconds: float) -> Samples:
    """Sound a shrill warbling smoke alarm, 1.0 s in every 1.4 s."""
    at, rng = clock(seconds), np.random.default_rng(5)
    warble = 0.5 + 0.5 * np.sin(2 * np.pi * 27 * at)
    phase = 2 * np.pi * np.cumsum(3000 + 60 * warble) / RATE
    tone = np.sin(phase) * (0.4 + 0.6 * warble) + 0.3 * np.sin(1.09 * phase) + 0.03 * rng.standard_normal(at.size)
    return faded(tone * (at % 1.4 < 1.0), 0.01, 0.03)


def fireworks(seconds: float) -> Samples:
    """Crackle: sixty sharp pops a second, at random times."""
    rng, out = np.random.default_rng(11), np.zeros(int(seconds * RATE) + RATE)
    for at in rng.uniform(0, seconds, int(60 * seconds)):
        pop = clap(rng, rng.uniform(800, 2600), 0.5)
        out[int(at * RATE) :][: pop.size] += rng.uniform(0.2, 1.0) * pop
    return faded(out[: int(seconds * RATE)], 0.01, 0.4)


def applause(seconds: float) -> Samples:
    """Clap as a hundred and twenty people, each with an own rate, brightness, loudness and end."""
    rng, size = np.random.default_rng(11), int(seconds * RATE)
    out = np.zeros(size + RATE)
    for _ in range(120):
        period, bright, loud = rng.uniform(0.2, 0.32), rng.uniform(700, 2000), rng.uniform(0.4, 1.0)
        at, stop = rng.uniform(0, period), seconds * rng.uniform(0.85, 1.0)
        while at < stop:
            hands = clap(rng, bright, 0.1)
            out[int(at * RATE) :][: hands.size] += loud * hands
            at += period * rng.normal(1, 0.07)
    return faded(out[:size], 0.2, 0.4)


def violin(seconds: float) -> Samples:
    """Bow five notes with vibrato."""
    notes = []
    for key in (67, 71, 74, 72, 69):
        at = clock(seconds / 5)
        pitch = 440 * 2 ** ((key - 69) / 12) * (1 + 0.006 * np.sin(2 * np.pi * 5.8 * at))
        bow = np.minimum(at / 0.08, 1) * np.minimum((seconds / 5 - at) / 0.05, 1)
        notes.append(harmonics(pitch, 15, 0.9) * bow)
    return shaped(np.concatenate(notes), lambda hz: 0.4 + bump(hz, 450, 200) + 1.2 * bump(hz, 2600, 900))


def drums(seconds: float) -> Samples:
    """Play a drum kit at 120 beats a minute: bass drum, hat, snare, hat."""
    out = np.zeros(int(seconds * RATE) + RATE)
    for beat in range(int(seconds / 0.25)):
        at, rng = clock(0.3), np.random.default_rng(beat)
        noise = rng.standard_normal(at.size)
        bass = 1.5 * np.sin(2 * np.pi * (50 * at + 3.6 * (1 - np.exp(-25 * at)))) * np.exp(-at / 0.1)
        snare = (0.8 * noise + np.sin(2 * np.pi * 190 * at)) * np.exp(-at / 0.07)
        hat = 0.3 * np.diff(noise, append=0.0) * np.exp(-at / 0.02)
        out[int(beat * 0.25 * RATE) :][: at.size] += (bass, hat, snare, hat)[beat % 4]
    return faded(out[: int(seconds * RATE)], 0.001, 0.1)


SOUNDS = {made.__name__: made for made in (siren, telephone, horn, alarm, fireworks, applause, violin, drums)}


def clock(seconds: float) -> Samples:
    """Count the seconds of each sample from 0."""
    return np.arange(int(seconds * RATE)) / RATE


def harmonics(pitch: Samples, count: int, slope: float) -> Samples:
    """Add `count` harmonics of a pitch (Hz, one a sample), falling by their number to the power `slope`."""
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    return sum((np.sin(n * phase) / n**slope for n in range(1, count + 1)), np.zeros_like(phase))


def clap(rng: np.random.Generator, bright: float, sharp: float) -> Samples:
    """Clap once: 40 ms of noise around `bright` Hz, with a click as `sharp`."""
    at = clock(0.04)
    return shaped(rng.standard_normal(at.size) * np.exp(-at / 0.008), lambda hz: bump(hz, bright, 900) + sharp)


def faded(samples: Samples, rise: float, fall: float) -> Samples:
    """Fade in and out over `rise` and `fall` seconds."""
    up, down = int(rise * RATE), int(fall * RATE)
    gain = np.ones(samples.size)
    gain[:up], gain[-down:] = np.linspace(0, 1, up), np.linspace(1, 0, down)
    return samples * gain


def bump(hz: Samples, centre: float, width: float) -> Samples:
    """Give a bell-shaped gain around a frequency."""
    return np.exp(-(((hz - centre) / width) ** 2))


def shaped(samples: Samples, gain: Callable[[Samples], Samples]) -> Samples:
    """Multiply the spectrum by `gain(hz)`."""
    hz = np.fft.rfftfreq(samples.size, 1 / RATE).astype(np.float64)
    return np.fft.irfft(np.fft.rfft(samples) * gain(hz), samples.size)
