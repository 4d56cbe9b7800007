"""retrieve: the plan runs as SQL behind the fence; its rows go to the desk, only their number into the state."""

from typing import Any

from agent.graph.state import Desk, State
from store.errors import ToolError


def retrieve(state: State, desk: Desk) -> dict[str, Any]:
    """Run the plan; what the tools refuse goes back to the brain."""
    assert desk.plan is not None
    desk.meter.call(len(desk.plan.calls) + 1)
    try:
        desk.evidence = desk.session.run(desk.plan)
    except ToolError as error:
        return {"route": "plan", "feedback": str(error), "said": str(error)}
    said = f"{desk.evidence.total} rows in {desk.evidence.milliseconds:.0f} ms"
    return {"route": "judge", "said": said}
