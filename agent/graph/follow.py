"""follow: a question that leans on the turns before it becomes one that stands alone, told in the trace and the reply.

The rules rewrite from what the earlier turns were about; only where they cannot, a brain that can read turns is asked,
and its question counts only when every name in it was spoken of. Who several may be is asked back.
"""

from typing import Any

from agent.brains.protocol import Question
from agent.brains.restate import Restates, Said, stands
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.following.followup import OPEN, Followed
from agent.brains.rules.following.referents import Earlier
from agent.brains.rules.language import language
from agent.graph.plan import READ_AS
from agent.graph.state import Desk, State
from agent.threads.turns import Turn
from store.errors import EndpointError

CERTAIN = 0.8  # what is less likely meant, a brain that reads turns is asked about


def follow(state: State, desk: Desk) -> dict[str, Any]:
    """Rewrite the question by the turns before it, or leave it as it is."""
    if desk.question.options:
        return {"route": "plan", "said": "a question with options stands alone"}
    turns = [turn for turn in state.get("turns", []) if _tells(turn)]
    rules = RulesBrain()
    found = rules.follow(desk.question.text, [_earlier(turn, rules, desk) for turn in turns], desk.catalog)
    if found is not None and found.choices:
        return _unclear(found, desk)
    text = None if found is None else found.text
    if turns and isinstance(desk.brain, Restates) and not _settled(found, rules, desk):
        text = _restated(turns, desk.brain, desk) or text
    if text is None:
        return {"route": "plan", "said": "stands alone"}
    return standing(text, desk) | {"said": f"{READ_AS}{text}"}


def standing(text: str, desk: Desk) -> dict[str, Any]:
    """Go on with a question that stands alone."""
    desk.question = Question(text, desk.question.options)
    return {"route": "plan", "read_as": text, "caveats": [f"{READ_AS}{text}"]}


def _settled(found: Followed | None, rules: RulesBrain, desk: Desk) -> bool:
    """Say whether the rules know what is meant: it is likely and can be read, or there was nothing to make."""
    if found is None:
        return not rules.leans(desk.question.text, desk.catalog)
    return found.likely >= CERTAIN and rules.plan(Question(found.text), desk.catalog, None).understood


def _restated(turns: list[Turn], brain: Restates, desk: Desk) -> str | None:
    """Ask a brain that reads turns what a question means that leans on them in words the rules do not know."""
    question = desk.question.text
    said = [Said(turn["read_as"], turn["answer"]) for turn in turns]
    try:
        restated = brain.restate(question, said)
    except EndpointError:
        return None  # planning meets the same endpoint, and says what is wrong with it
    desk.meter.spend(restated.cost)
    text = restated.text
    roster = [voice.display for entry in desk.catalog.recordings for voice in entry.voices]
    known = text is not None and stands(text, question, said, roster, language("en"))
    return text if known and text != question else None


def _unclear(found: Followed, desk: Desk) -> dict[str, Any]:
    message = f"“{found.word}” could be {' or '.join(found.choices)}"
    refusal = {"reason": "ambiguous_speaker", "constraint": {"speaker": found.word}, "message": message}
    refusal["meant"] = list(found.choices)
    return {"route": "refuse", "refusal": refusal, "read_as": found.text, "said": message}


def _earlier(turn: Turn, rules: RulesBrain, desk: Desk) -> Earlier:
    """Give what an earlier turn was about, by the rules' own plan where they are sure: a model's has more words."""
    calls = turn["calls"] if turn["understood"] else []
    if calls and not desk.by_rules:
        planned = rules.plan(Question(turn["read_as"]), desk.catalog, None)
        calls = planned.tool_calls if planned.understood and not planned.read_as and planned.tool_calls else calls
    return Earlier(turn["read_as"], calls, tuple(turn["told"]))


def _tells(turn: Turn) -> bool:
    """Say whether a turn was about something: it came to a plan, or was stopped before one."""
    return OPEN not in turn["read_as"] and (bool(turn["calls"]) or turn["status"] == "stopped")
