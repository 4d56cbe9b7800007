"""Where words go: the result to stdout, the narration to stderr, and nothing unsanitised to either."""

import sys
from typing import Any, TextIO

from tools.sanitize import sanitize


def emit(text: str = "") -> None:
    """Write one line or block of the result."""
    _write(sys.stdout, text)


def say(text: str) -> None:
    """Write one line of narration, without secrets: errors of others quote what they were given."""
    from store.redact import redact

    _write(sys.stderr, redact(text))


def emit_json(value: Any) -> None:
    """Write one JSON document on one line: sorted keys, rounded floats, steering characters escaped."""
    from tools.canonical import to_json

    _write(sys.stdout, to_json(value))


def interactive() -> bool:
    """Say whether somebody can be asked: input and narration both are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agreed(question: str) -> bool:
    """Ask a person for a yes."""
    say(f"{question} [y/N]")
    return input().strip().casefold() in ("y", "yes")


def steady() -> None:
    """Let no character stop the output, whatever the locale can encode."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _write(stream: TextIO, text: str) -> None:
    stream.write(sanitize(text) + "\n")
    stream.flush()
