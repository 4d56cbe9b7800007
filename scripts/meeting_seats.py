"""Who sits in a made meeting and speaks when: real turn timelines, one after the other, with one cast for all of it.

The first timeline gives the cast. Whoever talks most in a later one is spoken by the seat that talks most in the first,
and so on, so that a meeting of an hour keeps its people as real ones do; a later timeline never has more of them. Every
second timeline is for development, the others only measure.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.speaker_cases import read_rttm
from store.record import Turn

CAST = range(2, 11)
LEAST_TIMELINE_MS = 180_000
LEAST_TURN_MS = 600  # a shorter turn holds half a word
LEAST_TALK_MS = 3_000
"""Of a seat in the whole meeting: who says less is there or not as one likes, and sits nowhere."""
BETWEEN_MS = 1_500


@dataclass(frozen=True)
class Seats:
    """The turns of a meeting by seat, in order; the timelines, and how many of their people talk too little to sit."""

    turns: list[Turn]
    timelines: tuple[str, ...]
    left_out: int

    @property
    def names(self) -> list[str]:
        """The seats, those of most talk first."""
        return ranked(self.turns)


def timelines(data: Path, part: str) -> list[Path]:
    """Give a part's timelines: of at least three minutes, with two to ten people."""
    found = sorted([*(data / "voxconverse").glob("*.rttm"), *(data / "ami_rttm").glob("*.rttm")])
    return [path for path in found[part == "test" :: 2] if _fits(read_rttm(path))]


def _fits(turns: Sequence[Turn]) -> bool:
    return len(ranked(turns)) in CAST and max(t.t1 for t in turns) - min(t.t0 for t in turns) >= LEAST_TIMELINE_MS


def seated(paths: Sequence[Path], length_ms: int, rng: np.random.Generator) -> Seats:
    """Give a meeting of this length: timelines in random order, none twice, until it is full."""
    order = [paths[int(place)] for place in rng.permutation(len(paths))]
    most, start, used = len(ranked(read_rttm(order[0]))), 0, list[str]()
    turns: list[Turn] = []
    for path in order:
        found = read_rttm(path)
        if start >= length_ms or len(ranked(found)) > most:
            continue
        used.append(path.stem)
        turns += moved(found, start)
        start = max(turn.t1 for turn in turns) + BETWEEN_MS
    within = [Turn(t.t0, min(t.t1, length_ms), t.speaker) for t in turns if t.t0 < length_ms - LEAST_TURN_MS]
    talk = _talk(kept := [turn for turn in within if turn.t1 - turn.t0 >= LEAST_TURN_MS])
    brief = {seat for seat, ms in talk.items() if ms < LEAST_TALK_MS}
    return Seats(sorted((t for t in kept if t.speaker not in brief), key=lambda t: t.t0), tuple(used), len(brief))


def moved(turns: Sequence[Turn], start: int) -> Iterator[Turn]:
    """Give a timeline's turns from `start` on, people by how much they talk: seat 1 talks most."""
    seats = {name: f"seat {number:02}" for number, name in enumerate(ranked(turns), 1)}
    first = min(turn.t0 for turn in turns)
    return (Turn(t.t0 - first + start, t.t1 - first + start, seats[t.speaker]) for t in turns)


def ranked(turns: Sequence[Turn]) -> list[str]:
    """Give the people of a timeline, who talks most first."""
    return [name for name, _ in sorted(_talk(turns).items(), key=lambda one: (-one[1], one[0]))]


def _talk(turns: Sequence[Turn]) -> Counter[str]:
    talk: Counter[str] = Counter()
    for turn in turns:
        talk[turn.speaker] += turn.t1 - turn.t0
    return talk
