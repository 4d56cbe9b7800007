"""The endpoint over HTTP, on the loopback only: no key, no state, nothing kept of a request.

A page in a browser must not reach it by a name of its own, so requests to another host than the loopback are refused.
"""

import ipaddress
import json
from typing import Any
from urllib.parse import urlsplit

from agent.serve.loopback import Loopback, Talk
from agent.serve.thinking import think
from agent.serve.wire import BadRequest, Json, Request, completion, events, models, read_request
from store.errors import UsageError

LARGEST = 4_000_000
IDLE_SECONDS = 60.0
_PREFIX = "/v1"


def answer(body: object) -> tuple[Request, Json]:
    """Give a request as it was understood, and its whole completion; BadRequest says what is wrong with it."""
    request = read_request(body)
    said = think(request)
    return request, completion(request, said.text, said.calls)


class Server(Loopback):
    """The rules' server; UsageError when the host is not this machine's own, or the port cannot be had."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        if not is_loopback(host):
            raise UsageError(f"{host} is not this machine alone; serve on 127.0.0.1, ::1 or localhost")
        try:
            super().__init__(_Talk, host, port)
        except (OSError, OverflowError) as error:
            raise UsageError(f"{host}:{port} cannot be served on: {error}; another --port may be free") from error


def is_loopback(host: str) -> bool:
    """Say whether a host's name or address is this machine's own and nobody else's."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class _Talk(Talk):
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        """List the model."""
        self._guarded(lambda: self._send(200, models()), f"{_PREFIX}/models")

    def do_POST(self) -> None:
        """Complete a chat."""
        self._guarded(self._complete, f"{_PREFIX}/chat/completions")

    def _guarded(self, work: Any, path: str) -> None:
        try:
            self._check(path)
            work()
        except BadRequest as error:
            # What was not read of this request must not be taken for the next one.
            self.close_connection = True
            self._send(error.status, error.body)
        except OSError:
            self.close_connection = True
        except Exception as error:
            self.close_connection = True
            self._send(500, {"error": {"message": f"a fault of Overheard itself: {error}", "type": "server_error"}})
            raise

    def _check(self, path: str) -> None:
        host = self.headers.get("host", "")
        if not is_loopback(_name_of(host)):
            raise BadRequest(f"this endpoint is only for this machine, not for {host or 'nobody'}", status=403)
        if self.path.partition("?")[0].rstrip("/") != path:
            raise BadRequest(f"there is no {self.command} {self.path}; there is: {self.command} {path}", status=404)

    def _complete(self) -> None:
        request, whole = answer(self._body())
        if not request.stream:
            self._send(200, whole)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events(request, whole):
            self._chunk(f"data: {json.dumps(event, ensure_ascii=False)}\n\n")
        self._chunk("data: [DONE]\n\n")
        self._chunk("")

    def _body(self) -> object:
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            raise BadRequest("the request has no content-length", status=411)
        if int(length) > LARGEST:
            raise BadRequest(f"the request is larger than {LARGEST:,} bytes", status=413)
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise BadRequest(f"the body is no JSON: {error}") from error

    def _send(self, status: int, body: Json) -> None:
        written = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(written)

    def _chunk(self, text: str) -> None:
        piece = text.encode("utf-8", "replace")
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.wfile.flush()
