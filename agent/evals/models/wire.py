"""A loopback server of the chat completions protocol whose answers others give: a record, an endpoint, a reader.

A path may begin with any name (`/some.name/v1/chat/completions`), so that who asks can be told apart without a word
in the request.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

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


class Wire(ThreadingHTTPServer):
    """The server; `answer` is given the path's first name and the request."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, answer: Answer, models: tuple[str, ...] = ("model",), port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Talk)
        self.answer = answer
        self.models = models

    def url(self, name: str = "") -> str:
        """Give the base URL, for one name where replies are told apart."""
        return f"http://127.0.0.1:{self.server_address[1]}{f'/{name}' if name else ''}/v1"


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Wire

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet."""

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


@contextmanager
def serving(answer: Answer, models: tuple[str, ...] = ("model",)) -> Iterator[Wire]:
    """Serve on a free port until left."""
    server = Wire(answer, models)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
