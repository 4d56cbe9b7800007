"""Print how well speakers are told apart on real recordings: DER, confusion, counts and speed.

    python -m scripts.measure_speakers [--part development|test|all] [--kind ami libri meeting] [--backend onnx]

Three sets: the AMI excerpts (real meetings, far microphones), concatenations of LibriSpeech readers (known voices, no
overlap), and made meetings (the timelines of real AMI meetings, overlaps and all, filled with LibriSpeech readers). The
development part, on which scripts/tune_speakers.py chooses, is every second file and reader; the rest is only measured.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from store.record import Turn  # noqa: E402
from tools.audio import decode  # noqa: E402
from tools.speaker.recogniser import SpeakerRecogniser, recogniser  # noqa: E402

RATE = 16_000
AMI = {
    "development": ("dev00", "trn01", "trn03", "trn05", "trn07"),
    "test": ("dev01", "trn02", "trn04", "trn06", "trn08"),
}
KINDS = ("ami", "libri", "meeting")
MEETINGS = {"development": ("ES2011a", "IS1008a", "TS3004a"), "test": ("ES2011c", "IS1008c", "TS3004c")}
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """One recording and who really speaks when; times in milliseconds."""

    name: str
    kind: str
    samples: Array
    truth: list[Turn]


@dataclass(frozen=True)
class Score:
    """Seconds of each kind of error, voices found and true (all, and of at least 2 s), and seconds spent."""

    total: float
    missed: float
    alarm: float
    confused: float
    voices: tuple[int, int]
    main: tuple[int, int]
    audio: float
    spent: float

    @property
    def der(self) -> float:
        """Diarization error rate, collar 0, overlaps counted."""
        return (self.missed + self.alarm + self.confused) / self.total


def cases(data: Path, part: str, kinds: Sequence[str] = KINDS) -> Iterator[Case]:
    """Give the recordings of a part, of some kinds; each always has the same samples."""
    return (case for case in _all(data, part, kinds) if case.kind.split("-")[0] in kinds)


def _all(data: Path, part: str, kinds: Sequence[str]) -> Iterator[Case]:
    yield from ami(data, part)
    if set(kinds) == {"ami"}:
        return
    readers = reader_files(data, part)
    rng = np.random.default_rng({"development": 11, "test": 12}[part])
    for voices in (1, 2, 2, 5, 5, 7, 7):
        yield concatenation(readers, voices, rng)
    rich = {reader: files for reader, files in readers.items() if len(files) > 1}
    for name in MEETINGS[part]:
        yield meeting(data / "ami_rttm" / f"{name}.rttm", rich, 240.0, rng)


def ami(data: Path, part: str) -> Iterator[Case]:
    """Give the AMI excerpts of a part."""
    for name in AMI[part]:
        samples = heard(data / "ami" / f"{name}.flac")
        yield Case(name, "ami", samples, read_rttm(data / "ami" / f"{name}.rttm"))


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
    speech = {who: _trimmed(np.concatenate([heard(file) for file in readers[voice[who]]])) for who in people}
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


def _trimmed(samples: Array) -> Array:
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


def score(case: Case, turns: list[Turn], spent: float) -> Score:
    """Compare turns with the truth (pyannote.metrics)."""
    from pyannote.core import Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    whole = Timeline([Segment(0, len(case.samples) / RATE)])
    found = DiarizationErrorRate(collar=0.0)(_annotation(case.truth), _annotation(turns), uem=whole, detailed=True)
    return Score(
        float(found["total"]), float(found["missed detection"]), float(found["false alarm"]), float(found["confusion"]),
        (_voices(turns, 0), _voices(case.truth, 0)), (_voices(turns, 2000), _voices(case.truth, 2000)),
        len(case.samples) / RATE, spent,
    )  # fmt: skip


def _annotation(turns: list[Turn]) -> "object":
    from pyannote.core import Annotation, Segment

    made = Annotation()
    for index, turn in enumerate(turns):
        made[Segment(turn.t0 / 1000, turn.t1 / 1000), index] = turn.speaker
    return made


def _voices(turns: list[Turn], least_ms: int) -> int:
    talk: dict[str, int] = {}
    for turn in turns:
        talk[turn.speaker] = talk.get(turn.speaker, 0) + turn.t1 - turn.t0
    return sum(total >= least_ms for total in talk.values())


def data_folder() -> Path:
    """Give the folder of real recordings."""
    return Path(os.environ.get("OVERHEARD_DATA") or ROOT.parent / "shared/data")


def measure(backend: SpeakerRecogniser, case: Case) -> Score:
    """Hear a recording in stretches of ten minutes and score it; time is this process's CPU over two cores."""
    before = time.process_time()
    stretch = 600 * RATE
    heard = [
        backend.hear(case.samples[max(0, begin - 30 * RATE) : begin + stretch], max(0, begin // 16 - 30_000))
        for begin in range(0, len(case.samples), stretch)
    ]
    turns = backend.turns(heard)
    return score(case, turns, (time.process_time() - before) / 2)


def line(name: str, scores: list[Score]) -> str:
    """Give one row: errors pooled over time, counts as right of all."""
    total = sum(s.total for s in scores)
    rates = [sum(getattr(s, kind) for s in scores) / total for kind in ("missed", "alarm", "confused")]
    right = sum(s.voices[0] == s.voices[1] for s in scores)
    main = sum(s.main[0] == s.main[1] for s in scores)
    voices = f"{scores[0].voices[0]} of {scores[0].voices[1]}" if len(scores) == 1 else f"{right}/{len(scores)} exact"
    long = f"{scores[0].main[0]} of {scores[0].main[1]}" if len(scores) == 1 else f"{main}/{len(scores)} exact"
    speed = sum(s.spent for s in scores) / sum(s.audio for s in scores)
    rows = "".join(f"{100 * rate:8.1f}" for rate in (sum(rates), *rates))
    return f"{name:40}{rows}{voices:>14}{long:>14}{speed:8.3f}"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=("development", "test", "all"), default="all")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--backend", default="onnx")
    parser.add_argument("--data", type=Path, default=data_folder())
    given = parser.parse_args()
    backend = recogniser(given.backend)
    everything: dict[str, list[Score]] = {}
    for part in ("development", "test") if given.part == "all" else (given.part,):
        print(f"\n{part:40}{'DER %':>8}{'missed':>8}{'alarm':>8}{'conf.':>8}{'voices':>14}{'of >= 2 s':>14}{'RTF':>8}")
        kinds: dict[str, list[Score]] = {}
        for case in cases(given.data, part, given.kind):
            found = measure(backend, case)
            kinds.setdefault(case.kind, []).append(found)
            everything.setdefault(case.kind, []).append(found)
            print(line(f"  {case.name}", [found]), flush=True)
        for kind, scores in kinds.items():
            print(line(f"{kind} pooled", scores))
    print(f"\n{'both parts':40}")
    for kind, scores in everything.items():
        print(line(f"{kind} pooled", scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())
