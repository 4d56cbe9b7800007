"""The graph loads without what it never uses, and leaves no trace of that for whoever does."""

import subprocess
import sys

_LOADED = """
import sys
import agent.ask
from agent.graph.loading import lean
with lean():
    import agent.graph.graph
left_out = ("langgraph_sdk", "langsmith.types")
print(*(name for name in sys.modules if name.startswith(left_out)))
"""
_AFTERWARDS = """
from langgraph_sdk.auth.types import BaseUser
from langsmith.types.run_select_field import RunSelectField
from typing import Any
assert BaseUser is not Any and RunSelectField is not Any
"""
_BEFORE = """
import langgraph_sdk.auth.types, sys
kept = sys.modules["langgraph_sdk.auth.types"]
from agent.graph.loading import lean
with lean():
    import agent.graph.graph
assert sys.modules["langgraph_sdk.auth.types"] is kept
"""


def _run(script: str) -> str:
    return subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.strip()


def test_what_is_never_used_is_not_loaded_for_a_question() -> None:
    assert _run(_LOADED) == ""


def test_what_was_left_out_can_be_imported_afterwards() -> None:
    _run(_LOADED + _AFTERWARDS)


def test_what_was_loaded_before_stays() -> None:
    _run(_BEFORE)
