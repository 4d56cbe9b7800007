"""The graph, as the architecture page draws it: nodes and edges only.

plan -> validate -> retrieve -> judge -> answer -> verify -> reply
  ^________|___________|__________|         '-> refuse, with the proof
        repair / widen / plan again, within a budget
"""

from functools import lru_cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.graph.answer import answer
from agent.graph.judge import judge
from agent.graph.plan import plan
from agent.graph.refuse import refuse
from agent.graph.retrieve import retrieve
from agent.graph.state import Desk, State
from agent.graph.validate import validate
from agent.graph.verify import verify
from agent.graph.watch import watched
from agent.graph.widen import widen

RECURSION_LIMIT = 60


def route(state: State) -> str:
    """Give the node that comes next."""
    return state["route"]


@lru_cache(maxsize=1)
def graph() -> CompiledStateGraph[State, Desk, State, State]:
    """Compile the graph, once a process."""
    flow = StateGraph(State, context_schema=Desk)
    for node in (plan, validate, retrieve, judge, widen, answer, verify, refuse):
        step: Any = watched(node)
        flow.add_node(node.__name__, step)
    flow.add_edge(START, "plan")
    flow.add_conditional_edges("plan", route, ["validate", "refuse", "answer"])
    flow.add_conditional_edges("validate", route, ["retrieve", "plan", "refuse"])
    flow.add_conditional_edges("retrieve", route, ["judge", "plan"])
    flow.add_conditional_edges("judge", route, ["answer", "widen", "plan"])
    flow.add_conditional_edges("widen", route, ["validate", "answer", "refuse"])
    flow.add_edge("answer", "verify")
    flow.add_edge("verify", END)
    flow.add_edge("refuse", END)
    return flow.compile()
