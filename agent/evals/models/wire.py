"""A loopback server of the chat completions protocol whose answers others give: a record, an endpoint, a reader.

A path may begin with any name (`/some.name/v1/chat/completions`), so that who asks can be told apart without a word
in the request.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from agent.serve.loopback import Loopback, Talk, running

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """One HTTP response: its body as text, its content type, and the headers that matter to a client."""

    body: str
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Callable[[str, Json], Sent]


def refused(message: str, status: int = 400) -> Sent:
    """Give an error in the protocol's form."""
    return Sent(json.dumps({"error": {"message": message, "type": "invalid_request_error"}}), status)


class Wire(Loopback):
    """The server; `answer` is given the path's first name and the request."""

    def __init__(self, answer: Answer, models: tuple[str, ...] = ("model",), port: int = 0) -> None:
        super().__init__(_Talk, port=port)
        self.answer = answer
        self.models = models

    def named(self, name: str) -> str:
        """Give the base URL for one name, where replies are told apart."""
        return f"{self.origin}/{name}/v1"


class _Talk(Talk):
    server: Wire

    def do_GET(self) -> None:
        """List the models."""
        self._send(Sent(json.dumps({"object": "list", "data": [{"id": name} for name in self.server.models]})))

    def do_POST(self) -> None:
        """Answer one request."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        name = self.path.strip("/").removesuffix("chat/completions").strip("/").removesuffix("v1").strip("/")
        try:
            request = json.loads(body)
        except ValueError:
            return self._send(refused("the request is no JSON"))
        return self._send(self.server.answer(name, request))

    def _send(self, sent: Sent) -> None:
        written = sent.body.encode("utf-8", "replace")
        try:
            self.send_response(sent.status)
            headers = {"content-type": sent.kind, "content-length": str(len(written))} | dict(sent.headers)
            for header, value in headers.items():
                self.send_header(header, value)
            self.end_headers()
            self.wfile.write(written)
        except OSError:  # whoever asked has gone
            self.close_connection = True


def serving(answer: Answer, models: tuple[str, ...] = ("model",)) -> AbstractContextManager[Wire]:
    """Serve on a free port until left."""
    return running(Wire(answer, models))
