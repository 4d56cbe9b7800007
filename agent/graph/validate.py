"""validate: a plan is read and held against what exists, before anything runs.

A constraint that the question itself names and that cannot hold is refused at once, whoever planned; what a brain made
up goes back to it. So no brain can talk a refusal away by leaving the constraint out.
"""

import unicodedata
from typing import Any

from agent.brains.limits import left_out
from agent.brains.rules.brain import RulesBrain
from agent.graph.state import Desk, Objection, State
from store.clock import clock, start_ms
from store.errors import ToolError
from tools.plan import Plan, parse_plan
from tools.speaker.names import folded
from tools.validation.problem import Problem, names_of
from tools.validation.problem import told as stretched
from tools.validation.validate import problems

REASONS = {"unknown_label": "stream_missing"}
AT_ONCE = ("out_of_range", "not_heard_yet", "stream_missing", "stream_unreliable", "contradictory_constraints")


def validate(state: State, desk: Desk) -> dict[str, Any]:
    """Parse the plan and check it against the catalog."""
    try:
        plan = parse_plan(state["tool_calls"])
        found = problems(plan, desk.catalog)
    except ToolError as error:
        stretch = _reversed(state["tool_calls"] if desk.by_rules else _read(desk))
        if stretch is not None:
            refusal = _backwards(*stretch)
            return {"route": "refuse", "refusal": refusal, "said": refusal["message"]}
        return {"route": "plan", "feedback": str(error), "said": str(error)}
    dropped = [name for name in desk.people if name not in map(folded, named(plan))] or _left_out(state, desk)
    if dropped and not found:
        message = f"the question is about {' and '.join(dropped)}; a plan must be limited to what it names"
        return {"route": "plan", "feedback": message, "said": message}
    desk.plan = plan
    if not found:
        desk.asked = desk.asked if desk.asked is not None and state.get("widened") else plan
        desk.people = desk.people or tuple(folded(name) for name in named(plan) if _names(name, desk))
        return {"route": "retrieve", "feedback": None, "said": "the plan can run"}
    desk.asked = plan
    told = "; ".join(problem.message for problem in found)
    refusal = _refusal(found[0], plan)
    if any(_asked(problem, desk) for problem in found):
        refusal = _refusal(next(problem for problem in found if _asked(problem, desk)), plan)
        return {"route": "refuse", "refusal": refusal, "said": refusal["message"]}
    return {"route": "plan", "feedback": told, "refusal": refusal, "said": told}


def _left_out(state: State, desk: Desk) -> list[str]:
    """Give the limits that the question names and a model's plan lacks; a name that was asked back may be another."""
    if desk.by_rules or state.get("inquiry"):
        return []
    return left_out(RulesBrain().plan(desk.question, desk.catalog, None), state["tool_calls"])


def _read(desk: Desk) -> list[dict[str, Any]]:
    """Give the calls that the question itself is read as, whoever planned."""
    return RulesBrain().plan(desk.question, desk.catalog, None).tool_calls


def _refusal(problem: Problem, plan: Plan) -> Objection:
    return {
        "reason": REASONS.get(problem.reason, problem.reason),
        "constraint": dict(problem.constraint),
        "message": problem.message,
        "exists": list(problem.exists),
        "call": problem.call,
        "told": stretched(plan.call(problem.call).query),
    }


def _reversed(calls: list[dict[str, Any]]) -> tuple[float, float] | None:
    """Give a call's stretch that ends before it begins, as the question itself says."""
    stretches = [(call["args"].get("start"), call["args"].get("end")) for call in calls]
    whole = [(t0, t1) for t0, t1 in stretches if t0 is not None and t1 is not None and (t0 < 0) == (t1 < 0)]
    return next(((t0, t1) for t0, t1 in whole if t1 <= t0), None)


def _backwards(start: float, end: float) -> Objection:
    first, last = (clock(start_ms(abs(at))) for at in (end, start))
    message = f"what is between {last} and {first} was asked for, and that ends before it begins"
    message += "; ask for a time with some length" if first == last else f"; ask for {first} to {last}"
    return {
        "reason": "contradictory_constraints",
        "constraint": {"start": start, "end": end},
        "message": message,
    }


def _asked(problem: Problem, desk: Desk) -> bool:
    """Say whether the question names what cannot hold; ranges and missing streams count as asked."""
    if problem.reason in AT_ONCE or desk.by_rules:
        return True
    return any(_names(value, desk) for value in _texts(problem.constraint) if value)


def _names(value: str, desk: Desk) -> bool:
    return _plain(value) in _plain(desk.question.text)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def named(plan: Plan) -> list[str]:
    """Give the people that a plan's calls are limited to."""
    return list(dict.fromkeys(name for call in plan.calls for name in names_of(call.query) if name))
