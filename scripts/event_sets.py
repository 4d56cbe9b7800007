"""What sounds are measured with: real clips by what they are, speech in which nothing else is, music, made scenes.

ESC-10, LibriSpeech and AMI lie in the data folder. Laughter, applause and music come from Debian packages
(hedgewars-data, libreoffice-common, frozen-bubble-data, tuxfootball), unpacked into one folder, and are what their file
names say: the laughs are those of game voices, some nearer to spoken syllables than to laughter. Every second clip,
reader and excerpt is for tuning, the others only measure.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.media.audio import decode

RATE = 16_000
PARTS = {"tuning": (0,), "test": (1,), "all": (0, 1)}
CLASSES = {
    "baby_cry": "Baby cry, infant cry",
    "chainsaw": "Chainsaw",
    "clock_tick": "Tick-tock",
    "dog_bark": "Bark",
    "fire_crackling": "Crackle",
    "helicopter": "Helicopter",
    "person_sneeze": "Sneeze",
    "rain": "Rain",
    "rooster": "Crowing, cock-a-doodle-doo",
    "sea_waves": "Waves, surf",
    "laughter": "Laughter",
    "applause": "Applause",
}
UNPACKED = {"laughter": ("Laugh.ogg",), "applause": ("applause.wav", "applause.ogg", "crowdcheer.wav")}
MUSIC = ("Music/*.ogg", "*mainzik*.ogg")
LEVELS: tuple[float | None, ...] = (None, 10.0, 0.0, -10.0)
"""How loud the sound of a scene is against its speech, dB; None: alone."""
SCENE_S, BEGIN_S, LONGEST_S, LOUDNESS = 10, (2.5, 5.0), 3, 0.07
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Clip:
    """One recording: what it is of, and its samples."""

    name: str
    samples: Array


@dataclass(frozen=True)
class Scene:
    """A sound [t0, t1) ms in speech or alone."""

    clip: Clip
    level: float | None
    t0: int
    t1: int


def clips(data: Path, unpacked: Path | None, kept: tuple[int, ...], most: int | None = None) -> Iterator[Clip]:
    """Give the clips of each class whose place in it, modulo two, is kept; at most so many of a class."""
    for name in CLASSES:
        paths = sorted((data / "esc10" / name).glob("*.ogg")) or _unpacked(unpacked, UNPACKED.get(name, ()))
        for path in [path for place, path in enumerate(paths) if place % 2 in kept][:most]:
            yield Clip(name, samples(path))


def speech(data: Path, kept: tuple[int, ...]) -> Iterator[Clip]:
    """Give two utterances of each reader, the meetings, and the acted speech of EMO-DB (tuning: the odd actors)."""
    readers = sorted(path for path in (data / "librispeech").iterdir() if path.is_dir())
    for name, groups in {
        "readers": [sorted(reader.glob("*.flac"))[:2] for reader in readers],
        "meetings": [[path] for path in sorted((data / "ami").glob("*.flac"))],
    }.items():
        for paths in [group for place, group in enumerate(groups) if place % 2 in kept]:
            yield from (Clip(name, samples(path)) for path in paths)
    for path in sorted((data / "emodb").glob("*.flac")):
        if (int(path.stem[:2]) + 1) % 2 in kept:
            yield Clip("actors", samples(path))


def music(unpacked: Path | None, kept: tuple[int, ...], most: int = 12) -> Iterator[Clip]:
    """Give the first half minute of pieces of music."""
    paths = _unpacked(unpacked, MUSIC)
    for path in [path for place, path in enumerate(paths) if place % 2 in kept][:most]:
        yield Clip("music", samples(path)[: 30 * RATE])


def scenes(sounds: list[Clip], talk: list[Clip], seed: int) -> Iterator[Scene]:
    """Put the first three seconds of each sound into ten seconds of speech, at each level."""
    rng = np.random.default_rng(seed)
    for place, sound in enumerate(sounds):
        piece = np.trim_zeros(sound.samples)[: LONGEST_S * RATE]
        at = int(rng.uniform(*BEGIN_S) * RATE)
        for level in LEVELS:
            out = 0.0005 * rng.standard_normal(SCENE_S * RATE).astype(np.float32)
            loudness = LOUDNESS
            if level is not None:
                voice = np.resize(talk[(3 * place) % len(talk)].samples, out.size)
                out += voice * (LOUDNESS / loud(voice))
                loudness *= 10 ** (level / 20)
            out[at : at + piece.size] += piece * (loudness / loud(piece))
            yield Scene(Clip(sound.name, out), level, at * 1000 // RATE, (at + piece.size) * 1000 // RATE)


def samples(path: Path) -> Array:
    """Read a whole file, mono at 16 kHz."""
    return np.concatenate(list(decode(path)))


def loud(piece: Array) -> float:
    """Give the root mean square, never zero."""
    return max(float(np.sqrt(np.mean(piece**2))), 1e-6)


def _unpacked(folder: Path | None, patterns: tuple[str, ...]) -> list[Path]:
    """Give files by name, each content once."""
    found = [path for pattern in patterns for path in (sorted(folder.rglob(pattern)) if folder else [])]
    return list({hashlib.sha256(path.read_bytes()).hexdigest(): path for path in reversed(found)}.values())[::-1]
