"""A spent budget is no reason to hide rows that were found: they are shown as they are, cited and verified."""

from typing import Any

from agent.brains.rules.language import language
from agent.brains.rules.wording import worded
from agent.graph.state import Desk
from agent.graph.verify import verify
from tools.families import value


def from_rows(desk: Desk) -> dict[str, Any] | None:
    """Answer from the desk's rows without any further call, or give None when there are none."""
    if desk.evidence is None or desk.plan is None or not desk.evidence.rows:
        return None
    answered = worded(desk.plan, desk.evidence, value(desk.plan, desk.evidence), language())
    desk.cited = tuple(desk.evidence.rows[place] for place in answered.cited)
    reply = {
        "status": "answered",
        "answer": answered.text,
        "value": answered.value,
        "answer_kind": answered.kind,
        "confidence": 0.3,
        "caveats": ["budget_spent", *desk.evidence.caveats],
    }
    parts: dict[str, Any] = verify({"reply": reply}, desk)["reply"]
    return parts
