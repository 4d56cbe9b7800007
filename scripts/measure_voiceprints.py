"""Print how alike the voiceprints of one reader and of two are, and what the thresholds on them would do.

    python -m scripts.measure_voiceprints [--data FOLDER] [--readers 40] [--part development|test]

Each reader of LibriSpeech gives two voiceprints, of the first and the second half of what they read (of different
utterances where there are several). The development readers choose the thresholds, the others are only reported.
"""

import argparse
import itertools
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.corpora import data_option
from scripts.speaker_cases import heard, reader_files
from store.record import Turn
from tools.speaker.recogniser import recogniser
from tools.speaker.voiceprints import voiceprints

LEVELS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
Vector = NDArray[np.float32]


def halves(files: list[Path]) -> list[Vector]:
    """Give the voiceprints of the two halves of what a reader reads."""
    backend = recogniser()
    whole = [heard(file) for file in files[:2]]
    half = len(whole) // 2
    parts = np.array_split(whole[0], 2) if not half else [np.concatenate(whole[:half]), np.concatenate(whole[half:])]
    found = []
    for samples in parts:
        prints = voiceprints([backend.hear(samples, 0)], [Turn(0, len(samples) // 16, "reader")])
        found += [print_.vector for print_ in prints.values()]
    return found


def main() -> int:
    """Print both parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    data_option(parser)
    parser.add_argument("--readers", type=int, default=40)
    parser.add_argument("--part", choices=("development", "test"), nargs="+", default=("development", "test"))
    given = parser.parse_args()
    for part in given.part:
        readers = dict(itertools.islice(reader_files(given.data, part).items(), given.readers))
        prints = [two for files in readers.values() if len(two := halves(files)) == 2]
        same = np.array([float(a @ b) for a, b in prints])
        other = np.array([float(a @ b) for (a, _), (b, _) in itertools.combinations(prints, 2)])
        print(f"{part}: {len(same)} readers, {len(other)} pairs of two; one reader {np.percentile(same, [1, 5, 50])},"
              f" two {np.percentile(other, [50, 95, 99, 100])}")  # fmt: skip
        for level in LEVELS:
            print(
                f"  at {level:.2f}: {np.mean(same >= level):7.1%} of one reader, {np.mean(other >= level):7.2%} of two"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
