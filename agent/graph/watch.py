"""Each node as a step that can be watched and traced: what it did, how long it took, within the budget."""

import time
from collections.abc import Callable
from typing import Any

from langgraph.runtime import Runtime

from agent.graph.state import Desk, Stage, State

Node = Callable[[State, Desk], dict[str, Any]]


def watched(node: Node) -> Callable[[State, Runtime[Desk]], dict[str, Any]]:
    """Give a node as LangGraph calls it: the desk taken from the runtime, the budget checked, the step announced."""

    def step(state: State, runtime: Runtime[Desk]) -> dict[str, Any]:
        desk, began = runtime.context, time.monotonic()
        desk.meter.check()
        with desk.trace.step(node.__name__) as running:
            update = node(state, desk)
            said = str(update.pop("said", ""))
            running.note(result_ref=said or None)
        desk.watch(Stage(node.__name__, said, time.monotonic() - began))
        return update

    step.__name__ = node.__name__
    return step
