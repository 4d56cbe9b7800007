"""Print how well sounds are heard on real recordings: families found, false families, boundaries, speed.

    python -m scripts.measure_events [--part tuning|test|all] [--data FOLDER]

Three sets: the clips of ESC-10 as they are; LibriSpeech readers, in whom nothing is to be heard but speech; and made
scenes, in which 3 s of a clip's sound begin and end in a reader's speech (10 dB below it, as loud, and alone). The
thresholds of tools/events/windows.py were chosen on the tuning part, every second clip and reader; the other part is
only measured.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from store.record import Event  # noqa: E402
from tools.audio import decode  # noqa: E402
from tools.events import recogniser  # noqa: E402
from tools.events.hierarchy import ancestors, family  # noqa: E402
from tools.events.recogniser import EventRecogniser  # noqa: E402

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
}
STEADY = ("chainsaw", "helicopter", "rain", "sea_waves", "fire_crackling", "clock_tick")
LEVELS_DB = {"10 dB below the speech": -10.0, "as loud as the speech": 0.0, "alone": None}
SCENE_S, BEGIN_S, SOUND_S = 12.0, 4.3, 3.0
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Clip:
    """One recording: its class or reader, and its samples."""

    name: str
    samples: Array


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--part", choices=PARTS, default="test")
    options.add_argument("--data", type=Path, default=os.environ.get("OVERHEARD_DATA") or ROOT.parent / "shared/data")
    given = options.parse_args()
    ear, kept = recogniser.load(), PARTS[given.part]
    sounds, speech = list(clips(given.data / "esc10", kept)), list(readers(given.data / "librispeech", kept))
    print(f"{ear.name} {ear.version}, {given.part} part: {len(sounds)} clips, {len(speech)} readers")
    print_clips(ear, sounds)
    print_speech(ear, speech)
    print_scenes(ear, sounds, speech)


def clips(folder: Path, kept: tuple[int, ...]) -> Iterator[Clip]:
    """Give the clips of each class whose place in it, modulo two, is kept."""
    for name in CLASSES:
        for place, path in enumerate(sorted((folder / name).glob("*.ogg"))):
            if place % 2 in kept:
                yield Clip(name, samples(path))


def readers(folder: Path, kept: tuple[int, ...]) -> Iterator[Clip]:
    """Give one utterance of each reader whose place, modulo two, is kept."""
    for place, each in enumerate(sorted(path for path in folder.iterdir() if path.is_dir())):
        if place % 2 in kept:
            yield Clip(each.name, samples(min(path for path in each.rglob("*") if path.is_file())))


def samples(path: Path) -> Array:
    """Read a whole file, mono at 16 kHz."""
    return np.concatenate(list(decode(path)))


def right(event: Event, name: str) -> bool:
    """Say whether an event is of the family of a class."""
    return family(event.label) == family(CLASSES[name])


def near(event: Event, name: str) -> bool:
    """Say whether an event is of the family of a class, or broader."""
    return right(event, name) or event.label in ancestors(CLASSES[name])


def print_clips(ear: EventRecogniser, sounds: list[Clip]) -> None:
    """Print the share of clips whose family is found, by class, and what else is reported."""
    print(f"\n{'ESC-10':16}{'clips':>6}{'family':>8}{'or broader':>12}  label most often; other families")
    totals = Counter[str]()
    for name in CLASSES:
        heard = [ear.hear(clip.samples, 0) for clip in sounds if clip.name == name]
        found = sum(any(right(event, name) for event in events) for events in heard)
        loose = sum(any(near(event, name) for event in events) for events in heard)
        said = Counter(event.label for events in heard for event in events if right(event, name))
        other = Counter(family(event.label) for events in heard for event in events if not near(event, name))
        totals += Counter(clips=len(heard), found=found, loose=loose, other=other.total())
        most = ", ".join(label for label, _ in said.most_common(1))
        print(f"{name:16}{len(heard):6}{found / len(heard):8.2f}{loose / len(heard):12.2f}  {most}; {listed(other)}")
    count = totals["clips"]
    print(f"{'all':16}{count:6}{totals['found'] / count:8.2f}{totals['loose'] / count:12.2f}", end="")
    print(f"  {totals['other'] / count:.2f} other families a clip")


def print_speech(ear: EventRecogniser, speech: list[Clip]) -> None:
    """Print what is reported of speech alone, and the speed."""
    started = time.perf_counter()
    heard = [event for clip in speech for event in ear.hear(clip.samples, 0)]
    spent, seconds = time.perf_counter() - started, sum(clip.samples.size for clip in speech) / RATE
    false = Counter(family(event.label) for event in heard)
    rate = len(heard) / seconds * 60
    print(f"\nspeech alone: {rate:.2f} false families a minute in {seconds / 60:.1f} min: {listed(false)}")
    print(f"wall / audio: {spent / seconds:.4f}")


def print_scenes(ear: EventRecogniser, sounds: list[Clip], speech: list[Clip]) -> None:
    """Print how many sounds are found in scenes and how far their boundaries are off."""
    print(f"\n{'scenes':24}{'sounds':>7}{'family':>8}{'within 1 s':>12}{'begin':>8}{'end':>8}  (median error, s)")
    steady = [clip for clip in sounds if clip.name in STEADY]
    for title, level in LEVELS_DB.items():
        errors: list[tuple[float, float]] = []
        for place, clip in enumerate(steady):
            reader = speech[place % len(speech)]
            events = [e for e in ear.hear(scene(clip.samples, reader.samples, level), 0) if right(e, clip.name)]
            if events:
                begin, end = min(e.t0 for e in events) / 1000, max(e.t1 for e in events) / 1000
                errors.append((begin - BEGIN_S, end - BEGIN_S - SOUND_S))
        close = sum(max(abs(begin), abs(end)) <= 1 for begin, end in errors)
        begin, end = np.median(np.array(errors or [(np.nan, np.nan)]), axis=0)
        share = len(errors) / len(steady), close / len(steady)
        print(f"{title:24}{len(steady):7}{share[0]:8.2f}{share[1]:12.2f}{begin:8.2f}{end:8.2f}")


def scene(sound: Array, talk: Array, level: float | None) -> Array:
    """Put 3 s of a sound into 12 s of speech or of room tone; `level` in dB against the speech."""
    out = 0.0005 * np.random.default_rng(0).standard_normal(int(SCENE_S * RATE)).astype(np.float32)
    loudness = 0.07
    if level is not None:
        voice = np.resize(talk, out.size)
        out += voice * (loudness / loud(voice))
        loudness *= 10 ** (level / 20)
    size = int(SOUND_S * RATE)
    piece = np.resize(np.trim_zeros(sound), size)
    begin = int(BEGIN_S * RATE)
    out[begin : begin + size] += piece * (loudness / loud(piece))
    return out


def loud(piece: Array) -> float:
    """Give the root mean square, never zero."""
    return max(float(np.sqrt(np.mean(piece**2))), 1e-6)


def listed(counts: Counter[str]) -> str:
    """Write the most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common(6)) or "none"


if __name__ == "__main__":
    main()
