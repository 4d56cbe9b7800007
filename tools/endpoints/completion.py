"""What a model endpoint answered, read defensively: whole, or put together from a stream of events.

A stream that is cut inside a tool call leaves arguments that may still parse, so nothing counts before the endpoint
has said that it finished. Fields we do not know are kept, since some endpoints want them carried back.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from store.errors import EndpointError
from tools.sanitize import one_line, sanitize

# Some servers leave a model's thinking in its answer; some templates open it in the prompt, so only its end is seen.
_THOUGHT = re.compile(r"\A(?:(?!<think>).)*?</think>\s*|\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)

Kind = Literal["endpoint_unreachable", "endpoint_fault", "truncated", "empty", "content_filter", "model_refused"]
Cause = Literal["context", "request", "key", "limit", "server", "cut", "long", "answer"]


class Fault(EndpointError):
    """Say what the endpoint did; `cause` is what a caller can act upon.

    An answer that is of no use has cost tokens all the same: the endpoint's figures, where it gave some.
    """

    def __init__(
        self,
        message: str,
        kind: Kind = "endpoint_fault",
        *,
        cause: Cause = "answer",
        status: int = 0,
        partial: str = "",
    ) -> None:
        super().__init__(one_line(message), kind, partial)
        self.cause = cause
        self.status = status
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call as it came: `problem` says why its arguments cannot be used."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    raw: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished answer; `message` is the assistant's message to carry back, tokens are the endpoint's figures."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    message: Mapping[str, Any] = field(default_factory=dict)


def read_whole(body: object) -> Completion:
    """Read the body of a chat completion; Fault says what it lacks."""
    answer = _checked(body)
    choice = _choice(answer)
    if choice is None:
        raise Fault("the endpoint answered without a choice", cause="answer")
    return _finished(_mapping(choice.get("message")), choice.get("finish_reason") or "stop", answer.get("usage"))


def written(body: str) -> Mapping[str, Any]:
    """Read the body of a transcription: a JSON object, or bare text; Fault when it is an error or neither."""
    try:
        answer = json.loads(body)
    except RecursionError:
        raise Fault(f"the endpoint gave no transcription: {_short(body)}") from None
    except ValueError:
        if not body.strip() or body.lstrip().startswith("<"):
            raise Fault(f"the endpoint gave no transcription: {_short(body)}") from None
        return {"text": str(printable(body))}
    found: Mapping[str, Any] = printable(_checked({"text": answer} if isinstance(answer, str) else answer))
    if not isinstance(found.get("text"), str) and not isinstance(found.get("segments"), list):
        raise Fault(f"the endpoint gave no transcription: {_short(answer)}")
    return found


class Assembly:
    """A chat completion that arrives in events: `add` gives each new piece of text, `done` the whole."""

    def __init__(self) -> None:
        self.text = ""
        self._message: dict[str, Any] = {"role": "assistant"}
        self._calls: list[dict[str, Any]] = []
        self._open: dict[int, dict[str, Any]] = {}
        self._finish: str | None = None
        self._usage: object = None

    def add(self, event: object) -> str:
        """Take in one event and give the text it adds; Fault when it is an error or no event."""
        answer = _checked(event)
        self._usage = answer.get("usage") or self._usage
        choice = _choice(answer)
        if choice is None:
            return ""
        delta = _mapping(choice.get("delta"))
        self._finish = choice.get("finish_reason") or self._finish
        for number, call in enumerate(_sequence(delta.get("tool_calls"))):
            self._add_call(_mapping(call), number)
        for key, value in delta.items():
            if key not in ("role", "tool_calls") and value is not None:
                self._message[key] = _joined(self._message.get(key), value)
        piece = delta.get("content")
        self.text += piece if isinstance(piece, str) else ""
        return piece if isinstance(piece, str) else ""

    def done(self) -> Completion:
        """Give the whole answer; Fault (truncated) when the endpoint never said that it had finished."""
        if self._finish is None:
            raise Fault("the endpoint's answer stopped in the middle; ask again", "truncated", partial=self.text)
        if self._calls:
            self._message["tool_calls"] = self._calls
        return _finished(self._message, self._finish, self._usage)

    def _add_call(self, delta: Mapping[str, Any], number: int) -> None:
        index = delta.get("index")
        place = index if isinstance(index, int) else number
        function = _mapping(delta.get("function"))
        call = self._open.get(place)
        if call is None or _is_another(call, delta, function):
            call = self._open[place] = {"type": "function", "function": {"name": "", "arguments": ""}}
            self._calls.append(call)
        for key, value in function.items():
            old = call["function"].get(key)
            call["function"][key] = old if key == "name" and old else _joined(old, value)
        call |= {key: value for key, value in delta.items() if key not in ("function", "index") and value is not None}


def _is_another(call: Mapping[str, Any], delta: Mapping[str, Any], function: Mapping[str, Any]) -> bool:
    """Say whether a call begins where another one is open: some endpoints count none, or all of them from 0."""
    known, told = call.get("id"), delta.get("id")
    return bool(function.get("name") and call["function"]["name"] and known and told and known != told)


def _checked(body: object) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise Fault(f"the endpoint is not OpenAI-compatible: {_short(body)}")
    if error := body.get("error"):
        told = error.get("message") if isinstance(error, Mapping) else error
        raise Fault(f"the endpoint reported an error: {_short(told)}", cause="server")
    return body


def _choice(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = _sequence(answer.get("choices"))
    return _mapping(choices[0]) if choices else None


def _finished(message: Mapping[str, Any], finish: str, usage: object) -> Completion:
    text = said_aloud(_text(message.get("content")))
    calls = tuple(_call(_mapping(raw), number) for number, raw in enumerate(_sequence(message.get("tool_calls")), 1))
    read, written = (_count(_mapping(usage), key) for key in ("prompt_tokens", "completion_tokens"))
    if (fault := _useless(message, finish, text, calls)) is not None:
        fault.input_tokens, fault.output_tokens = read, written
        raise fault
    kept = {key: printable(value) for key, value in message.items() if value not in (None, [], {}, "")}
    kept |= {"role": "assistant", "content": text}
    return Completion(text, calls, read, written, kept)


def _useless(message: Mapping[str, Any], finish: object, text: str, calls: Sequence[ToolCall]) -> Fault | None:
    """Give what makes an answer that came to its end of no use, None when nothing does."""
    if refusal := message.get("refusal"):
        return Fault(f"the model refused: {_short(refusal)}", "model_refused")
    if finish == "content_filter":
        return Fault("the endpoint's content filter stopped the answer", "content_filter", partial=text)
    if finish == "length":
        return Fault("the model's answer was cut at its length limit", "truncated", cause="long", partial=text)
    return None if text.strip() or calls else Fault("the model answered nothing", "empty")


def _call(raw: Mapping[str, Any], number: int) -> ToolCall:
    function = _mapping(raw.get("function"))
    text = function.get("arguments")
    written = text if isinstance(text, str) else "" if text is None else json.dumps(text)
    try:
        arguments = json.loads(written or "{}")
        problem = None if isinstance(arguments, dict) else f"arguments must be an object, not {_short(written)}"
    except (ValueError, RecursionError) as error:
        arguments, problem = {}, f"arguments are no JSON ({error})"
    usable = harmless(arguments) if problem is None else {}
    call_id, name = (harmless(str(said)) for said in (raw.get("id") or f"call_{number}", function.get("name") or ""))
    return ToolCall(call_id, name, usable, printable(written), problem)


def _joined(old: Any, new: Any) -> Any:
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    return new if new is not None else old


def said_aloud(text: str) -> str:
    """Give a model's words without what it thought before them."""
    return _THOUGHT.sub("", text, count=1)


def printable(value: Any) -> Any:
    """Give a JSON value whose texts can be printed, stored and sent: half a surrogate pair becomes a question mark."""
    return _changed(value, lambda text: text.encode("utf-8", "replace").decode("utf-8"))


def harmless(value: Any) -> Any:
    """Give a JSON value as it may be used: no text in it holds what steers a screen or cannot be searched for."""
    return _changed(value, sanitize)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {_changed(key, change): _changed(inner, change) for key, inner in value.items()}
    return [_changed(inner, change) for inner in value] if isinstance(value, list) else value


def _text(content: object) -> str:
    if isinstance(content, list):
        content = "".join(str(_mapping(part).get("text") or "") for part in content)
    return str(printable(content)) if isinstance(content, str) else ""


def _count(tokens: Mapping[str, Any], key: str) -> int | None:
    value = tokens.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _short(value: object, most: int = 80) -> str:
    text = " ".join(str(printable(value if isinstance(value, str) else json.dumps(value, default=str))).split())
    return text if len(text) <= most else text[:most] + "…"
