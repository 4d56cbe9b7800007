"""How well questions are understood: the bank that wordings were tuned on, and the one nobody tuned for."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from agent.brains.rules.brain import RulesBrain
from agent.evals.plans.bank import Score, Worlds, admitted, declined, measure, read, read_gold
from agent.evals.plans.filling import filled_plan
from agent.evals.plans.sameness import same
from tools.plan import parse_plan

# What was reached on wordings that nobody tuned for or learned from. These only ever go up.
HELD_OUT = {"heldout.en.toml": 0.90, "heldout2.en.toml": 0.94}
ADMITTED = 1

PLANS = Path(__file__).resolve().parents[3] / "data" / "plans"
GOLD = read_gold(PLANS / "gold.toml")


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    with Worlds(tmp_path_factory.mktemp("library")) as made:
        yield made


def scored(name: str, worlds: Worlds) -> Score:
    return measure(read(PLANS / name)[0], GOLD, worlds, RulesBrain())


def test_the_bank_is_understood(worlds: Worlds) -> None:
    score = scored("bank.en.toml", worlds)
    assert sum(score.asked.values()) >= 400
    assert score.accuracy >= 0.97, score.wrong
    assert score.paraphrase >= 0.85, score.wrong


@pytest.mark.parametrize("name", HELD_OUT)
def test_wordings_that_nobody_tuned_for_are_understood(name: str, worlds: Worlds) -> None:
    score = scored(name, worlds)
    asked, accuracy = sum(score.asked.values()), score.accuracy  # its wordings are not to be printed
    assert asked >= 120
    assert accuracy >= HELD_OUT[name]


def test_another_language_is_only_another_table(worlds: Worlds) -> None:
    assert scored("bank.fr.toml", worlds).accuracy >= 0.90


@pytest.mark.parametrize("name", ["bank.en.toml", "bank.fr.toml", *HELD_OUT])
def test_what_is_not_about_a_recording_is_declined_and_open_questions_stay_open(name: str, worlds: Worlds) -> None:
    bank, brain = read(PLANS / name)[0], RulesBrain()
    kept, lost = len(declined(bank, worlds, brain)), len(admitted(bank, worlds, brain))
    # counts, since the wordings of a held-out bank are not to be printed
    assert kept <= (ADMITTED if name.startswith("heldout") else 0)
    assert lost <= max(1, len(bank.open) // 10)


def test_every_meaning_of_the_bank_has_a_gold_plan_that_runs(worlds: Worlds) -> None:
    assert set(read(PLANS / "bank.en.toml")[0].cases) == set(GOLD)
    for meaning, calls in GOLD.items():
        plans = [(session, parse_plan(filled_plan(calls, words))) for session, words in worlds.asked(meaning)]
        found = [session.run(plan).total for session, plan in plans]
        assert any(found) or "not" in meaning or "never" in meaning, meaning


def test_the_worlds_tell_the_plans_of_a_family_apart(worlds: Worlds) -> None:
    """Two meanings of one family that came to the same everywhere would make a wrong plan look right."""
    alike = []
    for one, other in combinations(GOLD, 2):
        if one.partition(".")[0] != other.partition(".")[0]:
            continue
        pairs = zip(worlds.asked(one), worlds.asked(other), strict=True)
        plans = [
            (parse_plan(filled_plan(GOLD[one], words)), parse_plan(filled_plan(GOLD[other], words)), session)
            for (session, words), _ in pairs
        ]
        if all(same(plan, gold, session) for plan, gold, session in plans):
            alike.append((one, other))
    assert alike == []
