"""The graph, as the architecture page draws it: nodes and edges only.

follow -> plan -> validate -> retrieve -> judge -> answer -> verify -> reply
  ^________|___________|__________|         '-> refuse, with the proof
        repair / widen / listen again / plan again           `-> inquire: which voice is meant? -> validate
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.graph.answer import answer
from agent.graph.follow import follow
from agent.graph.inquire import inquire
from agent.graph.judge import judge
from agent.graph.listen import listen
from agent.graph.plan import plan
from agent.graph.refuse import refuse
from agent.graph.retrieve import retrieve
from agent.graph.state import Desk, State
from agent.graph.validate import validate
from agent.graph.verify import verify
from agent.graph.watch import watched
from agent.graph.widen import widen

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

RECURSION_LIMIT = 60


def route(state: State) -> str:
    """Give the node that comes next."""
    return state["route"]


def first(state: State) -> str:
    """Give where a question begins: one after others may follow up."""
    return "follow" if state.get("turns") else "plan"


@lru_cache(maxsize=4)
def graph(saver: "BaseCheckpointSaver[str] | None" = None) -> CompiledStateGraph[State, Desk, State, State]:
    """Compile the graph, once a process and checkpointer; without one nothing can be asked back."""
    flow = StateGraph(State, context_schema=Desk)
    for node in (follow, plan, validate, retrieve, judge, widen, listen, answer, verify, refuse):
        step: Any = watched(node)
        flow.add_node(node.__name__, step)
    flow.add_conditional_edges(START, first, ["follow", "plan"])
    flow.add_conditional_edges("follow", route, ["plan", "refuse"])
    flow.add_conditional_edges("plan", route, ["validate", "refuse", "answer"])
    flow.add_conditional_edges("validate", route, ["retrieve", "plan", "refuse"])
    flow.add_conditional_edges("retrieve", route, ["judge", "plan", "answer", "refuse"])
    flow.add_conditional_edges("judge", route, ["answer", "widen", "plan", "validate"])
    flow.add_conditional_edges("widen", route, ["validate", "listen", "plan", "answer", "refuse"])
    flow.add_conditional_edges("listen", route, ["judge", "widen"])
    flow.add_conditional_edges("answer", route, ["verify", "plan"])
    flow.add_edge("verify", END)
    flow.add_node("inquire", inquire)
    flow.add_conditional_edges("refuse", route, {"inquire": "inquire", "end": END})
    flow.add_conditional_edges("inquire", route, {"validate": "validate", "plan": "plan", "end": END})
    return flow.compile(checkpointer=saver)
