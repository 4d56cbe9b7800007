"""follow: a question that leans on the turns before it becomes one that stands alone, told in the trace and the reply.

The rules rewrite from what the earlier turns were about; only where they cannot, a brain that can read turns is asked,
and its question counts only when every name in it was spoken of. Who several may be is asked back.
"""

from typing import Any

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.followup import OPEN, Followed
from agent.brains.rules.referents import Earlier
from agent.graph.plan import READ_AS
from agent.graph.state import Desk, State
from agent.threads.turns import Turn


def follow(state: State, desk: Desk) -> dict[str, Any]:
    """Rewrite the question by the turns before it, or leave it as it is."""
    if desk.question.options:
        return {"route": "plan", "said": "a question with options stands alone"}
    earlier = [_earlier(turn) for turn in state.get("turns", []) if _tells(turn)]
    found = RulesBrain().follow(desk.question.text, earlier, desk.catalog)
    if found is None:
        return {"route": "plan", "said": "stands alone"}
    if found.choices:
        return _unclear(found, desk)
    return standing(found.text, desk) | {"said": f"{READ_AS}{found.text}"}


def standing(text: str, desk: Desk) -> dict[str, Any]:
    """Go on with a question that stands alone."""
    desk.question = Question(text, desk.question.options)
    return {"route": "plan", "read_as": text, "caveats": [f"{READ_AS}{text}"]}


def _unclear(found: Followed, desk: Desk) -> dict[str, Any]:
    message = f"“{found.word}” could be {' or '.join(found.choices)}"
    refusal = {"reason": "ambiguous_speaker", "constraint": {"speaker": found.word}, "message": message}
    refusal["meant"] = list(found.choices)
    return {"route": "refuse", "refusal": refusal, "read_as": found.text, "said": message}


def _earlier(turn: Turn) -> Earlier:
    return Earlier(turn["read_as"], turn["calls"] if turn["understood"] else (), tuple(turn["told"]))


def _tells(turn: Turn) -> bool:
    """Say whether a turn was about something: it came to a plan, or was stopped before one."""
    return OPEN not in turn["read_as"] and (bool(turn["calls"]) or turn["status"] == "stopped")
