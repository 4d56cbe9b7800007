"""Measure the estimate of drift on timelines of real debates and meetings, with drifts that are planted.

Turns of an RTTM become words (0.15 to 0.5 s each, edges off by 80 ms, one in twenty lost, as is one turn in twenty) and
speech as another listener marked it (edges off by 150 ms, three turns in a hundred lost). The words' clock is then
planted: an offset of 0.3 to 10 s, a rate of 0.1 to 1 %, both, or none. found: the margin is enough, and every word lies
within 0.3 s of its place by the clock found; wrong: enough, and one does not; unsure: not enough; marked: another clock
fits much better all the same, so the stream carries a note. tuning is every other file of voxconverse, test the others
and all of AMI.

    python -m scripts.measure_drift .../voxconverse .../ami_rttm --part test
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from store.record import Span
from tools.imports.rttm import read
from tools.transcript.drift import SURE, Drift, drift

_RIGHT_MS = 300
_LEAST_MS = 60_000


@dataclass(frozen=True, slots=True)
class Planted:
    """A clock that words were put on: a time t of theirs is t * (1 + ppm / 1e6) + offset_ms."""

    kind: str
    offset_ms: int
    ppm: int

    def misplaced(self, span: Span) -> Span:
        """Give where a span lies on the words' clock."""
        scale = 1 + self.ppm / 1e6
        return Span(round((span.t0 - self.offset_ms) / scale), round((span.t1 - self.offset_ms) / scale))

    def error_ms(self, found: Drift, words: Sequence[Span]) -> int:
        """Give how far from its place the worst word lies after correction."""
        truth = Drift(self.offset_ms, self.ppm, 0, 0, 0)
        return max(abs(found.moved(at) - truth.moved(at)) for at in (words[0].t0, words[-1].t1))


def main() -> None:
    """Print what was found for each kind of drift, and on tuning for several thresholds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("voxconverse", type=Path)
    parser.add_argument("ami", type=Path)
    parser.add_argument("--part", choices=("tuning", "test"), required=True)
    asked = parser.parse_args()
    files = sorted(asked.voxconverse.glob("*.rttm"))[asked.part == "test" :: 2]
    files += sorted(asked.ami.glob("*.rttm")) if asked.part == "test" else []
    found = [(plan.kind, estimate, error) for n, path in enumerate(files) for plan, estimate, error in tried(path, n)]
    for sure in (0.03, 0.05, 0.07, 0.1, 0.15, 0.2) if asked.part == "tuning" else (SURE,):
        counts = Counter((kind, outcome(estimate, error, sure)) for kind, estimate, error in found)
        print(f"margin >= {sure}" + (" (the one in use)" if sure == SURE else ""))
        for kind in ("none", "offset", "rate", "both"):
            print(
                f"  {kind:6} "
                + "  ".join(f"{what} {counts[kind, what]:3}" for what in ("found", "wrong", "unsure"))
                + f"  {_marks(found, kind)}"
            )


def _marks(found: Sequence[tuple[str, Drift | None, int]], kind: str) -> str:
    """Say how many of the unsure are marked, because another clock fits much better than their own."""
    unsure = [one for what, one, _ in found if what == kind and one and one.margin < SURE]
    return f"marked {sum(one.doubtful for one in unsure)} of {len(unsure)}"


def outcome(estimate: Drift | None, error: int, sure: float = SURE) -> str:
    """Say what an estimate came to: found, wrong or unsure; error is how far off its worst word is, in ms."""
    if estimate is None or estimate.margin < sure:
        return "unsure"
    return "found" if error <= _RIGHT_MS else "wrong"


def tried(path: Path, seed: int) -> Iterator[tuple[Planted, Drift | None, int]]:
    """Plant each kind of drift in the turns of a file, and give what was estimated and how far off that is, in ms."""
    turns = [Span(placed.row.t0, placed.row.t1) for placed in read(path.read_text(encoding="utf-8")).rows]
    if not turns or max(turn.t1 for turn in turns) < _LEAST_MS:
        return
    rng = np.random.default_rng(seed)
    sign = [int(each) for each in rng.choice((-1, 1), 4)]
    offset, rate = int(rng.uniform(300, 10_000)), int(rng.uniform(1_000, 10_000))
    words, speech = _words(turns, rng), _speech(turns, rng)
    for plan in (
        Planted("none", 0, 0),
        Planted("offset", sign[0] * offset, 0),
        Planted("rate", 0, sign[1] * rate),
        Planted("both", sign[2] * offset, sign[3] * rate),
    ):
        moved = [span for span in map(plan.misplaced, words) if span.t0 >= 0]
        estimate = drift(moved, speech)
        yield plan, estimate, plan.error_ms(estimate, moved) if estimate else 0


def _words(turns: Sequence[Span], rng: np.random.Generator) -> list[Span]:
    words = []
    for turn in turns:
        at, spoken = turn.t0, rng.random() > 0.05
        while at < turn.t1 - 100:
            length = int(rng.uniform(150, 500))
            if spoken and rng.random() > 0.05:
                words.append(_about(Span(at, min(at + length, turn.t1)), 80, rng))
            at += length + int(rng.exponential(60))
    return sorted(filter(None, words))


def _speech(turns: Sequence[Span], rng: np.random.Generator) -> list[Span]:
    return [moved for turn in turns if rng.random() > 0.03 and (moved := _about(turn, 150, rng))]


def _about(span: Span, ms: float, rng: np.random.Generator) -> Span:
    return Span(max(0, span.t0 + int(rng.normal(0, ms))), span.t1 + int(rng.normal(0, ms)))


if __name__ == "__main__":
    main()
