"""Measure what a question costs a model over recordings of several lengths, in tokens of the prompts themselves.

    python -m scripts.measure_tokens [MINUTES ...]

Each meaning of the bank once, and how many of its tokens go in; estimates of ours, with the rules in the model's place.
"""

import sys
import tempfile
from pathlib import Path

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.estimate import Tally
from agent.evals.models.questions import SET, read
from agent.evals.plans.bank import ALL, Worlds
from agent.evals.plans.filling import filled
from agent.evals.worlds.world import Spec
from agent.library import Library

WORDED = ("quote", "summary")


def main(arguments: list[str]) -> None:
    """Print calls and tokens a question, for what SQL computes and for what a model words."""
    items = [item for item in read(SET[:1]) if item.plan and not item.id.startswith(f"bank.{ALL}")]
    for minutes in map(float, arguments or ["10", "60"]):
        with tempfile.TemporaryDirectory() as folder, Worlds(Path(folder), [Spec(101, minutes, 5)]) as worlds:
            spent: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
            for item in items:
                text = filled(item.question, worlds.fillings[0])
                tally = Tally(RulesBrain().plan(Question(text), worlds.all.catalog, None).tool_calls)
                ask(Library(folder), text, brain=OpenAIBrain(tally, RulesBrain()))
                cost = tally.spent
                spent[item.family in WORDED].append((cost.calls, cost.tokens_in + cost.tokens_out))
        for worded, rows in spent.items():
            calls, tokens = (sum(column) / len(rows) for column in zip(*rows, strict=True))
            print(f"{minutes:g} min, {'worded' if worded else 'computed'}: {calls:.1f} calls, {tokens:,.0f} tokens")


if __name__ == "__main__":
    main(sys.argv[1:])
