"""Pool Whisper's states as a recording does: the vectors that the emotion head is trained on and measured with.

Several clips share a window, as turns do, and each is pooled from the window's states: a head trained on clips padded
alone is lost in windows (accuracy 0.36), and the other way round (0.66). So windows of all lengths are made; training
windows of EMO-DB hold one actor (leaving an actor out leaves nothing of him behind), test windows mix all.

Neutral English: one utterance each of READERS of LibriSpeech, cut into turns of 2-15 s. Every second reader, by name,
only measures.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools import audio
from tools.emotion.recognisers.emodb import pooled
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import STATE_MS, Whisper

Array = NDArray[np.float64]
EMOTIONS = {"W": "anger", "L": "boredom", "E": "disgust", "A": "fear", "F": "happiness", "T": "sadness", "N": "neutral"}
RATE, WINDOW_S = 16_000, 29
ROUNDS = ((29, 29), (4, 16))  # arrangements of the training clips: shortest, longest window, seconds
TEST = (8, 29)
READERS, ENGLISH = 60, (20, 29)
TURN_S = (2, 15)
SHORT = " 1s"


@dataclass(frozen=True, slots=True)
class Vectors:
    """Pooled clips of EMO-DB (clips, 1024) by arrangement, and pooled turns of English readers (turns, 1024)."""

    train: Array
    """(ROUNDS, clips, 1024): windows of one actor."""
    test: Array
    short: Array
    """The first second alone, in the windows of `test`."""
    labels: NDArray[np.str_]
    actors: NDArray[np.str_]
    english: Array
    readers: NDArray[np.str_]
    seconds: Array
    held: NDArray[np.bool_]
    """Whether a turn's reader only measures."""


def vectors(emodb: Path, english: Path, cache: Path | None) -> Vectors:
    """Encode both corpora, or read them from `cache`, which is written when it is not there."""
    if cache is not None and cache.exists():
        with np.load(cache) as kept:
            return Vectors(**{field.name: kept[field.name] for field in fields(Vectors)})
    whisper = Whisper("whisper-base", Options())
    found = Vectors(*_emodb(whisper, emodb), *_english(whisper, english))
    if cache is not None:
        np.savez(cache, **{field.name: getattr(found, field.name) for field in fields(Vectors)})
    return found


def encode(
    whisper: Whisper, clips: Sequence[tuple[str, Array]], rng: random.Random, lengths: tuple[float, float] = TEST
) -> dict[str, Array]:
    """Pool each clip from a window that it shares with those beside it, 0.2-0.6 s of faint noise between them."""
    found: dict[str, Array] = {}
    window: list[tuple[str, int, Array]] = []
    at, limit = 0, rng.uniform(*lengths)
    for name, samples in clips:
        if window and at + len(samples) > limit * RATE:
            found |= _window(whisper, window)
            window, at, limit = [], 0, rng.uniform(*lengths)
        window.append((name, at, samples[: WINDOW_S * RATE]))
        at += len(samples) + int(rng.uniform(0.2, 0.6) * RATE)
    return found | _window(whisper, window)


def _window(whisper: Whisper, clips: Sequence[tuple[str, int, Array]]) -> dict[str, Array]:
    end = max(at + len(samples) for _, at, samples in clips)
    mixed = (np.random.default_rng(end).standard_normal(end) * 1e-4).astype(np.float32)
    for _, at, samples in clips:
        mixed[at : at + len(samples)] += samples
    states = whisper.states(mixed)
    places = {name: (at * 1000 // RATE, (at + len(samples)) * 1000 // RATE) for name, at, samples in clips}
    places |= {name + SHORT: (t0, t0 + 1000) for name, (t0, _) in places.items()}
    return {name: pooled(states, t0, t1, STATE_MS).astype(np.float64) for name, (t0, t1) in places.items()}


def _emodb(whisper: Whisper, folder: Path) -> tuple[Array, Array, Array, NDArray[np.str_], NDArray[np.str_]]:
    clips = {path.stem: samples(path) for path in sorted(folder.glob("*.*")) if path.stem[5:6] in EMOTIONS}
    names, rng = sorted(clips), random.Random(0)
    rounds = []
    for lengths in ROUNDS:
        found: dict[str, Array] = {}
        for actor in sorted({name[:2] for name in names}):
            own = [name for name in names if name[:2] == actor]
            rng.shuffle(own)
            found |= encode(whisper, [(name, clips[name]) for name in own], rng, lengths)
        rounds.append(np.stack([found[name] for name in names]))
    rng.shuffle(names)
    mixed = encode(whisper, [(name, clips[name]) for name in names], rng)
    names.sort()
    return (
        np.stack(rounds),
        np.stack([mixed[name] for name in names]),
        np.stack([mixed[name + SHORT] for name in names]),
        np.array([EMOTIONS[name[5]] for name in names]),
        np.array([name[:2] for name in names]),
    )


def others(english: Path) -> tuple[Array, Array, int]:
    """Encode every utterance of the readers that are not drawn: pooled turns (turns, 1024), their seconds, readers."""
    readers, rng = _shuffled(english)[READERS:], random.Random(7)
    turns = [
        (f"{path.stem}/{place}", turn)
        for reader in sorted(readers)
        for path in sorted(reader.glob("*.*"))
        for place, turn in enumerate(_turns(samples(path), rng))
    ]
    rng.shuffle(turns)
    found = encode(Whisper("whisper-base", Options()), turns, rng, ENGLISH)
    return np.stack([found[name] for name, _ in turns]), np.array([len(t) / RATE for _, t in turns]), len(readers)


def _shuffled(english: Path) -> list[Path]:
    readers = sorted(filter(Path.is_dir, english.iterdir()))
    random.Random(1).shuffle(readers)
    return readers


def _english(whisper: Whisper, folder: Path) -> tuple[Array, NDArray[np.str_], Array, NDArray[np.bool_]]:
    drawn, rng = sorted(_shuffled(folder)[:READERS]), random.Random(7)
    turns: list[tuple[str, Array]] = []
    for reader in drawn:
        cut = _turns(samples(min(reader.glob("*.*"))), rng)
        turns += [(f"{reader.name}/{place}", turn) for place, turn in enumerate(cut)]
    rng.shuffle(turns)
    found = encode(whisper, turns, rng, ENGLISH)
    names = np.array([name.split("/")[0] for name, _ in turns])
    held = np.searchsorted(np.unique(names), names) % 2 == 1
    return np.stack([found[name] for name, _ in turns]), names, np.array([len(t) / RATE for _, t in turns]), held


def _turns(utterance: Array, rng: random.Random) -> list[Array]:
    """Cut an utterance into turns of TURN_S seconds, without what is left under the shortest."""
    cut, at, least = [], 0, TURN_S[0] * RATE
    while len(utterance) - at >= least:
        size = int(rng.uniform(*TURN_S) * RATE)
        cut.append(utterance[at : at + size])
        at += size
    return cut


def samples(path: Path) -> Array:
    """Read a whole file, mono at 16 kHz."""
    return np.concatenate(list(audio.decode(path)))
