"""What a model said, bare: {"content": text} or {"tool_calls": [{"name", "arguments"}]}, to and from the wire."""

import json
from collections.abc import Mapping
from typing import Any

from agent.brains.citing import tokens
from agent.evals.models.wire import Json, Sent
from tools.endpoints.completion import Assembly, Completion, read_whole

EVENTS = "text/event-stream"


def complaint(said: object) -> str | None:
    """Say what is wrong with a bare reply, None when it can be sent."""
    if not isinstance(said, Mapping):
        return "a reply is an object"
    if isinstance(said.get("content"), str) and said["content"].strip():
        return None
    calls = said.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        return 'a reply has "content" (a text) or "tool_calls" (a list)'
    good = all(isinstance(c, Mapping) and isinstance(c.get("name"), str) and "arguments" in c for c in calls)
    return None if good else 'each of "tool_calls" has "name" and "arguments"'


def sent(said: Mapping[str, Any], request: Json) -> Sent:
    """Write a bare reply in the form its request asks for, with tokens as we estimate them."""
    calls = [_call(call, n) for n, call in enumerate(said.get("tool_calls") or (), 1)]
    message: Json = {"role": "assistant", "content": said.get("content")} | ({"tool_calls": calls} if calls else {})
    finish = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": asked_tokens(request), "completion_tokens": tokens(json.dumps(dict(said)))}
    usage["total_tokens"] = sum(usage.values())
    about = {"id": "reply", "model": request.get("model"), "created": 0}
    if not request.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return Sent(json.dumps(about | {"object": "chat.completion", "choices": [choice], "usage": usage}))
    delta = message | ({"tool_calls": [call | {"index": n} for n, call in enumerate(calls)]} if calls else {})
    chunk = about | {"object": "chat.completion.chunk"}
    events: list[Json] = [
        chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
        chunk | {"choices": [], "usage": usage},
    ]
    return Sent("".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n", kind=EVENTS)


def heard(response: Sent) -> Json:
    """Read a response back as a bare reply; Fault says what it lacks."""
    completion = _read(response)
    if completion.calls:
        return {"tool_calls": [{"name": c.name, "arguments": dict(c.arguments)} for c in completion.calls]}
    return {"content": completion.text}


def asked_tokens(request: Json) -> int:
    """Estimate the tokens of a request: its messages, tools and response format."""
    told = [request.get(key) for key in ("tools", "response_format") if request.get(key)]
    texts = [str(m.get("content") or "") + json.dumps(m.get("tool_calls") or "") for m in request["messages"]]
    return sum(tokens(text) for text in texts) + sum(tokens(json.dumps(part, separators=(",", ":"))) for part in told)


def _read(response: Sent) -> Completion:
    if EVENTS not in response.kind:
        return read_whole(json.loads(response.body))
    assembly = Assembly()
    for line in response.body.splitlines():
        payload = line.removeprefix("data:").strip()
        if line.startswith("data:") and payload != "[DONE]":
            assembly.add(json.loads(payload))
    return assembly.done()


def _call(call: Mapping[str, Any], number: int) -> Json:
    written = call["arguments"] if isinstance(call["arguments"], str) else json.dumps(call["arguments"])
    return {"id": f"call_{number}", "type": "function", "function": {"name": call["name"], "arguments": written}}
