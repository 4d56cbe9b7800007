"""Fit the table of confidences on noisy worlds, and measure the error left on seeds and noise that were not fitted.

    python -m scripts.calibrate_confidence [--write] [--worlds 6] [--minutes 20]

Fitted on the levels of TRAIN; reported on fresh seeds under the same levels and under those of HELD_OUT.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agent.evals.statistics.calibration import by_bin, ece
from agent.evals.worlds.calibration import Rated, fit, ratings
from agent.evals.worlds.noise import CLEAN, FIELD, PAPER, Noise
from agent.evals.worlds.world import Spec
from agent.graph import confidence as shipped

TRAIN = (
    CLEAN,
    PAPER,
    FIELD,
    Noise(words=0.05, confused=0.02, emotions=0.15, events_missed=0.05, events_false=0.05),
    Noise(words=0.4, keywords=0.3, confused=0.25, missed=0.1, emotions=0.6, events_missed=0.4, events_false=0.5),
    Noise(words=0.15),
    Noise(confused=0.15, missed=0.05),
    Noise(emotions=0.4, events_missed=0.25, events_false=0.2),
)
HELD_OUT = (
    Noise(words=0.02, confused=0.04, emotions=0.2, events_missed=0.1),
    Noise(words=0.18, keywords=0.25, confused=0.1, missed=0.04, emotions=0.35, events_missed=0.2, events_false=0.15),
    Noise(words=0.3, keywords=0.15, confused=0.2, split=0.5, emotions=0.5, events_missed=0.35, events_false=0.4),
)
# Scores that are too sure of themselves cannot be seen through; the error they leave is told beside the others.
TOO_SURE = (Noise(words=0.1, confused=0.1, emotions=0.3, events_missed=0.2, events_false=0.2, temperature=0.6),)


def main() -> None:
    """Ask, fit, measure, and write the table when told to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--worlds", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asked = ((100, TRAIN), (500, TRAIN), (700, HELD_OUT), (900, TOO_SURE))
        replies = [_asked(Path(folder) / str(first), first, options, noises) for first, noises in asked]
    train, seeds, levels, too_sure = replies
    table = fit(train)
    figures = {}
    sets = {"fitted": train, "fresh seeds": seeds, "fresh seeds and levels": levels, "scores too sure": too_sure}
    for name, rated in sets.items():
        pairs = _pairs(rated, table)
        figures[name] = {"replies": len(pairs), "right": _share(rated), "ece": round(ece(pairs), 4)}
        before = ece([(found.stated, found.right) for found in rated])
        print(f"{name:24} {len(pairs):5} replies, {_share(rated):.3f} right, ECE {ece(pairs):.4f} (now {before:.4f})")
    for low, (size, sure, good) in by_bin(_pairs([*seeds, *levels], table)).items():
        print(f"  from {low}: {size:5} replies, stated {sure:.3f}, right {good:.3f}")
    for kind in sorted({found.features.kind for found in levels}):
        mine = [found for found in [*seeds, *levels] if found.features.kind == kind]
        print(f"  {kind:16} {len(mine):5} replies, {_share(mine):.3f} right, ECE {ece(_pairs(mine, table)):.4f}")
    if options.write:
        shipped.TABLE.write_text(json.dumps(table | {"figures": figures}, indent=1) + "\n", encoding="utf-8")


def _asked(folder: Path, first: int, options: argparse.Namespace, noises: Sequence[Noise]) -> list[Rated]:
    specs = [Spec(first + n, options.minutes, 3 + n % 4) for n in range(options.worlds)]
    return [
        found
        for n, spec in enumerate(specs)
        for found in ratings(folder / str(n), [spec], [replace(noise, seed=n) for noise in noises])
    ]


def _pairs(rated: Sequence[Rated], table: dict[str, object]) -> list[tuple[float, bool]]:
    return [(shipped.by_table(found.features, table), found.right) for found in rated]


def _share(rated: Sequence[Rated]) -> float:
    return round(sum(found.right for found in rated) / len(rated), 4)


if __name__ == "__main__":
    main()
