"""Plant what recognisers and files are known to do wrong, and count what is found: one row of a table for each kind.

Words are those heard from real readers; what is planted is laid into them. found: planted and set aside, cut or told;
wrong: nothing was planted there and it was set aside all the same.

loops: a phrase of 1 to 12 words, said 4 to 40 times, in a reader's words. repeated rows: a run of 12 to 1,347 equal
rows in 120 rows. phantoms: each known phrase over silence, faint noise, a chord and a sound, and over a reader, where
it must be kept. past the end: words that begin 1 to 200 s after the recording's end, and a last word that ends up to
0.9 s after it. drift: see `measure_drift`. `heard_plants` plants the like into sound, and hears it.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts import measure_drift
from store.asides import SetAside
from store.record import Span, Turn, Word
from tools.health.checks import repeated
from tools.health.finding import Told
from tools.media import audio
from tools.transcript.doubts import Passage, phantoms, sift
from tools.transcript.recogniser import TranscriptRecogniser
from tools.transcript.recognisers.whisper import voiced_share

Samples = NDArray[np.float32]


@dataclass(slots=True)
class Row:
    """One kind of fault: how many were planted and found, how many true things there were and how many taken for it.

    Of those found, `mended` were put right; the others were set aside or told, so that nobody takes them for evidence.
    """

    kind: str
    planted: int = 0
    found: int = 0
    true: int = 0
    wrong: int = 0
    mended: int = 0

    def __str__(self) -> str:
        """Write it as a line of the table."""
        aside, missed = self.found - self.mended, self.planted - self.found
        return (f"| {self.kind:40} | {self.planted:7} | {self.found:7} | {aside:9} | {missed:7} | "
                f"{self.wrong:5} of {self.true:5} |")  # fmt: skip


def head() -> str:
    """Give the head of the table."""
    return (f"| {'planted':40} |  number |   found | set aside |  missed |    wrong       |\n"
            "|---|---|---|---|---|---|")  # fmt: skip


def measure(
    readers: Sequence[Path], sounds: Sequence[Path], rttms: Sequence[Path], heard: TranscriptRecogniser
) -> None:
    """Print the table."""
    rng = np.random.default_rng(1)
    spoken = [(samples, _words(heard, samples)) for samples in map(read, readers)]
    print(head())
    for row in (
        _loops([words for _, words in spoken], rng),
        _rows([words for _, words in spoken], rng),
        *_phantoms(sounds, spoken, rng),
        *_past_end([words for _, words in spoken], rng),
        *_drift(rttms),
    ):
        print(row)


def read(path: Path) -> Samples:
    """Read all of a recording, mono 16 kHz."""
    return np.concatenate(list(audio.decode(path)))


def _loops(spoken: Sequence[Sequence[Word]], rng: np.random.Generator) -> Row:
    row = Row("words repeated in a loop")
    for words in spoken:
        length, at = int(rng.integers(1, 13)), int(rng.integers(0, max(1, len(words) - 12)))
        times = max(4, -(-8 // length), int(rng.integers(4, 41)))
        phrase = words[at : at + length]
        planted = [*words[: at + length], *(list(phrase) * (times - 1)), *words[at + length :]]
        timed = [replace(word, t0=i * 300, t1=i * 300 + 300) for i, word in enumerate(planted)]
        _, aside = _sifted(timed, timed[-1].t1)
        repeats = len(phrase) * (times - 1)
        found = sum(len(one.text.split()) for one in aside)
        row.planted, row.found = row.planted + repeats, row.found + min(found, repeats)
        row.true, row.wrong = row.true + len(words), row.wrong + max(0, found - repeats)
    return row


def _rows(spoken: Sequence[Sequence[Word]], rng: np.random.Generator) -> Row:
    row = Row("transcripts with a run of equal rows")
    said = [" ".join(word.text for word in words[at : at + 6]) for words in spoken for at in range(0, len(words), 6)]
    for length in (12, 20, 50, 100, 200, 400, 1_347):
        for _ in range(5):
            texts = [said[int(place)] for place in rng.integers(0, len(said), 120)]
            at = int(rng.integers(0, len(texts)))
            row.true, row.wrong = row.true + 1, row.wrong + (repeated(_told(texts)) is not None)
            texts[at:at] = [texts[at]] * length
            row.planted, row.found = row.planted + 1, row.found + (repeated(_told(texts)) is not None)
    return row


def _told(texts: Sequence[str]) -> list[Told]:
    return [Told(i * 2_000, i * 2_000 + 1_900, text) for i, text in enumerate(texts)]


def _phantoms(
    sounds: Sequence[Path], spoken: Sequence[tuple[Samples, Sequence[Word]]], rng: np.random.Generator
) -> Iterator[Row]:
    over: dict[str, Callable[[int], Samples]] = {
        "silence": lambda at: np.zeros(5 * audio.RATE, np.float32),
        "faint noise": lambda at: (rng.standard_normal(5 * audio.RATE) * 0.01).astype(np.float32),
        "a chord": lambda at: _chord(rng),
        "a sound": lambda at: read(sounds[at * 7 % len(sounds)]),
    }
    phrases, kept = sorted(phantoms()), Row("phantom phrases that a reader says")
    for name, made in over.items():
        row = Row(f"phantom phrases over {name}")
        for at, phrase in enumerate(phrases):
            row.planted, row.found = row.planted + 1, row.found + _doubted(phrase, made(at))
        yield row
    for at, phrase in enumerate(phrases):
        said = spoken[at % len(spoken)][0][: 5 * audio.RATE]
        kept.true, kept.wrong = kept.true + 1, kept.wrong + _doubted(phrase, said)
    yield kept


def _doubted(phrase: str, samples: Samples) -> bool:
    """Say whether a phrase laid from 0.5 to 4.5 s is set aside."""
    words = phrase.split()
    edges = [500 + i * 4_000 // len(words) for i in range(len(words) + 1)]
    timed = [Word(t0, t1, word, 0.8) for word, t0, t1 in zip(words, edges, edges[1:], strict=False)]
    return bool(_sifted(timed, 5_000, voiced_share(samples, 0))[1])


def _chord(rng: np.random.Generator) -> Samples:
    t, root = np.arange(5 * audio.RATE) / audio.RATE, rng.uniform(100, 400)
    return np.asarray(sum(0.1 * np.sin(2 * np.pi * root * step * t) for step in (1, 1.26, 1.5, 2)), np.float32)


def _past_end(spoken: Sequence[Sequence[Word]], rng: np.random.Generator) -> Iterator[Row]:
    far, near = Row("words beyond the end"), Row("last words that end just past the end")
    for words in spoken:
        end = words[-1].t1
        t0 = end + int(rng.uniform(1_000, 200_000))
        _, aside = _sifted([*words, Word(t0, t0 + 400, "beyond", 0.9)], end)
        far.planted, far.found = far.planted + 1, far.found + sum(one.reason == "past_end" for one in aside)
        far.true, far.wrong = far.true + len(words), far.wrong + sum(len(one.text.split()) for one in aside[:-1])
        late = replace(words[-1], t1=end + int(rng.uniform(1, 900)))
        kept, aside = _sifted([*words[:-1], late], end)
        near.planted, near.found = near.planted + 1, near.found + (kept[-1].words[-1].t1 == end and not aside)
    yield from (far, near)


def _drift(rttms: Sequence[Path]) -> Iterator[Row]:
    found = [(plan.kind, measure_drift.outcome(one, error))
             for n, path in enumerate(rttms) for plan, one, error in measure_drift.tried(path, n)]  # fmt: skip
    for kind in ("offset", "rate", "both"):
        outcomes = [what for planted, what in found if planted == kind]
        right = [what for planted, what in found if planted == "none"]
        moved = outcomes.count("found")
        yield Row(f"clocks that drift ({kind})", len(outcomes), moved, len(right), right.count("wrong"), moved)


def _sifted(
    words: Sequence[Word], end: int, voiced: Callable[[Span], float] = lambda span: 1.0
) -> tuple[list[Passage], Sequence[SetAside]]:
    text = " ".join(word.text for word in words).encode()
    passage = Passage(tuple(words), -0.3, 0.1, len(text) / len(zlib.compress(text)))
    return sift([passage], [Turn(0, max(word.t1 for word in words), "A")], end, voiced)


def _words(heard: TranscriptRecogniser, samples: Samples) -> list[Word]:
    turns = [Turn(0, len(samples) * 1000 // audio.RATE, "A")]
    return [word for window in heard.transcribe(samples, 0, turns) for word in window.words]
