"""judge: enough rows go on to the answer; too few widen the search or go back to the plan."""

from typing import Any

from agent.graph.state import Desk, State


def judge(state: State, desk: Desk) -> dict[str, Any]:
    """Ask the brain whether the evidence is enough; no rows are never enough."""
    plan, evidence = desk.current
    judged = desk.brain.judge(desk.question, plan, evidence)
    desk.meter.spend(judged.cost)
    if judged.verdict == "replan":
        return {"route": "plan", "feedback": judged.why, "said": judged.why}
    if evidence.total == 0 or judged.verdict != "enough":
        return {"route": "widen", "said": judged.why}
    if not state.get("understood", True):
        return {"route": "answer", "caveats": [*state.get("caveats", []), "not_understood"], "said": judged.why}
    return {"route": "answer", "said": judged.why}
