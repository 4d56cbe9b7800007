"""A real HTTP server on the loopback that speaks the chat completions protocol, well or with one fault."""

import json
import socket
import struct
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from time import sleep
from typing import Any

from agent.serve import loopback

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the server sends: a body, or pieces of a stream at a pace; then it may stall, or cut the connection."""

    body: str = ""
    pieces: tuple[str, ...] = ()
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    pace: float = 0.0
    stall: float = 0.0
    cut: bool = False


def message(content: str | None = None, **more: Any) -> Json:
    return {"role": "assistant", "content": content} | more


def call(name: str, arguments: str, call_id: str = "call_1") -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def whole(said: Json, finish: str | None = "stop") -> Reply:
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return Reply(json.dumps({"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage}))


def event(delta: Json, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'id': 'c', 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"


def streamed(said: Json, finish: str | None = "stop", **more: Any) -> Reply:
    """The same message in small pieces, as real endpoints send it."""
    pieces = [event({"role": "assistant", "content": ""})]
    text = said.get("content") or ""
    pieces += [event({"content": text[i : i + 5]}) for i in range(0, len(text), 5)]
    for index, full in enumerate(said.get("tool_calls") or ()):
        head = {**full, "index": index, "function": {"name": full["function"]["name"], "arguments": ""}}
        pieces.append(event({"tool_calls": [head]}))
        rest = full["function"]["arguments"]
        for i in range(0, len(rest), 9):
            pieces.append(event({"tool_calls": [{"index": index, "function": {"arguments": rest[i : i + 9]}}]}))
    pieces += [event({key: value}) for key, value in said.items() if key not in ("role", "content", "tool_calls")]
    if finish:
        usage = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}
        pieces += [event({}, finish), f"data: {json.dumps(usage)}\n\n", "data: [DONE]\n\n"]
    return Reply(pieces=tuple(pieces), kind="text/event-stream", **more)


def spoken(request: Json, said: Json, finish: str | None = "stop") -> Reply:
    """The message in the form the request asks for."""
    return streamed(said, finish) if request.get("stream") else whole(said, finish)


class _Talk(loopback.Talk):
    server: "Loopback"

    def do_GET(self) -> None:
        named = {"object": "list", "data": [{"id": name} for name in self.server.offers]}
        self._send(Reply(json.dumps(named) if self.server.listed is None else self.server.listed))

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(request)
        self.server.keys.append(self.headers.get("authorization", ""))
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        self._send(self.server.answer(request))

    def _send(self, reply: Reply) -> None:
        sleep(reply.wait)
        pieces = [piece.encode("utf-8", "surrogatepass") for piece in reply.pieces or (reply.body,)]
        try:
            self.send_response(reply.status)
            self.send_header("content-type", reply.kind)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            length = sum(map(len, pieces)) + (1000 if reply.cut or reply.stall else 0)
            self.send_header("content-length", str(length))
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece)
                self.wfile.flush()
                sleep(reply.pace)
            if reply.stall:
                sleep(reply.stall)
            if reply.cut or reply.stall:
                self._reset()
        except OSError:
            self.close_connection = True

    def _reset(self) -> None:
        sleep(0.05)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
        self.rfile = self.wfile = open("/dev/null", "r+b", buffering=0)  # type: ignore[assignment]  # noqa: PTH123, SIM115


class Loopback(loopback.Loopback):
    """The server: `answer` gives the reply to each request; all requests and keys are kept."""

    def __init__(self, answer: Callable[[Json], Reply], offers: tuple[str, ...] = ("only-one",)) -> None:
        super().__init__(_Talk)
        self.answer = answer
        self.offers = offers
        self.listed: str | None = None
        self.requests: list[Json] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []


def serving(
    answer: Callable[[Json], Reply], offers: tuple[str, ...] = ("only-one",)
) -> AbstractContextManager[Loopback]:
    """Serve on a free port until left."""
    return loopback.running(Loopback(answer, offers))


def script(*replies: Reply) -> Callable[[Json], Reply]:
    """Play these replies in order, the last one again and again."""
    left = list(replies)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]
