"""A spent budget is no reason to hide rows that were found: they are shown, cited, verified, and as partial.

Rows that do not carry an answer by themselves (none holds most of the words, no option is supported) are none.
"""

from typing import Any

from agent.brains.rules.brain import RulesBrain
from agent.graph.state import Desk, Draft
from agent.graph.topic import in_own_words
from agent.graph.verify import verify
from tools.families import value


def from_rows(desk: Desk) -> dict[str, Any] | None:
    """Answer from the desk's rows without any further call, or give None when there are none."""
    if desk.evidence is None or desk.plan is None or not desk.evidence.rows:
        return None
    rules, evidence = RulesBrain(), in_own_words(desk.plan, desk.evidence, desk.catalog)
    if rules.judge(desk.question, desk.plan, evidence).verdict != "enough":
        return None
    answered = rules.answer(desk.question, desk.plan, evidence, value(desk.plan, evidence))
    desk.cited = tuple(evidence.rows[place] for place in answered.cited)
    reply: Draft = {
        "status": "answered",
        "lead": f"This is partial, from the {desk.evidence.total:,} rows found before the budget was spent: ",
        "answer": answered.text,
        "value": answered.value,
        "answer_kind": answered.kind,
        "caveats": ["budget_spent", *desk.evidence.caveats],
    }
    parts: dict[str, Any] = verify({"reply": reply}, desk)["reply"]
    return parts
