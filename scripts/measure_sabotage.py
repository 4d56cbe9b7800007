"""Plant each fault in the agent and print how far the evaluation of a small world falls.

python -m scripts.measure_sabotage [--minutes M] [--seed N] [--json FILE]
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.evals.report.found import Check, Found, Table, figure, write
from agent.evals.sabotage.faults import FAULTS
from agent.evals.sabotage.turning import Change, Evaluation
from agent.evals.statistics.scoring import Mark, passed, rs
from agent.evals.worlds.world import Spec


def main() -> None:
    """Print a line a fault: pass rate, RS(10), how much each changes, and whether both fall beyond chance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=731)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    changes: dict[str, tuple[Sequence[Mark], Change]] = {}
    with tempfile.TemporaryDirectory() as folder:
        evaluation = Evaluation(Path(folder), Spec(options.seed, options.minutes, 5))
        sound = evaluation.sound
        print(f"{len(sound)} questions; sound: pass {passed(sound):.3f}, RS(10) {rs(sound):.1f}")
        for fault in FAULTS:
            marks = evaluation.marks(fault)
            change = evaluation.change(marks)
            changes[fault.fault] = marks, change
            told = f"pass {passed(marks):.3f} ({change.passing})  RS(10) {rs(marks):7.1f} (points {change.points})"
            print(f"  {fault.fault:22} {told}  {'red' if change.red else 'NOT RED'}")
    if options.json:
        settings = f"seed {options.seed}, {options.minutes:g} min, N = {len(sound)} questions"
        write(found(sound, changes, settings), options.json)


def found(sound: Sequence[Mark], changes: Mapping[str, tuple[Sequence[Mark], Change]], settings: str) -> Found:
    """Give a table of the faults; each must turn the evaluation red."""
    columns = ("fault", "pass rate", "change [95 %]", "RS(10)", "change in points of 1 [95 %]", "verdict")
    rows = [("none", figure(passed(sound)), "-", figure(rs(sound)), "-", "-")]
    for name, (marks, change) in changes.items():
        verdict = "red" if change.red else "NOT RED"
        row = (figure(passed(marks)), str(change.passing), figure(rs(marks)), str(change.points), verdict)
        rows.append((name, *row))
    red = sum(change.red for _, change in changes.values())
    check = Check(
        "planted faults that turn red", float(red), "at least", float(len(changes)), "pass rate and RS(10) fall"
    )
    return Found((Table("Faults", columns, tuple(rows)),), (check,), settings)


if __name__ == "__main__":
    main()
