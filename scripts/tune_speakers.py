"""Choose the numbers of the `onnx` speaker recogniser on the development part and print every row that was compared.

    python -m scripts.tune_speakers [--data FOLDER] [--cache FOLDER] [--only NUMBER ...] [--cutting]

Each number is moved alone, the others at their present value: the networks run once, then only the naming of voices
and the timeline are repeated (with --cutting, which moves how passages are cut, all runs again). The loss is the mean
of the sets' pooled DER plus two points for each voice of at least 2 s too many or too few, per recording.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scripts.corpora import data_option
from scripts.measure_speakers import hear
from scripts.speaker_cases import Case
from scripts.speaker_scores import Score, pooled, score
from scripts.speaker_sets import KINDS, cases
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.onnx import Onnx, Tuning

NAMING: dict[str, tuple[float, ...]] = {
    "similarity": (0.5, 0.54, 0.56, 0.58, 0.6, 0.62, 0.65),
    "safe": (0.65, 0.7, 0.8),
    "sure_seconds": (0.4, 0.5, 0.7, 1.0),
    "least_seconds": (0.8, 1.1, 1.2, 1.4, 2.0),
    "stray_seconds": (0.6, 0.8, 1.0),
    "stray_similarity": (0.0, 0.1, 0.2, 0.3),
    "doubt_seconds": (0.5, 0.7, 0.87, 1.0, 1.3),
    "bonus": (0.0, 0.3, 0.6, 0.85, 1.0),
}
ROUNDING: dict[str, tuple[float, ...]] = {
    "up": (0.5, 0.6, 0.65, 0.7, 0.8),
    "fill_ms": (0, 100, 250, 400, 600),
    "least_ms": (0, 50, 100, 200, 300),
}
CUTTING: dict[str, tuple[float, ...]] = {
    "clean": (0.3, 0.5, 0.7),
    "seen": (0.12, 0.25, 0.35),
    "near": (3, 6, 10),
    "pause": (6, 15, 30, 60),
}
PARTING: dict[str, tuple[float, ...]] = {
    "unlike": (0.35, 0.45, 0.55),
    "around": (0.8, 1.0, 1.5),
    "shortest": (0.5, 0.8, 1.0),
    "longest": (2.5, 4.0, 6.0),
}
Heard = list[tuple[Case, list[Voices]]]


def row(tuning: Tuning, heard: Heard) -> str:
    """Give the loss of a tuning and where it comes from."""
    backend = Onnx(tuning)
    scores: dict[str, list[Score]] = {}
    for case, voices in heard:
        scores.setdefault(case.kind.split("-")[0], []).append(score(case, backend.turns(voices)))
    every = [one for found in scores.values() for one in found]
    wrong = sum(abs(one.main[0] - one.main[1]) for one in every) / len(every)
    rates = {kind: 100 * pooled(found) for kind, found in scores.items()}
    counts = {kind: sum(one.voices[0] == one.voices[1] for one in found) for kind, found in scores.items()}
    sets = "  ".join(f"{kind} {rates[kind]:5.2f} ({counts[kind]}/{len(scores[kind])})" for kind in scores)
    return f"loss {sum(rates.values()) / len(rates) + 2 * wrong:6.2f}  DER and exact counts: {sets}  off by {wrong:.2f}"


def moved(part: str, table: dict[str, tuple[float, ...]], only: list[str], rate: Callable[[Tuning], str]) -> None:
    """Move the numbers of one part of the tuning, each alone, and print a row for every value."""
    base = Tuning()
    for name, values in table.items():
        for value in values if not only or name in only else ():
            given = replace(getattr(base, part), **{name: value})
            print(f"{name:18}{value:>8}  {rate(replace(base, **{part: given}))}", flush=True)


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    data_option(parser)
    parser.add_argument("--cache", type=Path, help="where what the networks heard is kept")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--only", nargs="+", default=[], help="numbers to move, all when none is named")
    parser.add_argument("--cutting", action="store_true")
    given = parser.parse_args()
    development = list(cases(given.data, "development", given.kind))
    backend = Onnx()
    heard = [(case, hear(backend, case, given.cache)) for case in development]
    print("present:", row(Tuning(), heard))
    moved("naming", NAMING, given.only, lambda tuning: row(tuning, heard))
    moved("rounding", ROUNDING, given.only, lambda tuning: row(tuning, heard))
    if given.cutting:

        def again(tuning: Tuning) -> str:
            return row(tuning, [(case, hear(Onnx(tuning), case)) for case in development])

        moved("cutting", CUTTING, given.only, again)
        moved("parting", PARTING, given.only, again)
    return 0


if __name__ == "__main__":
    sys.exit(main())
