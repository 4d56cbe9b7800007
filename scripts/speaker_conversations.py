"""Made conversations of 1 to 12 known voices: turns, pauses, overlaps and loudness as in talk, over a room's noise.

A reader's clip is cut at quiet places into turns of log-normal length and serves once in a conversation; it may serve
again in another. Overlap is steered: whenever less than the wanted share of speech so far is doubled, the next turn
begins before the last one ends. The test part's conversations are of seed 25, looked at once with what is used, as was
seed 24; seed 23, of the same readers, was looked at twice, seed 22 while earlier numbers were chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.speaker_cases import RATE, Case, heard, reader_files, trimmed
from store.record import Turn

Array = NDArray[np.float32]
COUNTS = range(1, 13)
EACH = 4  # conversations of every count
SEEDS = {"development": 21, "test": 25}
CLIPS = 3  # at most, of one reader in one conversation; most readers have one
SHORTEST = 0.8  # seconds of a turn


@dataclass
class _Talk:
    """A conversation while it is put together; places in samples."""

    share: float  # of speech that is wanted to be doubled
    truth: list[tuple[int, int, str]] = field(default_factory=list)
    parts: list[tuple[int, Array]] = field(default_factory=list)
    doubled: int = 0
    spoken: int = 0

    def add(self, who: str, piece: Array, rng: np.random.Generator) -> None:
        """Put a turn after, or into the end of, what was said last."""
        last = max((end for _, end, _ in self.truth), default=RATE // 2)
        own = max((end for _, end, speaker in self.truth if speaker == who), default=0)
        previous = self.truth[-1] if self.truth else (0, 0, who)
        wanted = previous[2] != who and self.doubled < self.share * self.spoken
        longest = 0.6 * min(len(piece), previous[1] - previous[0])
        offset = -min(rng.lognormal(-0.2, 0.5) * RATE, longest) if wanted else rng.lognormal(-1.6, 0.5) * RATE
        start = max(own, int(last + offset))
        self.doubled += max(0, last - start)
        self.spoken += len(piece) - max(0, last - start)
        self.truth.append((start, start + len(piece), who))
        self.parts.append((start, piece))

    def mixed(self, noise_db: float, rng: np.random.Generator) -> Array:
        """Give all turns over pink noise."""
        length = max(end for _, end, _ in self.truth) + RATE // 2
        samples = pink(length, rng) * np.float32(10 ** (noise_db / 20))
        for start, piece in self.parts:
            samples[start : start + len(piece)] += piece
        made: Array = np.clip(samples, -1, 1)
        return made


def conversations(data: Path, part: str) -> Iterator[Case]:
    """Give the conversations of a part, four of each number of voices; each always has the same samples."""
    readers = reader_files(data, part)
    for voices in COUNTS:
        for number in range(EACH):
            yield conversation(readers, voices, np.random.default_rng([SEEDS[part], voices, number]), str(number))


def conversation(readers: Mapping[str, Sequence[Path]], voices: int, rng: np.random.Generator, name: str = "") -> Case:
    """Give a conversation of some readers."""
    chosen = rng.choice(sorted(readers), voices, replace=False).tolist()
    left: dict[str, list[Array]] = {}
    for who in chosen:
        clips = rng.permutation(len(readers[who]))[:CLIPS]
        speech = trimmed(np.concatenate([heard(readers[who][clip]) for clip in clips]))
        loud = 10 ** (rng.uniform(-30, -20) / 20) / np.sqrt((speech**2).mean())
        left[who] = turns_of(speech * np.float32(loud), rng)
    talk = _Talk(rng.uniform(0.08, 0.15))
    last = ""
    while left:
        others = [who for who in left if who != last] or list(left)
        weights = np.array([len(left[who]) for who in others], float)
        last = others[int(rng.choice(len(others), p=weights / weights.sum()))]
        talk.add(last, left[last].pop(0), rng)
        left = {who: pieces for who, pieces in left.items() if pieces}
    samples = talk.mixed(rng.uniform(-65, -50), rng)
    truth = [Turn(start // 16, end // 16, who) for start, end, who in talk.truth]
    return Case(f"{voices} voices, {name}", "talk", samples, truth)


def turns_of(speech: Array, rng: np.random.Generator) -> list[Array]:
    """Cut speech into turns of a log-normal length (median 3 s), each cut at the quietest place nearby."""
    turns: list[Array] = []
    while len(speech) > 2 * SHORTEST * RATE:
        length = int(np.clip(rng.lognormal(np.log(3.0), 0.6), SHORTEST, 15) * RATE)
        if len(speech) - length < SHORTEST * RATE:
            break
        end = _quietest(speech, length)
        turns.append(speech[:end])
        speech = speech[end:]
    return [*turns, speech]


def _quietest(speech: Array, near: int) -> int:
    begin = max(int(SHORTEST * RATE) // 2, near - RATE // 2)
    around = speech[begin : near + RATE // 2]
    power = (around[: len(around) // 400 * 400].reshape(-1, 400) ** 2).mean(1)
    return begin + int(power.argmin()) * 400 + 200


def pink(length: int, rng: np.random.Generator) -> Array:
    """Give pink noise of level 1."""
    bins = rng.normal(size=length // 2 + 1) + 1j * rng.normal(size=length // 2 + 1)
    noise = np.fft.irfft(bins / np.sqrt(np.arange(1, len(bins) + 1)), length)
    made: Array = (noise / np.sqrt((noise**2).mean())).astype(np.float32)
    return made


def unique_seconds(data: Path, part: str) -> float:
    """Give how many seconds of different speech the readers of a part have, pauses cut."""
    return sum(len(trimmed(heard(file))) for files in reader_files(data, part).values() for file in files) / RATE
