"""Print how well sounds are heard: families found and false, event-F1 over speech at four levels, false alarms an hour.

    python -m scripts.measure_events [--part tuning|test|all] [--data FOLDER] [--unpacked FOLDER] [--choose]

An event is right when it is of the sound's family, begins within 1 s of it and ends within 1 s of its end; each sound
is found once, everything else that is reported is false. --choose finds, on the tuning part, each family's lowest
threshold at which PRECISION of what is reported is right and nothing of the family is heard in speech, and prints the
step above it, because the clips are few; what is below the shared one stands in tools/events/thresholds.py, with the
families that speech raises. --shared measures without it.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.corpora import data_option
from scripts.event_sets import CLASSES, LEVELS, PARTS, RATE, Clip, Scene, clips, music, scenes, speech
from store.record import Event
from tools.events import thresholds
from tools.events.hierarchy import ancestors, family
from tools.events.recognisers.yamnet import HOP_MS, YamNet
from tools.events.thresholds import ON, Thresholds
from tools.events.windows import events

PRECISION = 0.9
STEPS = (0.04, 0.09, 0.18, 0.31, 0.49, 0.67, 0.81, 0.9, 0.95)  # just below the steps of the export's output
COLLAR_MS = 1_000
OF_CLASS = 4  # clips of a class in scenes


@dataclass(frozen=True)
class Heard:
    """A clip or scene with the network's probabilities, so that thresholds can be tried without hearing again."""

    clip: Clip
    windows: NDArray[np.float32]
    scene: Scene | None = None

    def events(self, names: Sequence[str], limits: Thresholds | None = None) -> list[Event]:
        """Give what is reported."""
        return events(self.windows, names, HOP_MS, 0, self.clip.samples.size * 1000 // RATE, limits)

    def of(self, kin: str, names: Sequence[str]) -> "Heard":
        """Give the same with the windows of one family alone, the others never heard."""
        mine = [family(name) == kin for name in names]
        return replace(self, windows=np.where(mine, self.windows, 0).astype(np.float32))


def main() -> None:
    """Measure and print, or choose."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--part", choices=PARTS, default="test")
    data_option(options)
    options.add_argument("--unpacked", type=Path, help="Debian packages with laughter, applause and music")
    options.add_argument("--shared", action="store_true", help="give all families the shared threshold")
    options.add_argument("--choose", action="store_true", help="print thresholds chosen on the tuning part")
    given = options.parse_args()
    kept = PARTS["tuning" if given.choose else given.part]
    if given.shared:
        thresholds.MEASURED = {}
    ear = YamNet()
    names = tuple(ear.names)
    talk = list(speech(given.data, kept))
    some = list(clips(given.data, given.unpacked, kept, OF_CLASS))
    alone = [Heard(clip, ear.probabilities(clip.samples)) for clip in clips(given.data, given.unpacked, kept)]
    readers = [clip for clip in talk if clip.name == "readers"]
    made = [Heard(s.clip, ear.probabilities(s.clip.samples), s) for s in scenes(some, readers, kept[0])]
    began = time.process_time()
    quiet = [Heard(clip, ear.probabilities(clip.samples)) for clip in talk]
    spent = time.process_time() - began
    if given.choose:
        chosen(names, alone, made, quiet)
        return
    print(f"{ear.name} {ear.version}, {given.part} part: {len(alone)} clips, {len(made)} scenes, {len(talk)} of speech")
    print_clips(names, alone)
    print_scenes(names, made)
    pieces = [Heard(clip, ear.probabilities(clip.samples)) for clip in music(given.unpacked, kept)]
    print_false(names, [*quiet, *pieces])
    print(f"CPU / audio: {spent / (sum(each.clip.samples.size for each in quiet) / RATE):.4f}")


def print_clips(names: Sequence[str], alone: Sequence[Heard]) -> None:
    """Print the share of clips whose family is found, by class, and the precision of what is reported of the family."""
    print(f"\n{'clips':16}{'N':>4}{'found':>7}{'or broader':>11}{'precision':>10}  false of the family; other families")
    every = {place: each.events(names) for place, each in enumerate(alone)}
    for name, label in CLASSES.items():
        mine = [place for place, each in enumerate(alone) if each.clip.name == name]
        kin = family(label)
        found = sum(any(family(event.label) == kin for event in every[place]) for place in mine)
        broad = sum(any(family(e.label) == kin or e.label in ancestors(label) for e in every[place]) for place in mine)
        false = sum(any(family(e.label) == kin for e in every[place]) for place in every if place not in mine)
        other = Counter(family(event.label) for place in mine for event in every[place]) - Counter({kin: 10**6})
        share = f"{found / (found + false):10.2f}" if found + false else f"{'-':>10}"
        print(f"{name:16}{len(mine):4}{found:7}{broad:11}{share}  {false}; {listed(other)}")


def print_scenes(names: Sequence[str], made: Sequence[Heard]) -> None:
    """Print event-F1 by level, for all sounds and for laughter and applause."""
    print(f"\n{'scenes':34}{'N':>4}{'family':>8}{'precision':>10}{'recall':>8}{'F1':>6}  (within {COLLAR_MS} ms)")
    for title, kinds in {"all sounds": tuple(CLASSES), "laughter": ("laughter",), "applause": ("applause",)}.items():
        for level in LEVELS:
            mine = [each for each in made if each.clip.name in kinds and each.scene and each.scene.level == level]
            if not mine:
                continue
            reported = [(each, each.events(names)) for each in mine]
            near = sum(any(family(event.label) == _kin(each) for event in got) for each, got in reported)
            right = sum(any(_right(event, each) for event in got) for each, got in reported)
            total = sum(len(got) for _, got in reported)
            f1 = 2 * right / (total + len(mine))
            where = "alone" if level is None else f"{level:+.0f} dB against the speech"
            row = f"{title + ', ' + where:34}{len(mine):4}{near / len(mine):8.2f}"
            print(f"{row}{right / max(total, 1):10.2f}{right / len(mine):8.2f}{f1:6.2f}")


def print_false(names: Sequence[str], quiet: Sequence[Heard]) -> None:
    """Print what is reported of speech and of music, an hour."""
    print()
    for kind in dict.fromkeys(each.clip.name for each in quiet):
        mine = [each for each in quiet if each.clip.name == kind]
        hours = sum(each.clip.samples.size for each in mine) / RATE / 3600
        false = Counter(family(event.label) for each in mine for event in each.events(names))
        print(f"{kind}: {hours:.3f} h, {false.total()} events, {false.total() / hours:.1f} an hour: {listed(false)}")


def chosen(names: Sequence[str], alone: Sequence[Heard], made: Sequence[Heard], quiet: Sequence[Heard]) -> None:
    """Print each measured family's threshold, at most the shared one, and those of families heard in speech."""
    for kin in map(family, CLASSES.values()):
        sounds, said = [each.of(kin, names) for each in (*alone, *made)], [each.of(kin, names) for each in quiet]
        lowest = next((step for step in STEPS if _precise(kin, names, sounds, said, step)), ON)
        above = min((step for step in STEPS if step > lowest), default=ON)
        right, false = _counts(kin, names, sounds, Thresholds(families={kin: min(above, ON)}))
        print(f'    "{kin}": {min(above, ON)},  # {right} clips and scenes right, {false} false; precise from {lowest}')
    for kin in sorted({family(e.label) for each in quiet for e in each.events(names, Thresholds(families={}))}):
        tried = (s for s in STEPS if s >= ON and not _heard(kin, names, quiet, Thresholds(families={kin: s})))
        print(f'    "{kin}": {next(tried, 0.99)},  # heard in speech at {ON}')


def _precise(kin: str, names: Sequence[str], sounds: Sequence[Heard], said: Sequence[Heard], step: float) -> bool:
    limits = Thresholds(families={kin: step})
    right, false = _counts(kin, names, sounds, limits)
    return right > 0 and right / (right + false) >= PRECISION and not _heard(kin, names, said, limits)


def _counts(kin: str, names: Sequence[str], sets: Iterable[Heard], limits: Thresholds) -> tuple[int, int]:
    """Count clips and scenes in which a family is reported: rightly, falsely."""
    counted: dict[bool, int] = defaultdict(int)
    for each in sets:
        if any(family(event.label) == kin for event in each.events(names, limits)):
            counted[_kin(each) == kin] += 1
    return counted[True], counted[False]


def _heard(kin: str, names: Sequence[str], sets: Iterable[Heard], limits: Thresholds) -> bool:
    return any(family(event.label) == kin for each in sets for event in each.events(names, limits))


def _kin(each: Heard) -> str:
    return family(CLASSES[each.clip.name])


def _right(event: Event, each: Heard) -> bool:
    assert each.scene is not None
    apart = max(abs(event.t0 - each.scene.t0), abs(event.t1 - each.scene.t1))
    return family(event.label) == _kin(each) and apart <= COLLAR_MS


def listed(counts: Counter[str]) -> str:
    """Write the most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common(6)) or "none"


if __name__ == "__main__":
    main()
