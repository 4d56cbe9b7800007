"""inquire: ask back which voice is meant, and go on with the same plan by the one that was chosen.

The question stops here (an interrupt of LangGraph) only where somebody can answer; without an answer the refusal that
was already written stands.
"""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.brains.rules.following.followup import OPEN
from agent.brains.rules.following.standing import put
from agent.graph.follow import standing
from agent.graph.state import Desk, State
from store.catalog import Catalog
from store.record import is_generic

ASKED_BACK = ("ambiguous_speaker", "speaker_unidentified", "unknown_speaker")
GOES_ON: dict[str, Any] = {"feedback": None, "refusal": {}, "widened": []}
_PEOPLE = ("speaker", "names")


def inquire(state: State, runtime: Runtime[Desk]) -> dict[str, Any]:
    """Stop until somebody says which voice is meant; then name it in the plan instead."""
    asked = state["inquiry"]
    chosen = interrupt(asked)
    if not chosen:
        return {"route": "end"}
    name = _called(str(chosen), runtime.context.catalog)
    read_as = state.get("read_as") or state["question"]
    if OPEN in read_as:
        return standing(read_as.replace(OPEN, name), runtime.context) | {"refusal": None}
    calls = [call | {"args": _renamed(call["args"], str(asked["name"]), name)} for call in state["tool_calls"]]
    return {"route": "validate", "tool_calls": calls, "read_as": put(read_as, str(asked["name"]), name)} | GOES_ON


def inquiry(reason: str, name: str, message: str, voices: list[dict[str, Any]], desk: Desk) -> dict[str, Any] | None:
    """Give what to ask back, None where nobody can answer or an answer could not be told apart."""
    keys = [voice["label"] for voice in voices]
    one = reason != "speaker_unidentified" or (len(desk.catalog.recordings) == 1 and not is_generic(name))
    if not desk.answerable or reason not in ASKED_BACK or not voices or not one or len(set(keys)) < len(keys):
        return None
    shown = ("speaker", "recording", "talk_s", "start", "end", "quote")
    choices = [{"key": voice["label"]} | {key: voice[key] for key in shown if key in voice} for voice in voices]
    return {"reason": reason, "name": name, "message": message, "choices": choices}


def _called(label: str, catalog: Catalog) -> str:
    """Give the name people know a voice by, where only it is called so; else its label."""
    voices = [voice for entry in catalog.recordings for voice in entry.voices]
    shown = {voice.display for voice in voices if voice.label == label}
    (name,) = shown if len(shown) == 1 else (label,)
    return name if sum(voice.display == name for voice in voices) == 1 else label


def _renamed(args: dict[str, Any], asked: str, name: str) -> dict[str, Any]:
    given = {key: args[key] for key in _PEOPLE if key in args}
    changed = {
        key: [name if one == asked else one for one in value] if isinstance(value, list) else name
        for key, value in given.items()
        if value == asked or (isinstance(value, list) and asked in value)
    }
    return args | changed
