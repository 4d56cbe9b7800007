"""Each node as a step that can be watched and traced: when it began, how long it took, where it leads."""

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
        update = node(state, desk)
        desk.watch(Stage(node.__name__, str(update.pop("said", "")), time.monotonic() - began))
        return update

    step.__name__ = node.__name__
    return step
