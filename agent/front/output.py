"""Where words go: the result to stdout, the narration to stderr, and nothing unsanitised to either."""

import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from store.errors import DataError
from tools.sanitize import sanitize


def emit(text: str = "") -> None:
    """Write one line or block of the result."""
    drawn(sanitize(text) + "\n")


def drawn(text: str) -> None:
    """Write a result that is laid out already, each text of others in it sanitised; DataError when it cannot go."""
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon()
        raise DataError(f"the output cannot be written: {error.strerror}") from error


def abandon() -> None:
    """Let what is left of the output go nowhere: Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave_now(code: int) -> None:
    """End this process at once: a network that is hearing minutes of audio in a thread would be waited for else."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


def say(text: str) -> None:
    """Write one line of narration, without secrets: errors of others quote what they were given.

    Whoever does not read it any more must not stop the work.
    """
    from store.redact import redact

    with suppress(OSError):
        _write(sys.stderr, sanitize(redact(text)) + "\n")


def fault() -> None:
    """Narrate the exception that is being handled, a bug, with its traceback."""
    import traceback

    say(traceback.format_exc().rstrip())


def emit_json(value: Any) -> None:
    """Write one JSON document on one line: sorted keys, rounded floats, steering characters escaped."""
    from tools.canonical import to_json

    emit(to_json(value))


def interactive() -> bool:
    """Say whether somebody can be asked: input and narration both are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agreed(question: str) -> bool:
    """Ask a person for a yes."""
    say(f"{question} [y/N]")
    return input().strip().casefold() in ("y", "yes")


def steady() -> None:
    """Let no character stop the input or the output, whatever the locale can encode, and no stream that is closed.

    A closed stream is opened on nothing at its own number, which a file of the library would take else.
    """
    streams = (("stdin", "r", "replace"), ("stdout", "w", "backslashreplace"), ("stderr", "w", "backslashreplace"))
    for name, mode, errors in streams:
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors=errors)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
