"""Pool Whisper's states as a recording does: the vectors that the emotion head is trained on and measured with.

Several clips share a window, as turns do, and each is pooled from the window's states: a head trained on clips padded
alone is lost in windows (accuracy 0.36), and the other way round (0.66). So windows of all lengths are made; training
windows of EMO-DB hold one actor (leaving an actor out leaves nothing of him behind), test windows mix all.

Neutral English: every utterance of every reader of LibriSpeech, cut into turns of 2-15 s, CUTS times at other places:
the same words in other turns, so hours of turns are no hours of speech. A third of the readers only measures.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.emotion.recognisers.emodb import pooled
from tools.media import audio
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import STATE_MS, Whisper

Array = NDArray[np.float64]
EMOTIONS = {"W": "anger", "L": "boredom", "E": "disgust", "A": "fear", "F": "happiness", "T": "sadness", "N": "neutral"}
RATE, WINDOW_S = 16_000, 29
ROUNDS = ((29, 29), (4, 16))  # arrangements of the training clips: shortest, longest window, seconds
TEST = (8, 29)
CUTS, ENGLISH = 5, (20, 29)
MEASURING = 3  # one reader in so many
TURN_S = (2, 15)
SHORT, HALVES = " 1s", (" 1/2", " 2/2")


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
    halves: Array
    """(turns, 2, 1024): each half of a turn of English by itself."""
    readers: NDArray[np.str_]
    seconds: Array
    cuts: NDArray[np.intp]
    """Which of CUTS a turn is from; one of them is all the speech there is."""

    @property
    def held(self) -> NDArray[np.bool_]:
        """Whether a turn's reader only measures."""
        return np.array([measures(reader) for reader in self.readers.tolist()])


def measures(reader: str) -> bool:
    """Say whether a reader only measures: by name, so that who does never depends on who else there is."""
    return int(hashlib.sha256(reader.encode()).hexdigest(), 16) % MEASURING == 0


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
    for name, (t0, t1) in list(places.items()):
        middle = (t0 + t1) // 2
        places |= {name + SHORT: (t0, t0 + 1000)}
        places |= dict(zip((name + half for half in HALVES), ((t0, middle), (middle, t1)), strict=True))
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


def _english(whisper: Whisper, folder: Path) -> tuple[Array, Array, NDArray[np.str_], Array, NDArray[np.intp]]:
    said = {path.stem: samples(path) for path in sorted(folder.glob("*/*.flac"))}
    turns: list[tuple[str, float, int]] = []
    found: dict[str, Array] = {}
    for cut in range(CUTS):
        rng = random.Random(100 + cut)
        mine = [
            (f"{name}/{cut}/{n}", turn) for name, sound in said.items() for n, turn in enumerate(_turns(sound, rng))
        ]
        rng.shuffle(mine)
        found |= encode(whisper, mine, rng, ENGLISH)
        turns += [(name, len(turn) / RATE, cut) for name, turn in mine]
    return (
        np.stack([found[name] for name, _, _ in turns]),
        np.stack([[found[name + half] for half in HALVES] for name, _, _ in turns]),
        np.array([name.split("-")[0] for name, _, _ in turns]),
        np.array([seconds for _, seconds, _ in turns]),
        np.array([cut for _, _, cut in turns]),
    )


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
