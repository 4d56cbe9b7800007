"""Scorers of how a reply ends; a failed one ends rightly in no way."""

from typing import Any

import pytest

from agent.reply import Fault, Reply
from tests.agent.evals.suites.made import refused, reply, right

FAILED = Reply(status="failed", answer="out", error=Fault(kind="internal", message="out"))
NOT_FOUND = Reply(status="not_found", answer="none")
REFUSED = refused("not_said_by_speaker", alternatives=[{"speaker": "Oliver", "start": 4.0}])

TABLE: list[tuple[str, Any, Reply, bool]] = [
    ("status", "answered", reply("x"), True),
    ("status", "answered", REFUSED, False),
    ("status", ["refused", "not_found"], NOT_FOUND, True),
    ("status", ["answered", "refused", "not_found"], FAILED, False),
    ("reason", "not_said_by_speaker", REFUSED, True),
    ("reason", ["unknown_speaker", "not_said_by_speaker"], REFUSED, True),
    ("reason", "unknown_speaker", REFUSED, False),
    ("reason", "unknown_speaker", NOT_FOUND, False),
    ("reason", "not_said_by_speaker", REFUSED.model_copy(update={"status": "answered"}), False),
    ("refusal", True, REFUSED, True),
    ("refusal", True, NOT_FOUND, True),
    ("refusal", True, reply("x"), False),
    ("refusal", True, FAILED, False),
    ("refusal", False, reply("x"), True),
    ("refusal", False, FAILED, False),
    ("names", ["Oliver"], REFUSED, True),
    ("names", ["Oliver", "Ada"], REFUSED, False),
    ("names", ["Ada"], reply("It was Ada"), True),
    ("names", ["Ada"], reply("no", caveats=["Ada said it"]), True),
]


@pytest.mark.parametrize(("name", "wanted", "said", "passes"), TABLE)
def test_the_table(name: str, wanted: Any, said: Reply, passes: bool) -> None:
    assert right(name, wanted, said) is passes
