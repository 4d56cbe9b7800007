"""Faulty brains on worlds: nothing unsupported is answered, nothing breaks, all within the budget."""

from pathlib import Path

import pytest

from agent.brains.faults import Fault
from agent.evals.worlds.faulty import tally
from agent.evals.worlds.world import Spec

HELD: tuple[Fault, ...] = (
    "gullible", "malformed", "loops", "alternates", "never_content", "wrong_stream", "truncated", "invented_speaker",
    "prose", "empty", "drops_limits", "obeys", "invents_numbers", "false_quotes", "cites_nothing", "wrong_value",
)  # fmt: skip


@pytest.mark.parametrize("fault", HELD)
def test_a_faulty_brain_answers_nothing_unsupported(tmp_path: Path, fault: Fault) -> None:
    found = tally(tmp_path, [Spec(71, 6, 3)], fault, most=16)
    assert found.asked == 16
    assert (found.unsupported, found.broke, found.over, found.failed) == ([], [], 0, 0)
    assert found.right >= 11
