"""Every fused result is identical to brute force's: the property test, with thousands of random plans.

Worlds have rows that touch, nest and tie, of one millisecond and far longer than the rest; each is asked eight plans.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

from tests.benchmarks.ratio import Ratio
from tests.tools.test_fuse_oracle import PLANS

TEST = "tests/tools/test_fuse_oracle.py"
CASES = 3_000


def ratios() -> Iterator[Ratio]:
    """Give how many random cases held; none when any failed, which the test itself then tells on stderr."""
    worlds = -(-CASES // PLANS)
    environment = os.environ | {"OVERHEARD_ORACLE_WORLDS": str(worlds)}
    command = [sys.executable, "-m", "pytest", TEST, "-p", "no:cacheprovider"]
    done = subprocess.run(command, env=environment, stdout=sys.stderr)
    held = worlds * PLANS if done.returncode == 0 else 0
    yield Ratio("fused results identical to brute force", held, CASES, unit="cases", side="at least", note=TEST)
