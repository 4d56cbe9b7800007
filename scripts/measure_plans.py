"""Measure how well questions are understood: plan accuracy by family, all eight wordings right, what is declined.

python -m scripts.measure_plans tests/data/plans/bank.en.toml [--wrong] [--json FILE]
"""

import argparse
import tempfile
from pathlib import Path

from agent.brains.rules.brain import RulesBrain
from agent.evals.plans.bank import Score, Worlds, admitted, declined, measure, read, read_gold
from agent.evals.report.found import Check, Found, Row, Table, write
from agent.evals.statistics.intervals import wilson

GOLD = Path(__file__).resolve().parents[1] / "tests" / "data" / "plans" / "gold.toml"


def main() -> None:
    """Print a table for each bank of wordings; --wrong prints the wordings that were not understood."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("banks", nargs="+", type=Path)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    scores: dict[str, Score] = {}
    gold, brain = read_gold(GOLD), RulesBrain()
    with tempfile.TemporaryDirectory() as folder, Worlds(Path(folder)) as worlds:
        for path, bank in [(one, bank) for one in options.banks for bank in read(one)]:
            score = measure(bank, gold, worlds, brain)
            scores[f"{path.name.partition('.')[0]} ({bank.language})"] = score
            print(f"\n{path.name} ({bank.language}): {_figures(score)}")
            for family, asked in sorted(score.asked.items()):
                print(f"  {family:14}{score.right[family]:4} of {asked}")
            kept, lost = declined(bank, worlds, brain), admitted(bank, worlds, brain)
            print(f"  off-topic declined {len(bank.offtopic) - len(kept)} of {len(bank.offtopic)}")
            print(f"  open questions left open {len(bank.open) - len(lost)} of {len(bank.open)}")
            if options.wrong:
                for wrong in score.wrong:
                    print(f"  {wrong.id}: {wrong.wording}\n      {wrong.why}")
                for text in [*kept, *lost]:
                    print(f"  aside: {text}")
    if options.json:
        write(found(scores), options.json)


def found(scores: dict[str, Score]) -> Found:
    """Give a row a bank: wordings whose plan is the gold one's equal on three worlds, and meanings of which all are."""
    rows: list[Row] = []
    checks: list[Check] = []
    for name, score in scores.items():
        right, asked, meanings = sum(score.right.values()), sum(score.asked.values()), len(score.whole)
        whole = sum(score.whole.values())
        rows.append((name, str(asked), _share(right, asked), str(meanings), _share(whole, meanings)))
        checks.append(Check(f"plans, {name}: right", score.accuracy, note=f"{asked} wordings"))
        checks.append(Check(f"plans, {name}: every wording", score.paraphrase, note=f"{meanings} meanings"))
    columns = ("bank", "wordings", "plan accuracy [95 %]", "meanings", "every wording right [95 %]")
    note = "Right: equal to the gold plan in canonical form, or the same value and rows, on three worlds."
    return Found((Table("Plan accuracy", columns, tuple(rows), note),), tuple(checks))


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits / of:.3f} [{low:.3f}, {high:.3f}]"


def _figures(score: Score) -> str:
    asked = sum(score.asked.values())
    return (
        f"plan accuracy {score.accuracy:.3f} ({asked} wordings), "
        f"every wording right {score.paraphrase:.3f} ({len(score.whole)} meanings)"
    )


if __name__ == "__main__":
    main()
