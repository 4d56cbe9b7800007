"""The requests by which an endpoint's model is examined: each has one right answer, and only the answer counts.

So an endpoint that ignores a field fails like one that refuses it, and a context that a server cuts in silence is found
by a word that is hidden far from its end. Nothing of a library is in them.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage

import prompts
from tools.schema import complaint

LONG = 12_000
SHORT = 3_000
_WORD = "harbour"
_HIDDEN = "cinnamon"
_A_LINE = 9  # tokens of a line, of most models
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NOTE = {
    "type": "object",
    "properties": {"word": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["word", "number"],
    "additionalProperties": False,
}
_LIGHT = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "amber", "green"]}, "colours": {"type": "integer"}},
    "required": ["colour", "colours"],
    "additionalProperties": False,
}
_TOOL = {"type": "function", "function": {"name": "note", "description": "Note a word.", "parameters": _NOTE}}
_SCHEMA = {"type": "json_schema", "json_schema": {"name": "light", "strict": True, "schema": _LIGHT}}


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its text, what is wanted, and what is wrong with an answer (None when nothing is)."""

    text: Callable[[], str]
    wanted: str
    wrong: Callable[[AIMessage], str | None]
    streamed: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


def _has(word: str) -> Callable[[AIMessage], str | None]:
    return lambda answer: None if word in str(answer.content).casefold() else _short(answer)


def _noted(answer: AIMessage) -> str | None:
    right = any(
        call["name"] == "note" and complaint(call["args"], _NOTE) is None and call["args"]["word"] == _WORD
        for call in answer.tool_calls
    )
    return None if right else _short(answer)


def _valid(schema: Mapping[str, Any]) -> Callable[[AIMessage], str | None]:
    def wrong(answer: AIMessage) -> str | None:
        with suppress(ValueError, RecursionError):
            if complaint(json.loads(str(answer.content)), schema) is None:
                return None
        return _short(answer)

    return wrong


def _short(answer: AIMessage) -> str:
    calls = [f"{call['name']}({json.dumps(call['args'])})" for call in answer.tool_calls]
    calls += [f"{call['name']}({call['args']})" for call in answer.invalid_tool_calls]
    text = " ".join([str(answer.content), *calls]).split()
    return " ".join(text)[:80] or "nothing"


def canary(size: int) -> str:
    """Give the name of the probe of a context of so many tokens."""
    return f"{size // 1000}k context"


def _hidden(size: int) -> Callable[[], str]:
    """Hide a word in a third of so many tokens, far from its end."""

    def text() -> str:
        lines = [f"On {_DAYS[n % 7]} nothing that matters is said." for n in range(round(size / _A_LINE))]
        lines.insert(len(lines) // 3, f"On a holiday somebody says that the code word is {_HIDDEN}.")
        return prompts.load("probe_canary", lines="\n".join(lines))

    return text


CANARIES = (canary(SHORT), canary(LONG))
PROBES: Mapping[str, Asked] = {
    "chat": Asked(lambda: prompts.load("probe_chat"), _WORD, _has(_WORD)),
    "streamed chat": Asked(lambda: prompts.load("probe_chat"), "words in pieces", lambda answer: None, streamed=True),
    "tool call": Asked(lambda: prompts.load("probe_tool"), "a tool call", _noted, more={"tools": [_TOOL]}),
    "streamed tool call": Asked(
        lambda: prompts.load("probe_tool"), "a tool call", _noted, streamed=True, more={"tools": [_TOOL]}
    ),
    "strict JSON schema": Asked(
        lambda: prompts.load("probe_schema"), "a value by the schema", _valid(_LIGHT), more={"response_format": _SCHEMA}
    ),
    "JSON mode": Asked(
        lambda: prompts.load("probe_json"), "a JSON object", _valid({"type": "object"}),
        more={"response_format": {"type": "json_object"}},
    ),
    canary(SHORT): Asked(_hidden(SHORT), "the hidden word", _has(_HIDDEN)),
    canary(LONG): Asked(_hidden(LONG), "the hidden word", _has(_HIDDEN)),
}  # fmt: skip
