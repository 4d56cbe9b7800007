"""judge: enough rows go on to the answer; too few widen the search or go back to the plan, with the diagnosis."""

from typing import Any

from agent.graph.absent import in_all_forms
from agent.graph.diagnose import diagnosis, replans
from agent.graph.state import Desk, State
from agent.graph.sufficiency import empty, sufficiency, unsure


def judge(state: State, desk: Desk) -> dict[str, Any]:
    """Hold the rows against the plan and ask the brain; no rows are never enough."""
    plan, evidence = desk.current
    if desk.again is not None and desk.again.hits:
        return {"route": "answer", "said": "heard on a second listen"}
    judged = desk.brain.judge(desk.question, plan, evidence)
    desk.meter.spend(judged.cost)
    if empty(plan, evidence):
        return {"route": "widen", "said": judged.why}
    if judged.verdict == "replan":
        why = f"{judged.why}. {diagnosis(plan, desk)}" if replans(desk) else judged.why
        return {"route": "plan", "feedback": why, "said": judged.why}
    if judged.verdict != "enough" and evidence.total:
        return {"route": "widen", "said": judged.why}
    widened = any(caveat.startswith("widened") for caveat in state.get("caveats", []))
    if judged.verdict == "enough" and not widened and (more := in_all_forms(plan, desk)):
        desk.best, (calls, what) = None, more
        caveats = [*state.get("caveats", []), f"widened: {what}"]
        return {"route": "validate", "tool_calls": calls, "caveats": caveats, "said": what}
    found = sufficiency(plan, evidence)
    caveats = [*state.get("caveats", []), *unsure(found).values()]
    if not state.get("understood", True):
        caveats.append("not_understood")
    return {"route": "answer", "caveats": caveats, "said": f"{judged.why}: {found.said}"}
