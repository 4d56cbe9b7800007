"""Plant faults into sound, hear it with the real recogniser, and count what became of them: rows of the same table.

loops: two seconds of a reader, over and over; words past the first time are planted, and set aside or missed.
silence: turns of nobody over silence, noise and sounds; words that are written there are set aside or missed.
clocks: the words heard of a made recording, put on another clock, against the voices heard in it.
seams: words within three seconds of a cut of that recording, heard in short stretches, are right or missed; wrong are
words that nobody said. Beside them, the same words heard uncut.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from scripts.doubt_plants import Row, Samples, head, read
from scripts.measure_drift import Planted, outcome
from scripts.measure_seams import UNCUT_S, Cut, faults, hear, near
from store.record import Span, Turn
from tools.media import audio
from tools.transcript.drift import drift
from tools.transcript.recogniser import TranscriptRecogniser, Window

NEAR_MS = 3_000
_PHRASE_S = 2
_TIMES = (5, 8, 12)


def measure(
    readers: Sequence[Path],
    silences: Iterable[tuple[str, Samples]],
    recording: Path | None,
    every: int,
    heard: TranscriptRecogniser,
) -> None:
    """Print the table; without a made recording there are no clocks and no seams."""
    print(head())
    print(_loops(readers, heard))
    print(_silence(silences, heard))
    if recording is not None:
        made = hear(recording, every)
        print(_clocks(made), _seam("near a cut", made, made.cuts), sep="\n")
        print(_seam("the same places, uncut", hear(recording, UNCUT_S), made.cuts))


def _loops(readers: Sequence[Path], heard: TranscriptRecogniser) -> Row:
    row = Row("heard: a phrase over and over")
    for place, path in enumerate(readers):
        samples, times = read(path), _TIMES[place % len(_TIMES)]
        phrase = samples[: _PHRASE_S * audio.RATE]
        once, looped = (_windows(heard, each) for each in (samples, np.tile(phrase, times)))
        said = sum(word.t1 <= _PHRASE_S * 1000 for window in once for word in window.words)
        kept = sum(len(window.words) for window in looped)
        aside = sum(len(one.text.split()) for window in looped for one in window.set_aside)
        row.planted, row.found = row.planted + max(kept + aside - said, aside), row.found + aside
        row.true += sum(len(window.words) for window in once)
        row.wrong += sum(len(one.text.split()) for window in once for one in window.set_aside)
    return row


def _silence(silences: Iterable[tuple[str, Samples]], heard: TranscriptRecogniser) -> Row:
    row = Row("heard: words where nobody speaks")
    for _, samples in silences:
        for window in _windows(heard, samples):
            aside = sum(len(one.text.split()) for one in window.set_aside)
            row.planted, row.found = row.planted + aside + len(window.words), row.found + aside
    return row


def _clocks(made: Cut) -> Row:
    words = [Span(word.t0, word.t1) for word in made.heard]
    turns = [Span(turn.t0, turn.t1) for turn in made.spoken]
    row = Row("heard: words on another clock")
    for offset, ppm in product((-8_000, -2_000, 0, 500, 3_000), (-8_000, -1_500, 0, 4_000)):
        plan = Planted("both", offset, ppm)
        moved = [span for span in map(plan.misplaced, words) if span.t0 >= 0]
        found = drift(moved, turns)
        became = outcome(found, plan.error_ms(found, moved) if found else 0)
        if offset or ppm:
            told = became == "unsure" and found is not None and found.doubtful
            row.planted, row.mended = row.planted + 1, row.mended + (became == "found")
            row.found += became == "found" or told
        else:
            row.true, row.wrong = row.true + 1, row.wrong + (became == "wrong")
    return row


def _seam(name: str, made: Cut, places: Sequence[int]) -> Row:
    wrong = [fault for fault in faults(made.truth, made.heard) if near(fault.at, places, NEAR_MS)]
    added = sum(fault.kind == "added" for fault in wrong)
    planted = sum(near(word.t0, places, NEAR_MS) for word in made.truth)
    written = sum(near(word.t0, places, NEAR_MS) for word in made.heard)
    right = planted - len(wrong) + added
    return Row(f"heard: words, {name}", planted, right, written, added, right)


def _windows(heard: TranscriptRecogniser, samples: Samples) -> list[Window]:
    return list(heard.transcribe(samples, 0, [Turn(0, len(samples) * 1000 // audio.RATE, "A")]))
