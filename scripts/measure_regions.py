"""Print how well speech, music and silence are told apart as regions, frame by frame of 0.48 s.

    python -m scripts.measure_regions --unpacked FOLDER [--part tuning|test] [--data FOLDER]

Recordings are made: pieces of readers, of music, of music 10 dB under a reader, of digital silence and of a room's
faint noise (-70 to -60 dBFS, falling 6 dB an octave), 3-9 s each, in random order. A reader's own pauses are no truth:
what a voice activity detector calls speech there is speech, pauses under a second with it; longer ones count not.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.corpora import data_option
from scripts.event_sets import LOUDNESS, PARTS, RATE, Array, Clip, loud, music, speech
from tools.events.labels import resolve
from tools.events.recogniser import load
from tools.transcript.recognisers.whisper import voiced

HOP_MS = 480
KINDS = ("speech", "music", "both", "digital silence", "room")
PIECES, RECORDINGS, LENGTH_S = 20, 12, (3.0, 9.0)
UNDER_DB, ROOM = -10.0, (3e-4, 1e-3)
ASKED = {"speech": "speech", "music": "music", "silence": "silence"}


@dataclass(frozen=True)
class Made:
    """A recording, and by region which of its milliseconds it covers, with those that count for nothing."""

    samples: Array
    truth: dict[str, NDArray[np.bool_]]
    unsure: NDArray[np.bool_]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--part", choices=PARTS, default="test")
    data_option(options)
    options.add_argument("--unpacked", type=Path, required=True, help="Debian packages with music")
    given = options.parse_args()
    kept = PARTS[given.part]
    readers = [clip for clip in speech(given.data, kept) if clip.name == "readers"]
    made = list(recordings(readers, list(music(given.unpacked, kept)), kept[0]))
    minutes = sum(one.samples.size for one in made) / RATE / 60
    print(f"{given.part} part: {len(made)} recordings, {minutes:.0f} min, {len(readers)} readers")
    print(f"{'frames of 0.48 s':18}{'true':>6}{'precision':>11}{'recall':>8}{'rows':>6}{'pieces':>8}")
    print_frames(made)


def print_frames(made: Sequence[Made]) -> None:
    """Print precision and recall of each region's frames, and its rows."""
    ear = load()
    rows = [ear.hear(one.samples, 0) for one in made]
    for region, words in ASKED.items():
        labels = resolve(words)
        right, said, true, pieces, count = 0, 0, 0, 0, 0
        for one, heard in zip(made, rows, strict=True):
            mine = [event for event in heard if event.label in labels]
            told = np.zeros(len(one.unsure), dtype=bool)
            for event in mine:
                told[event.t0 : event.t1] = True
            truth, found, sure = (_frames(each) for each in (one.truth[region], told, ~one.unsure))
            right += int((truth & found & sure).sum())
            said, true = said + int((found & sure).sum()), true + int((truth & sure).sum())
            count += len(mine)
            pieces += int((np.diff(one.truth[region].astype(np.int8), prepend=0) == 1).sum())
        print(f"{region:18}{true:6}{right / said:11.3f}{right / true:8.3f}{count:6}{pieces:8}")


def recordings(readers: Sequence[Clip], pieces: Sequence[Clip], seed: int) -> Iterator[Made]:
    """Make recordings of pieces in random order; each reader and piece of music begins where it was left."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    voices, tunes = _Reel(readers), _Reel(pieces)
    for _ in range(RECORDINGS):
        parts = [_piece(kind, draw, rng, voices, tunes) for kind in _order(draw)]
        truth = {name: np.concatenate([part.truth[name] for part in parts]) for name in ASKED}
        yield Made(np.concatenate([p.samples for p in parts]), truth, np.concatenate([p.unsure for p in parts]))


class _Reel:
    """Clips one after the other, each once before any is heard again."""

    def __init__(self, clips: Sequence[Clip]) -> None:
        self._samples, self._at = np.concatenate([clip.samples / loud(clip.samples) for clip in clips]), 0

    def take(self, size: int) -> Array:
        self._at = 0 if self._at + size > self._samples.size else self._at
        piece = self._samples[self._at : self._at + size]
        self._at += size
        return piece * np.float32(LOUDNESS)


def _order(draw: random.Random) -> list[str]:
    kinds = list(KINDS) * (PIECES // len(KINDS))
    draw.shuffle(kinds)
    return kinds


def _piece(kind: str, draw: random.Random, rng: np.random.Generator, voices: _Reel, tunes: _Reel) -> Made:
    size = int(draw.uniform(*LENGTH_S) * 1000) * (RATE // 1000)
    nothing = np.zeros(size // (RATE // 1000), dtype=bool)
    truth = dict.fromkeys(ASKED, nothing)
    if kind in ("digital silence", "room"):
        level = 0.0 if kind != "room" else draw.uniform(*ROOM)
        return Made((level * _room(rng, size)).astype(np.float32), {**truth, "silence": ~nothing}, nothing)
    if kind == "music":
        return Made(tunes.take(size), {**truth, "music": ~nothing}, nothing)
    voice = voices.take(size)
    spoken, pause = _spoken(voice)
    if kind == "speech":
        return Made(voice, {**truth, "speech": spoken}, pause)
    under = tunes.take(size) * np.float32(10 ** (UNDER_DB / 20))
    return Made(voice + under, {**truth, "speech": spoken, "music": ~nothing}, pause)


def _spoken(voice: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Give the milliseconds in which a reader speaks, pauses under a second with them, and the longer pauses."""
    spoken = np.zeros(voice.size // (RATE // 1000), dtype=bool)
    last = None
    for turn in voiced(voice, 0):
        start = turn.t0 if last is None or turn.t0 - last >= 1_000 else last
        spoken[start : turn.t1] = True
        last = turn.t1
    return spoken, ~spoken


def _room(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Give noise that falls 6 dB an octave above 20 Hz, of loudness 1."""
    spectrum = np.fft.rfft(rng.standard_normal(size))
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    noise = np.fft.irfft(np.where(hertz > 20, spectrum / np.maximum(hertz, 1), 0), size)
    loudness: NDArray[np.float64] = noise / noise.std()
    return loudness


def _frames(milliseconds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Give the frames of which at least half is covered."""
    whole = len(milliseconds) // HOP_MS
    return np.asarray(milliseconds[: whole * HOP_MS].reshape(whole, HOP_MS).mean(axis=1) >= 0.5)


if __name__ == "__main__":
    main()
