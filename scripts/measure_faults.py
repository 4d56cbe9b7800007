"""Ask many questions of worlds with faulty brains: nothing unsupported may be answered, nothing may break.

    python -m scripts.measure_faults [--worlds 3] [--minutes 10] [fault ...]

Unsupported is an answer to what cannot be answered, a wrong value, or anything a fault invented that is not marked.
"""

import argparse
import tempfile
from pathlib import Path

from agent.brains.faults import FAULTS
from agent.evals.worlds.faulty import tally
from agent.evals.worlds.world import Spec


def main() -> None:
    """Print one line a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("faults", nargs="*", default=FAULTS)
    options = parser.parse_args()
    specs = [Spec(40 + n, options.minutes, 3 + n) for n in range(options.worlds)]
    print("fault            asked right partial refused  none failed wrong invented broke over calls")
    for fault in options.faults:
        with tempfile.TemporaryDirectory() as folder:
            found = tally(Path(folder), specs, fault)
        print(
            f"{fault:16} {found.asked:5} {found.right:5} {found.partial:7} {found.refused:7} {found.not_found:5}"
            f" {found.failed:6} {len(found.wrong):5} {len(found.invented):8} {len(found.broke):5} {found.over:4}"
            f" {found.most_calls:5}"
        )
        for line in [*found.wrong[:5], *found.invented[:5], *found.broke[:5]]:
            print("   ", line)


if __name__ == "__main__":
    main()
