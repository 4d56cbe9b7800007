"""retrieve: the plan runs as SQL behind the fence; its rows go to the desk, only their number into the state.

A call that a brain has run in three plans ends the question with what is known: asking again changes nothing.
"""

from typing import Any

from agent.graph.state import Desk, State
from agent.graph.sufficiency import empty
from store.errors import ToolError
from tools.canonical import to_json

MOST_RUNS = 3


def retrieve(state: State, desk: Desk) -> dict[str, Any]:
    """Run the plan; what the tools refuse goes back to the brain."""
    assert desk.plan is not None
    ran = _ran(state, desk)
    if _again(ran) and desk.to_best():
        said = f"the same call {MOST_RUNS} times: stopping with what is known"
        return {"route": "answer", "caveats": [*state.get("caveats", []), "same_call_thrice"], "said": said}
    desk.meter.call(len(desk.plan.calls) + 1)
    try:
        desk.evidence = desk.session.run(desk.plan)
    except ToolError as error:
        return {"route": "plan", "feedback": str(error), "said": str(error)}
    if not empty(desk.plan, desk.evidence) and not _only_near(state):
        desk.best = (desk.plan, desk.evidence)
    said = f"{desk.evidence.total} rows in {desk.evidence.milliseconds:.0f} ms"
    return {"route": "judge", "ran": ran, "said": said}


def _ran(state: State, desk: Desk) -> list[str]:
    """Give the calls that ran so far, each once a plan of the brain; widened calls are not the brain's."""
    if desk.plan is None or state.get("widened"):
        return list(state.get("ran", []))
    keys = [f"{call.query.stream} {to_json(call.query.model_dump(exclude_defaults=True))}" for call in desk.plan.calls]
    return [*state.get("ran", []), *(f"{desk.meter.rounds} {key}" for key in dict.fromkeys(keys))]


def _again(ran: list[str]) -> bool:
    keys = [entry.split(" ", 1)[1] for entry in dict.fromkeys(ran)]
    return any(keys.count(key) >= MOST_RUNS for key in keys)


def _only_near(state: State) -> bool:
    return any(caveat.startswith("widened") for caveat in state.get("caveats", []))
