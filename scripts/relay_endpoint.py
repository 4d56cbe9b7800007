"""An endpoint whose model is whoever reads the requests: each waits in a file until its reply lies beside it.

    python -m scripts.relay_endpoint DIR [--port 8765]

DIR/0001.request.json is a request, DIR/0001.reply.json its reply: {"content": "text"} or
{"tool_calls": [{"name": "...", "arguments": {...}}]}. DIR/open.md shows all that wait: what several requests share
(system message, tools, format) once, then each with its own messages. A reply of a wrong form is told there and may be
written again. Asked the same again, also after a restart, it gives the same reply. OPENAI_BASE_URL is printed first.
"""

import argparse
import json
import threading
from pathlib import Path
from typing import Any

from agent.evals.models.recording import digest
from agent.evals.models.said import complaint, sent
from agent.evals.models.wire import Json, Sent, Wire, refused

POLL_S, WATCH_S = 0.3, 1.0


class Relay:
    """The requests of one folder, by number; one thread waits in `__call__` for each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self._requests = {path.name[:4]: _read(path) for path in sorted(folder.glob("????.request.json"))}
        self._numbers = {digest(request): number for number, request in self._requests.items()}
        self._open: set[str] = set()
        self._closed = threading.Event()

    def __call__(self, name: str, request: Json) -> Sent:
        """Write a request down and give its reply once there is one."""
        number = self._noted(request)
        path = self._folder / f"{number}.reply.json"
        while complaint(said := _read(path)):
            if self._closed.wait(POLL_S):
                return refused("the relay was closed", 503)
        with self._lock:
            self._open.discard(number)
            self._write()
        return sent(said, request)

    def watch(self) -> None:
        """Write the index anew whenever replies of a wrong form come or go."""
        told = ""
        while not self._closed.wait(WATCH_S):
            with self._lock:
                now = "".join(self._problem(number) for number in sorted(self._open))
                if now != told:
                    self._write()
                told = now

    def close(self) -> None:
        """End the watch; requests that still wait are refused."""
        self._closed.set()

    def _noted(self, request: Json) -> str:
        with self._lock:
            number = self._numbers.setdefault(digest(request), f"{len(self._numbers) + 1:04}")
            if number not in self._requests:
                self._requests[number] = request
                text = json.dumps(request, ensure_ascii=False, indent=1)
                (self._folder / f"{number}.request.json").write_text(text, encoding="utf-8")
            self._open.add(number)
            self._write()
            return number

    def _problem(self, number: str) -> str:
        path = self._folder / f"{number}.reply.json"
        return f"The reply {path.name} cannot be sent: {complaint(_read(path))}\n\n" if path.exists() else ""

    def _write(self) -> None:
        """Write the index: parts that requests share, then each open request."""
        shared: dict[str, str] = {}
        lines = []
        for number in sorted(self._open):
            request = self._requests[number]
            common = _common(request)
            letter = shared.setdefault(common, f"S{len(shared) + 1}")
            own = "\n\n".join(_message(message) for message in request["messages"][1:])
            lines.append(f"## {number} (with {letter})\n\n{self._problem(number)}{own}\n")
        parts = [f"# {letter}: shared by several\n\n{text}\n" for text, letter in shared.items()]
        text = "\n".join([f"{len(self._open)} open\n", *parts, *lines])
        part = self._folder / "open.part"
        part.write_text(text, encoding="utf-8")
        part.replace(self._folder / "open.md")


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, help="where requests and replies lie")
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    relay = Relay(options.folder)
    server = Wire(relay, ("reader",), options.port)
    threading.Thread(target=relay.watch, daemon=True).start()
    print(f"OPENAI_BASE_URL={server.url} OPENAI_MODEL=reader", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        relay.close()
        server.server_close()


def _read(path: Path) -> Any:
    """Give a file's JSON, None while it is missing or half written."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _common(request: Json) -> str:
    parts = {key: value for key, value in request.items() if key in ("tools", "response_format")}
    tools = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items())
    return f"{_message(request['messages'][0])}\n\n{tools}"


def _message(message: Json) -> str:
    calls = [f"{call['function']['name']} {call['function']['arguments']}" for call in message.get("tool_calls") or ()]
    return "\n".join([f"**{message['role']}**: {message.get('content') or ''}", *calls])


if __name__ == "__main__":
    main()
