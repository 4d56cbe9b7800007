"""The recordings on which voices are measured: real meetings, and real readers put together with a known truth.

AMI excerpts (far microphones); LibriSpeech readers one after another; made meetings (the timelines of real AMI meetings
filled with readers). Made conversations are in speaker_conversations, all sets in speaker_sets. The development part,
on which scripts/tune_speakers.py chooses, is every second file and reader; the test part is only measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools.media.audio import decode

RATE = 16_000
AMI = {
    "development": ("dev00", "trn01", "trn03", "trn05", "trn07"),
    "test": ("dev01", "trn02", "trn04", "trn06", "trn08"),
}
SEEDS = {"development": 11, "test": 12}
MEETINGS = {"development": ("ES2011a", "IS1008a", "TS3004a"), "test": ("ES2011c", "IS1008c", "TS3004c")}
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """One recording and who really speaks when; times in milliseconds."""

    name: str
    kind: str
    samples: Array
    truth: list[Turn]


def ami(data: Path, part: str) -> Iterator[Case]:
    """Give the AMI excerpts of a part."""
    for name in AMI[part]:
        samples = heard(data / "ami" / f"{name}.flac")
        yield Case(name, "ami", samples, read_rttm(data / "ami" / f"{name}.rttm"))


def concatenations(data: Path, part: str) -> Iterator[Case]:
    """Give readers one after another, up to seven."""
    rng = np.random.default_rng(SEEDS[part])
    for voices in (1, 2, 2, 5, 5, 7, 7):
        yield concatenation(reader_files(data, part), voices, rng)


def meetings(data: Path, part: str) -> Iterator[Case]:
    """Give the timelines of real meetings, filled with the readers of many clips."""
    rng = np.random.default_rng(SEEDS[part])
    rich = {reader: files for reader, files in reader_files(data, part).items() if len(files) > 1}
    for name in MEETINGS[part]:
        yield meeting(data / "ami_rttm" / f"{name}.rttm", rich, 240.0, rng)


def reader_files(data: Path, part: str) -> dict[str, list[Path]]:
    """Give every second reader and their files; readers of many utterances are split by themselves."""
    folders = [folder for folder in sorted((data / "librispeech").iterdir()) if folder.is_dir()]
    found = {folder.name: sorted(folder.glob("*.flac")) for folder in folders}
    many = [reader for reader, files in found.items() if len(files) > 1]
    one = [reader for reader, files in found.items() if len(files) == 1]
    first = 0 if part == "development" else 1
    return {reader: found[reader] for reader in [*many[first::2], *one[first::2]]}


def concatenation(readers: dict[str, list[Path]], voices: int, rng: np.random.Generator) -> Case:
    """Give some readers in turn, three turns each, with short pauses of faint noise."""
    chosen = rng.choice(sorted(readers), voices, replace=False).tolist()
    turns = [(who, piece) for who in chosen for piece in np.array_split(heard(readers[who][0]), 3)]
    order = rng.permutation(len(turns)).tolist()
    parts: list[Array] = []
    truth: list[Turn] = []
    place = 0
    for index in order:
        who, piece = turns[index]
        pause = rng.normal(0, 2e-4, int(rng.uniform(0.2, 0.9) * RATE)).astype(np.float32)
        parts += [pause, piece]
        place += len(pause) + len(piece)
        truth.append(Turn((place - len(piece)) // 16, place // 16, who))
    return Case(f"{voices} readers ({'+'.join(chosen)})"[:40], f"libri-{voices}", np.concatenate(parts), truth)


def meeting(rttm: Path, readers: dict[str, list[Path]], seconds: float, rng: np.random.Generator) -> Case:
    """Fill the turns of a real meeting with readers at different loudness, over room noise."""
    turns = [turn for turn in read_rttm(rttm) if turn.t0 < seconds * 1000]
    people = sorted({turn.speaker for turn in turns})[: len(readers)]
    voice = dict(zip(people, sorted(readers), strict=False))
    speech = {who: trimmed(np.concatenate([heard(file) for file in readers[voice[who]]])) for who in people}
    gain = {who: rng.uniform(0.4, 1.2) for who in people}
    used = dict.fromkeys(people, 0)
    samples = rng.normal(0, 1e-3, int(seconds * RATE)).astype(np.float32)
    truth: list[Turn] = []
    for turn in sorted(turns, key=lambda turn: turn.t0):
        if turn.speaker not in voice:
            continue
        end = min(turn.t1, int(seconds * 1000))
        length = (end - turn.t0) * 16
        piece = speech[turn.speaker][used[turn.speaker] : used[turn.speaker] + length]
        used[turn.speaker] += length
        samples[turn.t0 * 16 : turn.t0 * 16 + len(piece)] += piece * np.float32(gain[turn.speaker])
        if len(piece) >= 16:
            truth.append(Turn(turn.t0, turn.t0 + len(piece) // 16, turn.speaker))
    return Case(rttm.stem, "meeting", np.clip(samples, -1, 1), truth)


def trimmed(samples: Array) -> Array:
    """Cut pauses of more than a quarter of a second down to that, so that a filled turn is speech."""
    frames = samples[: len(samples) // 400 * 400].reshape(-1, 400)
    loud = np.sqrt((frames**2).mean(1)) > 0.05 * np.sqrt((samples**2).mean())
    near = np.convolve(loud, np.ones(11), "same") > 0
    return np.ascontiguousarray(frames[near].reshape(-1))


def heard(path: Path) -> Array:
    """Decode a file."""
    return np.concatenate(list(decode(path)))


def read_rttm(path: Path) -> list[Turn]:
    """Read the turns of an RTTM file."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    times = [(float(row[3]), float(row[4]), row[7]) for row in rows if row and row[0] == "SPEAKER"]
    return [Turn(round(t * 1000), round((t + d) * 1000), who) for t, d, who in times if round(d * 1000) > 0]
