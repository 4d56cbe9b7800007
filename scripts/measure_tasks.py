"""Ask the nine tasks over worlds of several lengths, clean and noisy, and print a table of task by length and preset.

    python -m scripts.measure_tasks [--full] [--minutes N ...] [--worlds N] [--most N] [--presets NAME ...]
                                    [--tasks NAME ...] [--who NAME ...] [--wordings FILE] [--again] [--json FILE]

The quick tier takes two minutes on two cores. `--who` asks baselines in the agent's place, or the agent with the
prompts a model would be sent: `estimated` counts all their tokens, `context` those of the recording's rows; of several,
each has a file of its own (FILE.NAME).
`--wordings` asks in the words of a bank (tests/data/plans), every wording of an item's meaning, and prints none.
`--again` asks everything twice and says whether the records are equal but for times. Metrics whose library is missing
(development installs have them) are left out.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from agent.evals.answerer import Answerer, agent, context, estimated
from agent.evals.baselines.names import BASELINES
from agent.evals.plans.bank import read
from agent.evals.tasks.ambiguity import ambiguities
from agent.evals.tasks.item import TASKS
from agent.evals.tasks.record import Record, digest, write
from agent.evals.tasks.run import FULL, QUICK, Asking, Tier
from agent.evals.tasks.table import failures, lines
from agent.evals.tasks.wordings import reworded, whole

WHO: dict[str, Answerer] = {"agent": agent, "estimated": estimated, "context": context, **BASELINES}


def main() -> None:
    """Ask, print, and write the records down."""
    options = _options()
    tier = _tier(options)
    for who in options.who:
        path = options.json and (options.json if len(options.who) == 1 else Path(f"{options.json}.{who}"))
        _measure(tier, who, options, path)


def _measure(tier: Tier, who: str, options: argparse.Namespace, path: Path | None) -> None:
    started = time.perf_counter()
    records, left_out = _run(tier, who, options)
    print(f"\n{who}")
    print("\n".join(lines(records)))
    print(
        f"\n{len(records)} items in {time.perf_counter() - started:.0f} s; left out: {dict(sorted(left_out.items()))}"
    )
    print(f"ambiguities in the words: {ambiguities(tier)}")
    if options.wordings:
        items = whole(records)
        print(f"every wording right: {sum(items)} of {len(items)} items")
    else:
        print("\nnot right under clean streams")
        print("\n".join(failures(records)))
    if path:
        write(records, path)
    if options.again:
        again, _ = _run(tier, who, options)
        same = digest(again) == digest(records)
        print(f"\nasked again: {'equal' if same else 'NOT equal'} ({digest(records)[:16]})")
        if not same:
            sys.exit(1)


def _run(tier: Tier, who: str, options: argparse.Namespace) -> tuple[list[Record], dict[str, int]]:
    bank = read(options.wordings)[0] if options.wordings else None
    with tempfile.TemporaryDirectory() as folder:
        asking = Asking(tier, Path(folder), WHO[who], topline=who == "agent" and bank is None)
        if bank is not None:
            asking.reworded = lambda items: reworded(items, bank)
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
    parser.add_argument("--who", nargs="+", choices=WHO, default=["agent"], metavar="NAME")
    parser.add_argument("--wordings", type=Path, metavar="FILE")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
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
