"""A writer of its own process: publishes recordings of an hour, one after the other, until its input is closed.

    python -m tests.benchmarks.writing LIBRARY SEED
It says `begins` before the first stretch, and at the end how many it has written.
"""

import select
import sys
from itertools import count
from pathlib import Path

from store.database import Database
from tests.benchmarks.talk import hear, stretches, talk


def main(folder: Path, seed: int) -> None:
    """Write until nobody listens any more."""
    database, world = Database(folder), talk(60, seed)
    parts = list(stretches(world))
    sys.stdout.write("begins\n")
    sys.stdout.flush()
    for number in count():
        hear(database, world, parts, number)
        if select.select([sys.stdin], [], [], 0)[0]:
            sys.stdout.write(f"{len(parts) * (number + 1)}\n")
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
