"""Count near-duplicate texts and ties in the worlds that the tasks are asked over: they are how such benchmarks lie.

python -m scripts.measure_ambiguities [--minutes N ...] [--worlds N] [--json FILE]
"""

import argparse
from dataclasses import replace
from pathlib import Path

from agent.evals.report.found import Found, Row, Table, write
from agent.evals.tasks.ambiguity import ambiguities
from agent.evals.tasks.run import QUICK


def main() -> None:
    """Print a line a length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", nargs="+", type=float, default=QUICK.lengths)
    parser.add_argument("--worlds", type=int, default=QUICK.worlds)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows: list[Row] = []
    names: Row = ()
    for minutes in options.minutes:
        counted = ambiguities(replace(QUICK, lengths=(minutes,), worlds=options.worlds))
        print(f"{minutes:g} min: {counted}")
        names = tuple(counted)
        rows.append((f"{minutes:g}", *(f"{value:,}" for value in counted.values())))
    if options.json:
        note = "Items that hang on a tie are never asked; near pairs are decoys on purpose."
        table = Table("Counts", ("min", *names), tuple(rows), note)
        settings = f"seeds from {QUICK.first_seed}, {options.worlds} worlds a length"
        write(Found((table,), settings=settings), options.json)


if __name__ == "__main__":
    main()
