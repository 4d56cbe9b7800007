"""langgraph.json is loaded as a LangGraph server loads it: the file and the name, called when it is a factory, compiled
with the server's own checkpointer."""

import importlib.util
import inspect
import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from tests.agent.graph.talk import talk
from tests.conftest import ROOT

JOHNS = ("John Carter", "John Reyes", "Anna")


def served() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Load the graph by its path and name, with nothing imported by us."""
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert config["dependencies"] == ["."]
    path, _, name = config["graphs"]["overheard"].partition(":")
    spec = importlib.util.spec_from_file_location("served_graph", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    factory = getattr(module, name)
    assert list(inspect.signature(factory).parameters) == ["config"]
    flow: CompiledStateGraph[Any, Any, Any, Any] = factory({"configurable": {}}).compile(checkpointer=InMemorySaver())
    return flow


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledStateGraph[Any, Any, Any, Any]:
    monkeypatch.setenv("OVERHEARD_LIBRARY", str(tmp_path))
    return served()


def test_turns_follow_each_other_on_the_server_s_thread(tmp_path: Path, flow: Any) -> None:
    talk(tmp_path)
    config = {"configurable": {"thread_id": "one"}}
    flow.invoke({"question": "What did Anna say about the budget?", "recording": "Talk"}, config)
    done = flow.invoke({"question": "how often?"}, config)
    assert done["reply"]["value"] == 2
    assert done["reply"]["caveats"] == ["read as: How often did Anna mention the budget?"]
    assert [turn["asked"] for turn in done["turns"]] == ["What did Anna say about the budget?", "how often?"]
    other = flow.invoke({"question": "how often?"}, {"configurable": {"thread_id": "two"}})
    assert other["reply"]["status"] == "not_found"


def test_what_is_asked_back_interrupts_the_server_s_graph_and_goes_on(tmp_path: Path, flow: Any) -> None:
    talk(tmp_path, JOHNS)
    config = {"configurable": {"thread_id": "one"}}
    waits = flow.invoke({"question": "How often did John mention the train?"}, config)["__interrupt__"]
    assert [choice["key"] for choice in waits[0].value["choices"]] == ["John Reyes", "John Carter"]
    assert flow.invoke(Command(resume="John Reyes"), config)["reply"]["value"] == 2
    flow.invoke({"question": "How often did John mention the train?"}, config)
    stood = flow.invoke(Command(resume="none of them"), config)
    assert stood["reply"]["refusal"]["reason"] == "ambiguous_speaker"
    assert len(stood["turns"]) == 2
