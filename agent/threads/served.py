"""A conversation as a graph for a LangGraph server (langgraph.json): one turn is one node, the server keeps the thread.

The library and the brain are those that the environment chooses, as for the command line. The question's own graph runs
inside the node, apart from the server's: its checkpoints are of one turn and are not kept.
"""

from argparse import Namespace
from collections.abc import Callable
from contextvars import Context
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict

from agent import privacy
from agent.dialogue import Dialogue
from agent.threads.turns import Turn

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph import StateGraph


class Served(TypedDict, total=False):
    """What goes in (`question`, and `recording`, which is the whole library when left out) and comes out."""

    question: str
    recording: str | None
    turns: list[Turn]
    reply: dict[str, Any]


def make_graph(config: "RunnableConfig") -> "StateGraph[Served, None, Served, Served]":
    """Give the graph; whoever serves it compiles it with its own checkpointer."""
    privacy.protect()
    from langgraph.graph import END, START, StateGraph

    flow = StateGraph(Served)
    flow.add_node("turn", turn)
    flow.add_edge(START, "turn")
    flow.add_edge("turn", END)
    return flow


def turn(state: Served) -> Served:
    """Answer one question after those before it; which voice is meant is asked back by an interrupt."""
    from langgraph.types import interrupt

    from agent.front.asking import Asker
    from tools.again.ear import SECONDS

    asker = Asker(Namespace(library=None, brain=None, listen_again=SECONDS))
    dialogue = Dialogue(before=state.get("turns", []))
    reply = _apart(lambda: asker(state["question"], state.get("recording"), dialogue=dialogue))
    while (inquiry := _apart(lambda: dialogue.inquiry)) is not None:
        chosen = interrupt(asdict(inquiry))
        if chosen not in [choice.key for choice in inquiry.choices]:
            break
        reply = _apart(partial(asker.resume, dialogue, chosen))
    return {"reply": reply.model_dump(mode="json"), "turns": _apart(lambda: dialogue.turns)}


def _apart(work: Callable[[], Any]) -> Any:
    """Run what has a graph of its own where LangGraph does not take it for a part of the server's."""
    return Context().run(work)
