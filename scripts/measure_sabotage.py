"""Plant each fault in the agent and print how far the evaluation of a small world falls.

python -m scripts.measure_sabotage [--minutes M] [--seed N]
"""

import argparse
import tempfile
from pathlib import Path

from agent.evals.sabotage.faults import FAULTS
from agent.evals.sabotage.turning import Evaluation
from agent.evals.statistics.scoring import passed, rs
from agent.evals.worlds.world import Spec


def main() -> None:
    """Print a line a fault: pass rate, RS(10), how much each changes, and whether both fall beyond chance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=731)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evaluation = Evaluation(Path(folder), Spec(options.seed, options.minutes, 5))
        sound = evaluation.sound
        print(f"{len(sound)} questions; sound: pass {passed(sound):.3f}, RS(10) {rs(sound):.1f}")
        for fault in FAULTS:
            marks = evaluation.marks(fault)
            change = evaluation.change(marks)
            told = f"pass {passed(marks):.3f} ({change.passing})  RS(10) {rs(marks):7.1f} (points {change.points})"
            print(f"  {fault.fault:22} {told}  {'red' if change.red else 'NOT RED'}")


if __name__ == "__main__":
    main()
