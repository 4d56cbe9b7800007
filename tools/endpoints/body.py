"""The body of an endpoint's answer, whole or as events: read within a time and a size, whatever the endpoint sends.

Lines are split here, so that one which never ends is stopped by the same two limits.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from tools.endpoints.completion import Assembly, Completion, Fault, read_whole

MOST_BYTES = 8_000_000


class Response(Protocol):
    """What is read of an HTTP answer."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by names in lower case."""
        ...

    def iter_bytes(self) -> Iterator[bytes]:
        """Give the body as it arrives."""
        ...


class Shown:
    """What of a stream has arrived, and whether anything of it has reached a person."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self.anything = False
        self.text = ""

    def add(self, piece: str) -> None:
        """Take in a piece of text, and hand it on."""
        self.text += piece
        if piece and self._on_text is not None:
            self.anything = True
            self._on_text(piece)


def read(response: Response, began: float, seconds: float, shown: Shown) -> Completion:
    """Read the answer to what was asked at `began` (monotonic) within seconds; Fault says what is wrong with it."""
    pieces = _within(began, seconds, response.iter_bytes())
    if "text/event-stream" not in response.headers.get("content-type", ""):
        text = b"".join(pieces).decode("utf-8", "replace")
        try:
            return read_whole(json.loads(text))
        except ValueError:
            raise Fault(f"the endpoint is not OpenAI-compatible: {' '.join(text.split())[:80]}") from None
    assembly = Assembly()
    for event in _events(_lines(pieces)):
        shown.add(assembly.add(event))
    return assembly.done()


def _within(began: float, seconds: float, pieces: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if time.monotonic() > began + seconds:
            raise Fault(f"the endpoint was still answering after {seconds:.3g} s", "truncated", cause="long")
        if size > MOST_BYTES:
            raise Fault(f"the endpoint's answer is longer than {MOST_BYTES / 1e6:g} MB", "truncated")
        yield piece


def _lines(pieces: Iterator[bytes]) -> Iterator[str]:
    rest: list[bytes] = []
    for piece in pieces:
        *whole, last = piece.split(b"\n")
        if whole:
            yield from (line.decode("utf-8", "replace") for line in (b"".join([*rest, whole[0]]), *whole[1:]))
            rest = []
        rest.append(last)
    yield b"".join(rest).decode("utf-8", "replace")


def _events(lines: Iterator[str]) -> Iterator[object]:
    for line in lines:
        if not line.startswith("data:"):
            continue
        payload = line.removeprefix("data:").strip()
        if payload == "[DONE]":
            return
        try:
            yield json.loads(payload)
        except ValueError:
            raise Fault(f"the endpoint's stream is not OpenAI-compatible: {payload[:80]}") from None
