"""Choose the numbers of the `onnx` speaker recogniser on the development part and print every row that was compared.

    python -m scripts.tune_speakers [--data FOLDER] [--cutting]

Each number is moved alone, the others at their present value: the networks run once, then only the naming of voices and
the timeline are repeated (with --cutting, which moves how windows are cut, everything runs again). The loss is the mean
of the sets' pooled DER plus two points for each voice of at least 2 s too many or too few, per recording.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from measure_speakers import Case, Score, cases, data_folder, score

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.onnx import Onnx, Tuning
from tools.speaker.recognisers.pieces import Cutting
from tools.speaker.recognisers.reconstruction import Rounding

SETS = ("ami", "libri", "meeting")


def turning(base: Tuning) -> dict[str, list[Tuning]]:
    """Give what is compared without hearing again."""
    rounding = base.rounding
    return {
        "similarity": [replace(base, similarity=value) for value in (0.2, 0.25, 0.3, 0.35, 0.4)],
        "safe": [replace(base, safe=value) for value in (0.5, 0.6, 0.7)],
        "sure_seconds": [replace(base, sure_seconds=value) for value in (0.5, 1.0, 1.5, 2.0, 3.0)],
        "stray_similarity": [replace(base, stray_similarity=value) for value in (0.0, 0.1, 0.15, 0.2, 0.25, 0.3)],
        "penalty": [replace(base, penalty=value) for value in (0.0, 0.1, 0.15, 0.2, 0.25, 0.3)],
        "up": [replace(base, rounding=replace(rounding, up=value)) for value in (0.5, 0.55, 0.6, 0.65, 0.7)],
        "fill_ms": [replace(base, rounding=replace(rounding, fill_ms=value)) for value in (0, 100, 250, 400, 600)],
        "least_ms": [replace(base, rounding=replace(rounding, least_ms=value)) for value in (0, 50, 100, 200, 300)],
    }


def hearing(base: Tuning) -> dict[str, list[Tuning]]:
    """Give what is compared by hearing again."""
    cutting: Cutting = base.cutting
    return {
        "longest": [replace(base, cutting=replace(cutting, longest=value)) for value in (1.5, 2.0, 3.0)],
        "shortest": [replace(base, cutting=replace(cutting, shortest=value)) for value in (0.4, 0.5, 0.8)],
        "apart": [replace(base, cutting=replace(cutting, apart=value)) for value in (0.2, 0.3, 0.4)],
    }


def row(tuning: Tuning, heard: list[tuple[Case, list[Voices]]]) -> tuple[float, str]:
    """Give the loss of a tuning and a line that shows where it comes from."""
    backend = Onnx(tuning)
    scores: dict[str, list[Score]] = {kind: [] for kind in SETS}
    for case, voices in heard:
        scores[case.kind.split("-")[0]].append(score(case, backend.turns(voices), 0.0))
    every = [one for kind in SETS for one in scores[kind]]
    wrong = sum(abs(one.main[0] - one.main[1]) for one in every) / len(every)
    rates = [100 * _pooled(scores[kind]) for kind in SETS]
    exact = sum(one.voices[0] == one.voices[1] for one in every)
    text = " ".join(f"{kind} {rate:6.2f}" for kind, rate in zip(SETS, rates, strict=True))
    loss = sum(rates) / len(SETS) + 2 * wrong
    return loss, f"loss {loss:6.2f}  DER {text}  voices exact {exact}/{len(every)}, off by {wrong:.2f} (>= 2 s)"


def _pooled(scores: list[Score]) -> float:
    return sum(one.missed + one.alarm + one.confused for one in scores) / sum(one.total for one in scores)


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--only", nargs="+", default=[], help="numbers to move, all when none is named")
    parser.add_argument("--cutting", action="store_true")
    given = parser.parse_args()
    base = Tuning()
    development = list(cases(given.data, "development"))
    heard = [(case, [Onnx(base).hear(case.samples, 0)]) for case in development]
    print("present:", row(base, heard)[1])
    for name, options in turning(base).items():
        if given.only and name not in given.only:
            continue
        for option in options:
            print(f"{name:18}{_value(option, name):>8}  {row(option, heard)[1]}", flush=True)
    if given.cutting:
        for name, options in hearing(base).items():
            for option in options:
                again = [(case, [Onnx(option).hear(case.samples, 0)]) for case in development]
                print(f"{name:18}{_value(option, name):>8}  {row(option, again)[1]}", flush=True)
    return 0


def _value(tuning: Tuning, name: str) -> str:
    places: tuple[Tuning | Cutting | Rounding, ...] = (tuning, tuning.cutting, tuning.rounding)
    return str(next(getattr(place, name) for place in places if hasattr(place, name)))


if __name__ == "__main__":
    sys.exit(main())
