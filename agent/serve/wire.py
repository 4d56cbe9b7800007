"""The chat completions protocol from the server's side: a request that is checked, a completion whole or in events.

Tokens are estimates, since rules read words and not tokens. Sampling settings are understood and change nothing.
"""

import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.citing import tokens

MODEL = "overheard-rules"
FORMATS = ("text", "json_object", "json_schema")
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
PIECE = 24

Json = dict[str, Any]


class BadRequest(Exception):
    """Say what is wrong with a request: HTTP status, the field, and the protocol's code for it."""

    def __init__(self, message: str, param: str | None = None, status: int = 400, code: str | None = None) -> None:
        super().__init__(message)
        self.param = param
        self.status = status
        self.code = code

    @property
    def body(self) -> Json:
        """The error as the protocol writes it."""
        kind = "invalid_request_error"
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}


@dataclass(frozen=True, slots=True)
class Request:
    """A checked request: its messages, the names of its tools, its tokens, whether and how it wants a stream."""

    messages: Sequence[Mapping[str, Any]]
    tools: frozenset[str] = frozenset()
    size: int = 0
    stream: bool = False
    usage: bool = False

    @property
    def called(self) -> int:
        """How many calls were made before, so that ids stay apart."""
        return sum(len(message.get("tool_calls") or ()) for message in self.messages)


def read_request(body: object) -> Request:
    """Check the body of a request; BadRequest says which field is wrong."""
    if not isinstance(body, Mapping):
        raise BadRequest("the body must be a JSON object")
    model, messages = body.get("model"), body.get("messages")
    if not isinstance(model, str):
        raise BadRequest("you must provide a model", "model")
    if model != MODEL:
        raise BadRequest(f"the model '{model}' does not exist; there is: {MODEL}", "model", 404, "model_not_found")
    if not isinstance(messages, list) or not messages or not all(map(_is_message, messages)):
        raise BadRequest(f"messages must be a list of objects whose role is one of {', '.join(ROLES)}", "messages")
    if body.get("n") not in (None, 1):
        raise BadRequest("rules give one choice: n must be 1", "n")
    kind = _mapping(body, "response_format").get("type", "text")
    if kind not in FORMATS:
        raise BadRequest(f"response_format.type must be one of {', '.join(FORMATS)}", "response_format")
    usage = _mapping(body, "stream_options").get("include_usage") is True
    return Request(messages, _tools(body), _size(body), body.get("stream") is True, usage)


def completion(request: Request, text: str, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Json:
    """Give the whole answer to a request."""
    made = [_call(place, *call) for place, call in enumerate(calls, request.called + 1)]
    message: Json = {"role": "assistant", "content": text or None} | ({"tool_calls": made} if made else {})
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls" if made else "stop"}
    spent, given = request.size, tokens(_written(message))
    usage = {"prompt_tokens": spent, "completion_tokens": given, "total_tokens": spent + given}
    return _stamped("chat.completion") | {"choices": [choice], "usage": usage}


def events(request: Request, whole: Json) -> Iterator[Json]:
    """Give the same answer in the events of a stream: small pieces, then why it ended, then the usage if wanted."""
    head = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = whole["choices"][0]

    def event(delta: Json, finish: str | None = None) -> Json:
        return head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield event({"role": "assistant", "content": ""})
    for piece in _pieces(choice["message"]["content"] or ""):
        yield event({"content": piece})
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        function = call["function"]
        yield event({"tool_calls": [{**call, "index": index, "function": {**function, "arguments": ""}}]})
        for piece in _pieces(function["arguments"]):
            yield event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield event({}, choice["finish_reason"])
    if request.usage:
        yield head | {"choices": [], "usage": whole["usage"]}


def models() -> Json:
    """Give the list of the one model."""
    return {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "overheard"}]}


def _stamped(kind: str) -> Json:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": kind, "created": int(time.time()), "model": MODEL}


def _is_message(message: object) -> bool:
    return isinstance(message, Mapping) and message.get("role") in ROLES


def _mapping(body: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = body.get(field)
    if value is not None and not isinstance(value, Mapping):
        raise BadRequest(f"{field} must be an object", field)
    return value or {}


def _tools(body: Mapping[str, Any]) -> frozenset[str]:
    tools = [] if body.get("tools") is None else body["tools"]
    functions = [_function(tool) for tool in tools] if isinstance(tools, list) else [None]
    if None in functions:
        raise BadRequest("tools must be a list of objects with a function", "tools")
    return frozenset() if body.get("tool_choice") == "none" else frozenset(filter(None, functions))


def _function(tool: object) -> str | None:
    """Give the name of a tool's function, None when it is no tool."""
    function = tool.get("function") if isinstance(tool, Mapping) else None
    return str(function.get("name")) if isinstance(function, Mapping) else None


def _call(number: int, name: str, arguments: Mapping[str, Any]) -> Json:
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": _written(arguments)}}


def _size(body: Mapping[str, Any]) -> int:
    return tokens(_written([body.get(key) for key in ("messages", "tools", "response_format")]))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pieces(text: str) -> Iterator[str]:
    return (text[place : place + PIECE] for place in range(0, len(text), PIECE))
