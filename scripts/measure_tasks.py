"""Ask the nine tasks over worlds of several lengths, clean and noisy, and print a table of task by length and preset.

    python -m scripts.measure_tasks [--full] [--minutes N ...] [--worlds N] [--most N] [--presets NAME ...]
                                    [--tasks NAME ...] [--cost] [--again] [--json FILE]

The quick tier takes two minutes on two cores. `--cost` asks with the prompts a model would be sent and estimates their
tokens; `--again` asks everything twice and says whether the records are equal but for times. Metrics whose library is
missing (development installs have them) are left out.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from agent.evals.answerer import agent, estimated
from agent.evals.tasks.ambiguity import ambiguities
from agent.evals.tasks.item import TASKS
from agent.evals.tasks.record import Record, digest, write
from agent.evals.tasks.run import FULL, QUICK, Asking, Tier
from agent.evals.tasks.table import failures, lines


def main() -> None:
    """Ask, print, and write the records down."""
    options = _options()
    tier = _tier(options)
    answer, started = (estimated if options.cost else agent), time.perf_counter()
    records, left_out = _run(tier, answer)
    print("\n".join(lines(records)))
    print(
        f"\n{len(records)} items in {time.perf_counter() - started:.0f} s; left out: {dict(sorted(left_out.items()))}"
    )
    print(f"ambiguities in the words: {ambiguities(tier)}")
    print("\nnot right under clean streams")
    print("\n".join(failures(records)))
    if options.json:
        write(records, Path(options.json))
    if options.again:
        again, _ = _run(tier, answer)
        same = digest(again) == digest(records)
        print(f"\nasked again: {'equal' if same else 'NOT equal'} ({digest(records)[:16]})")
        sys.exit(0 if same else 1)


def _run(tier: Tier, answer: object) -> "tuple[list[Record], dict[str, int]]":
    with tempfile.TemporaryDirectory() as folder:
        asking = Asking(tier, Path(folder), answer)  # type: ignore[arg-type]
        return list(asking.records()), asking.left_out


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--minutes", nargs="+", type=float)
    parser.add_argument("--worlds", type=int)
    parser.add_argument("--most", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--presets", nargs="+")
    parser.add_argument("--tasks", nargs="+", choices=TASKS)
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def _tier(options: argparse.Namespace) -> Tier:
    given = {
        "lengths": options.minutes,
        "worlds": options.worlds,
        "most": options.most,
        "first_seed": options.seed,
        "presets": options.presets,
        "tasks": options.tasks,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return replace(FULL if options.full else QUICK, **chosen)


if __name__ == "__main__":
    main()
