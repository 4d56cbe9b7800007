"""A budget is never overspent, whatever it is spent on; a question that was interrupted goes on with what is left."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.brains.protocol import Cost
from agent.graph.budget import Budget, Meter
from store.errors import BudgetSpent

STEPS = st.lists(st.sampled_from(["round", "call", "model", "spend"]), max_size=60)


@given(STEPS)
def test_nothing_counted_passes_its_limit_but_by_the_step_that_ends_it(steps: list[str]) -> None:
    meter = Meter(Budget(rounds=3, model_calls=4, tool_calls=5, tokens=600))
    does: dict[str, Callable[[], object]] = {
        "round": meter.round, "call": lambda: meter.call(2), "model": meter.model_call,
        "spend": lambda: meter.spend(Cost(input_tokens=100, output_tokens=50)),
    }  # fmt: skip
    ended = False
    for step in steps:
        try:
            does[step]()
        except BudgetSpent:
            ended = True
            break
    assert meter.tool_calls <= 5
    assert meter.model_calls <= 4
    assert meter.rounds <= 3 + ended
    assert meter.input_tokens + meter.output_tokens <= 600 + 150 * ended


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(model_calls=0), "more than 0 model calls"),
        (Budget(tokens=1_999), "more than 1,999 tokens"),
        (Budget(seconds=0), "longer than 0 s"),
    ],
)
def test_what_ran_out_is_said(budget: Budget, said: str) -> None:
    with pytest.raises(BudgetSpent, match=said):
        Meter(budget).spend(Cost(model_calls=1, input_tokens=1_000, output_tokens=1_000))


def test_a_question_goes_on_with_what_was_spent_and_not_with_the_time_a_person_took() -> None:
    first = Meter(Budget(tool_calls=3), began=time.monotonic() - 40)
    first.call(2)
    kept = json.loads(json.dumps(first.spent))
    later = Meter.after(Budget(tool_calls=3), kept)
    assert later.tool_calls == 2
    assert later.left == pytest.approx(80, abs=1)
    with pytest.raises(BudgetSpent, match="more than 3 tool calls"):
        later.call(2)


def test_a_part_with_a_budget_of_its_own_takes_nothing_from_the_question_s() -> None:
    whole = Meter(Budget(model_calls=2, tokens=100))
    part = Meter(whole.budget.reading)
    part.spend(Cost(model_calls=30, input_tokens=5_000))
    whole.beside(part)
    assert (whole.model_calls, whole.input_tokens) == (30, 5_000)
    whole.spend(Cost(model_calls=2, input_tokens=100))
    with pytest.raises(BudgetSpent):
        whole.model_call()
