"""A HTTP server on this machine's loopback that says nothing and keeps nothing: what all our endpoints stand on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET, AF_INET6
from threading import Thread
from typing import Any, TypeVar


class Talk(BaseHTTPRequestHandler):
    """One client's requests, over a connection that stays open."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: questions are nobody else's business."""


class Loopback(ThreadingHTTPServer):
    """Serves until it is shut down, a thread a client; port 0 takes a free one."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, talk: type[Talk], host: str = "127.0.0.1", port: int = 0) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        super().__init__((host, port), talk)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet about clients that leave; a fault of our own keeps its traceback."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    @property
    def origin(self) -> str:
        """The server's address, without a path."""
        host, port = self.server_address[:2]
        return f"http://{f'[{host!s}]' if ':' in str(host) else host!s}:{port}"

    @property
    def url(self) -> str:
        """The base URL that clients are given."""
        return f"{self.origin}/v1"


Served = TypeVar("Served", bound=Loopback)


@contextmanager
def running(server: Served) -> Iterator[Served]:
    """Serve in a thread until left."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
