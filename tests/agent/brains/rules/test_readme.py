"""Every question that the README says can be asked is understood."""

import re
from pathlib import Path

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from store.database import Database
from tests.agent.brains.rules.small import small_catalog

README = Path(__file__).resolve().parents[4] / "README.md"
_TABLE = re.compile(r"\| question \| answered with \|\n\|---\|---\|\n((?:\|.*\n)+)")


def questions() -> list[str]:
    """Give the questions of the table, each by itself; one of choice with its options."""
    table = _TABLE.search(README.read_text(encoding="utf-8"))
    assert table is not None
    cells = [row.split("|")[1].strip() for row in table[1].splitlines()]
    return [text for cell in cells for text in ([cell] if " A) " in cell else re.findall(r"[^?.]+[?.]", cell))]


@pytest.mark.parametrize("question", [text.strip() for text in questions()])
def test_a_question_of_the_readme_is_understood(question: str, tmp_path: Path) -> None:
    planned = RulesBrain().plan(Question(*split_options(question)), small_catalog(Database.open(tmp_path)), None)
    assert planned.understood
    assert planned.tool_calls
    assert planned.read_as is None
