"""Choose the questions of the bank that models are asked: one wording of each meaning, spread over the worlds.

    python -m scripts.choose_questions > agent/evals/models/bank.toml

The seed is fixed and was not chosen by what any brain understands.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.evals.plans.bank import WORLDS, read, read_gold

PLANS = Path(__file__).resolve().parents[1] / "tests" / "data" / "plans"
SEED = "one wording of each meaning"
DECLINED = 6


def main() -> None:
    """Print the file."""
    bank, gold = read(PLANS / "bank.en.toml")[0], read_gold(PLANS / "gold.toml")
    rng = random.Random(SEED)
    print("# One wording of each meaning of the bank, with its gold plan: made by scripts/choose_questions.py.")
    print("# `on` names the world; placeholders are filled with its words (agent/evals/plans/filling.py).\n")
    for n, (meaning, wordings) in enumerate(bank.cases.items()):
        _print(f"bank.{meaning}", n, rng.choice(wordings), plan=gold[meaning])
    for n, wording in enumerate(rng.sample(bank.offtopic, DECLINED)):
        _print(f"declined.{n + 1}", n, wording, status="refused", reasons=["out_of_scope"])


def _print(name: str, number: int, question: str, **more: Any) -> None:
    told = {"id": name, "on": f"world {WORLDS[number % len(WORLDS)].seed}", "question": question} | more
    print("[[question]]", *(f"{key} = {_toml(value)}" for key, value in told.items()), "", sep="\n")


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
        case str() | bool() | int() | float():
            return json.dumps(value, ensure_ascii=False)
        case Sequence():
            return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(type(value))


if __name__ == "__main__":
    main()
