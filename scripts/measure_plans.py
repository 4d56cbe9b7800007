"""Measure how well questions are understood: plan accuracy by family, all eight wordings right, what is declined.

python -m scripts.measure_plans tests/data/plans/bank.en.toml [--wrong]
"""

import sys
import tempfile
from pathlib import Path

from agent.brains.rules.brain import RulesBrain
from agent.evals.plans.bank import Score, Worlds, admitted, declined, measure, read, read_gold

GOLD = Path(__file__).resolve().parents[1] / "tests" / "data" / "plans" / "gold.toml"


def main(arguments: list[str]) -> None:
    """Print a table for each bank of wordings; --wrong prints the wordings that were not understood."""
    shown = "--wrong" in arguments
    gold, brain = read_gold(GOLD), RulesBrain()
    with tempfile.TemporaryDirectory() as folder, Worlds(Path(folder)) as worlds:
        paths = [Path(argument) for argument in arguments if argument != "--wrong"]
        for path, bank in [(one, bank) for one in paths for bank in read(one)]:
            score = measure(bank, gold, worlds, brain)
            print(f"\n{path.name} ({bank.language}): {_figures(score)}")
            for family, asked in sorted(score.asked.items()):
                print(f"  {family:14}{score.right[family]:4} of {asked}")
            kept, lost = declined(bank, worlds, brain), admitted(bank, worlds, brain)
            print(f"  off-topic declined {len(bank.offtopic) - len(kept)} of {len(bank.offtopic)}")
            print(f"  open questions left open {len(bank.open) - len(lost)} of {len(bank.open)}")
            if shown:
                for wrong in score.wrong:
                    print(f"  {wrong.id}: {wrong.wording}\n      {wrong.why}")
                for text in [*kept, *lost]:
                    print(f"  aside: {text}")


def _figures(score: Score) -> str:
    asked = sum(score.asked.values())
    return (
        f"plan accuracy {score.accuracy:.3f} ({asked} wordings), "
        f"every wording right {score.paraphrase:.3f} ({len(score.whole)} meanings)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
