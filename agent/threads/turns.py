"""The turns of a conversation, JSON-safe. The last one is the graph's own state, so nothing is written after it: a turn
that was cut off anywhere is a turn all the same, and none of its tool calls is left dangling.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

MOST = 100
LONGEST_ANSWER = 600
LONGEST_NAME = 100
STOPPED = "stopped"


class Turn(TypedDict):
    """One turn: what was asked, the stand-alone question it meant, the plan, who the answer named, what came of it."""

    asked: str
    read_as: str
    understood: bool
    calls: list[dict[str, Any]]
    told: list[str]
    status: str
    answer: str
    trace: str


def begun(question: str, options: Mapping[str, str], scope: list[str], turns: list[Turn], trace: str) -> dict[str, Any]:
    """Give the state in which a turn begins: everything of the turn before is gone but the record of it."""
    return {
        "question": question,
        "options": dict(options),
        "scope": scope,
        "turns": turns,
        "trace": trace,
        "read_as": "",
        "tool_calls": [],
        "seen": [],
        "feedback": None,
        "understood": True,
        "reread": False,
        "widened": [],
        "caveats": [],
        "refusal": None,
        "reply": {},
        "spent": {},
        "inquiry": {},
        "diagnosed": False,
        "ran": [],
    }


def closed(state: Mapping[str, Any]) -> list[Turn]:
    """Give the turns of a thread, the one that its state stands at among them; without a reply it was stopped."""
    earlier: list[Turn] = list(state.get("turns", []))
    if not state.get("question"):
        return earlier
    reply: Mapping[str, Any] = state.get("reply") or {}
    turn: Turn = {
        "asked": state["question"],
        "read_as": state.get("read_as") or state["question"],
        "understood": state.get("understood", True),
        "calls": list(state.get("tool_calls", [])),
        "told": list(_texts(reply.get("value"))),
        "status": reply.get("status", STOPPED),
        "answer": str(reply.get("answer", ""))[:LONGEST_ANSWER],
        "trace": state.get("trace", ""),
    }
    return [*earlier, turn][-MOST:]


def _texts(value: Any) -> Iterable[str]:
    found = value if isinstance(value, list) else [value]
    return (one for one in found if isinstance(one, str) and len(one) <= LONGEST_NAME)
